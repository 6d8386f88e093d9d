// Files of other tools and spreadsheets, a row for each form: what can mean one thing only is read as that, what can mean two
// is asked, and the rest is refused with its line.

import assert from "node:assert/strict";
import test from "node:test";
import type { EmailRecordField } from "../../../src/campaign/record-fields.ts";
import { decodeText } from "../../../src/counting/import/files/decode-text.ts";
import type { MappingChoice } from "../../../src/counting/import/mapping/mapping.ts";
import { entriesOf } from "../../support/import-files.ts";

const columns = new Map<EmailRecordField, string>([
  ["subject", "S"],
  ["sent_at", "D"],
  ["recipient_count", "N"],
  ["unique_opens", "U"],
  ["open_rate", "R"],
]);
const choice = { timeZone: "Europe/Berlin", columns };

/** The values of some fields, or the place and problem, of each record. */
async function read(
  content: string | Uint8Array,
  fields: readonly string[],
  given: MappingChoice = choice,
): Promise<unknown[]> {
  return (await entriesOf(content, 65_536, given)).map((entry) => {
    if ("problem" in entry) return `${entry.where}: ${entry.problem}`;
    const record = entry.record as Record<string, unknown>;
    return fields.map((field) => record[field]);
  });
}

test("reads a count with separators between thousands, and without decimals", async () => {
  const counts = new Map<string, number | string>();
  const asThousands = ["12'400", "12’400", "12 400", "12\u00a0400", "12\u202f400"];
  for (const text of [...asThousands, "12400.0", "12400.00", "12400,0", "12,400.00", "12.400,00"]) {
    counts.set(text, 12_400);
  }
  const others = {
    ...{ "10.000": 10_000, "10,000": 10_000, "1.234.567": 1_234_567, "1,234,567": 1_234_567 },
    ...{ "1,50,000": 150_000, "12,34,56,789": 123_456_789, "1.000": 1_000 },
    ...{ "0": 0, "0.0": 0, "007": 7, "0.000": 0 },
  };
  for (const [text, count] of Object.entries(others)) counts.set(text, count);
  const refused = [
    ...["1.5", "1,2", "12.40", "1.000,5", "1.00.000", "0.650", "1e3", "-1", "1,000,0", "1.000 000"],
  ];
  for (const text of refused) counts.set(text, text);
  for (const delimiter of [",", ";", "\t"]) {
    const rows = [...counts.keys()].map((text) => `x${delimiter}2024-01-01${delimiter}"${text}"\n`).join("");
    const header = `S${delimiter}D${delimiter}N\n`;
    const some = new Map([...columns].slice(0, 3));
    const expected = [...counts.values()].map((count) => [count]);
    assert.deepEqual(await read(header + rows, ["recipient_count"], { ...choice, columns: some }), expected);
  }
});

test("reads rates in the form that the counts of the file tell", async () => {
  const cases: [rows: string, rates: unknown[]][] = [
    ["1200;601;0.5008\n1240;806;0.65", [0.5008, 0.65]],
    ["1200;601;50.08\n1240;8;0.65", [0.5008, 0.0065]],
    ["1240;8;0.65\n1200;601;50.08", [0.0065, 0.5008]],
    ["1240;8;0,65\n1200;601;50,08", [0.0065, 0.5008]],
    ["1240;8;0.0065\n1200;601;0.5008", [0.0065, 0.5008]],
    ["1200;601;50", [0.5]],
    ["10000;10000;1", [1]],
    ["10000;10000;100", [1]],
    ["0;0;0\n1200;601;0.5", [0, 0.5]],
    ["1200;;0.5\n1200;601;50.1", [0.005, 0.501]],
    ["1200;601;50.08%\n1200;601;0.5008", [0.5008, 0.5008]],
    ["1200;601;%50,08", [0.5008]],
    [
      "1200;601;0.5008\n1200;601;50.08",
      [
        0.5008,
        'line 3, column "R": "50.08" is a percentage by its counts, but "0.5008" in line 2 is a fraction; choose the form of rates, percent or fraction',
      ],
    ],
  ];
  for (const [rows, rates] of cases) {
    const lines = rows.split("\n").map((row) => `x;2024-01-01;${row}\n`);
    assert.deepEqual((await read(`S;D;N;U;R\n${lines.join("")}`, ["open_rate"])).flat(), rates, rows);
  }
  const chosen = await read("S;D;N;U;R\nx;2024-01-01;1200;601;0.5008\n", ["open_rate"], {
    ...choice,
    rates: "percent",
  });
  assert.deepEqual(chosen, [[0.005008]]);
});

test("reads ids of tables that pandas wrote, and gives others 15 digits", async () => {
  const withId = { ...choice, columns: new Map([...columns.entries()].slice(0, 2)).set("id", "I") };
  const [first, second, third] = (await read(
    "I,S,D\n12.0,x,2024-01-01\n12,x,2024-01-01\nab-1,x,2024-01-01\n",
    ["id"],
    withId,
  )) as number[][];
  assert.deepEqual([first, second], [[12], [12]]);
  assert.match(String(third), /^\d{15}$/);
});

test("finds the delimiter outside of quotes, and the header below titles", async () => {
  const files: [content: string, map: Partial<Record<EmailRecordField, string>>][] = [
    [
      '"Title, internal, a, b";"Sent, date"\nx;2024-01-01\n',
      { subject: "Title, internal, a, b", sent_at: "Sent, date" },
    ],
    ['Title\t"Sent, a, b, c"\nx\t2024-01-01\n', { subject: "Title", sent_at: "Sent, a, b, c" }],
    ['Title,"Sent;\n;;"\nx,2024-01-01\n', { subject: "Title", sent_at: "Sent;\n;;" }],
    ["sep=;\nTitle;Sent,\nx;2024-01-01\n", { subject: "Title", sent_at: "Sent," }],
    ["Report; of, campaigns\n\nTitle;Sent\nx;2024-01-01\n", { subject: "Title", sent_at: "Sent" }],
    ["Report,,\nFrom,To,\nTitle,Sent,N\nx,2024-01-01,1\n", { subject: "Title", sent_at: "Sent" }],
    ["Report, 2026\nTitle;Sent, x;R\nx;2024-01-01;53,4\n", { subject: "Title", sent_at: "Sent, x" }],
    ["Report\nCreated by Ann\n\n\nSubject,Send Date\nx,2024-01-01\n", {}],
    ["Report\nid,subject,sent_at\n1,x,2024-01-01\n", {}],
  ];
  for (const [content, map] of files) {
    const mapped =
      Object.keys(map).length > 0 ? new Map(Object.entries(map) as [EmailRecordField, string][]) : undefined;
    const guessed = content.includes("Send Date")
      ? new Map<EmailRecordField, string>([
          ["subject", "Subject"],
          ["sent_at", "Send Date"],
        ])
      : undefined;
    const found = await read(content, ["subject", "sent_at"], {
      timeZone: "UTC",
      columns: mapped ?? guessed,
    });
    assert.deepEqual(found, [["x", "2024-01-01T00:00:00.000Z"]], content);
  }
});

test("reads UTF-16 with its mark, and Windows-1252 where the bytes are no UTF-8", async () => {
  const text = "S,D\nGrüße – für „Évian“,2024-01-01\n";
  const western = Buffer.from(
    [...text].map((each) => ({ "–": 0x96, "„": 0x84, "“": 0x93 })[each] ?? each.charCodeAt(0)),
  );
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  const some = { ...choice, columns: new Map([...columns].slice(0, 2)) };
  for (const content of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    little,
    Buffer.from(little).swap16(),
    western,
  ]) {
    for (const chunk of [1, 3, 65_536]) {
      const [entry] = await entriesOf(content, chunk, some);
      assert.equal((entry as { record: { subject: string } }).record.subject, "Grüße – für „Évian“");
    }
  }
});

test("refuses bytes that no encoding has or that may be in several, with their line", async () => {
  const some = { ...choice, columns: new Map([...columns].slice(0, 2)) };
  const header = Buffer.from("S,D\n");
  const row = (...subject: (string | number[])[]) =>
    Buffer.concat([...subject.map((part) => Buffer.from(part as string)), Buffer.from(",2024-01-01\n")]);
  const utf16 = (...units: number[]) =>
    Buffer.from(Uint16Array.of(0xfeff, ...Buffer.from("S,D\nx"), ...units).buffer);
  const files: [name: string, content: Buffer, line: number][] = [
    ["Windows-1251", Buffer.concat([header, row([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]), 2],
    ["no character of Windows-1252", Buffer.concat([header, row([0xe4]), row([0x81, 0x41])]), 3],
    ["UTF-8, then Windows-1252", Buffer.concat([header, row("ä"), row("x"), row([0xe4])]), 4],
    ["Windows-1252, then UTF-8", Buffer.concat([header, row([0xe4]), row("Größe")]), 3],
    ["UTF-16, then UTF-8", Buffer.concat([utf16(0xe4), row("ä", [0xd8, 0xd8])]), 2],
    ["a lone surrogate", utf16(0x0a, 0xd83d, 0x0a, 0x78), 3],
    ["half of a pair at the end", utf16(0xd83d), 2],
    ["UTF-16 of an odd length", utf16(0x78).subarray(0, -1), 2],
  ];
  for (const [name, content, line] of files) {
    for (const chunk of [1, 2, 3, 7, 65_536]) {
      const last = (await entriesOf(content, chunk, some)).at(-1) as { where: string; problem: string };
      const problem = `is not UTF-8 text in line ${line}; save it as UTF-8 (in Excel: CSV UTF-8)`;
      assert.deepEqual([last.where, last.problem], ["file", problem], `${name}, in chunks of ${chunk}`);
    }
  }
});

test("decodes 50 MB whose first letter with an accent is at the end, and names it", async () => {
  const plain = Buffer.alloc(64 * 1024, "A subject of no interest,2024-01-01\n");
  for (const [encoding, notices] of [
    ["utf8", []],
    ["latin1", ['read as Windows-1252, because it is not UTF-8; check names such as "Größe"']],
  ] as const) {
    async function* chunks() {
      for (let count = 0; count < 800; count++) yield plain;
      const bytes = Buffer.from("\nGröße,2024-01-01\n", encoding);
      // The letter is cut in two.
      yield bytes.subarray(0, 4);
      yield bytes.subarray(4);
    }
    const found: string[] = [];
    let [length, last] = [0, ""];
    for await (const text of decodeText(chunks(), (notice) => found.push(notice))) {
      length += text.length;
      last += length > 800 * plain.length ? text : "";
    }
    assert.deepEqual([length - 800 * plain.length, last], [18, "\nGröße,2024-01-01\n"]);
    assert.deepEqual(found, notices);
  }
});

test("reads the time of day of another column, and the title of a campaign without a subject", async () => {
  const some = {
    ...choice,
    columns: new Map<EmailRecordField, string>([
      ["subject", "Subject"],
      ["sent_at", "Send Date"],
    ]),
  };
  const times: [cells: string, sentAt: string][] = [
    ["2024-07-03,14", "2024-07-03T12:00:00.000Z"],
    ["2024-07-03,14.0", "2024-07-03T12:00:00.000Z"],
    ["2024-07-03,2 PM", "2024-07-03T12:00:00.000Z"],
    ["2024-07-03,14:30", "2024-07-03T12:30:00.000Z"],
    ["2024-07-03,", "2024-07-02T22:00:00.000Z"],
    ["7/13/2024,9:05 am", "2024-07-13T07:05:00.000Z"],
    ["2024-07-03 16:00,14", "2024-07-03T14:00:00.000Z"],
    // Validation refuses it.
    ["2024-07-03,soon", "2024-07-03 soon"],
  ];
  for (const name of ["Send Hour", "send_time"]) {
    const rows = times.map(([cells]) => `,The title,${cells}\n`).join("");
    assert.deepEqual(
      await read(`Subject,Campaign Name,Send Date,${name}\n${rows}`, ["subject", "sent_at"], some),
      times.map(([, sentAt]) => ["The title", sentAt]),
    );
  }
});
