// The file formats of the feed: what other programs read from random records is what was written.

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import test from "node:test";
import fc from "fast-check";
import { type FeedRecord, feedFieldNames, feedFields } from "../../src/campaign/feed/feed-fields.ts";
import { feedTables } from "../../src/campaign/feed/feed-tables.ts";
import { metricContract } from "../../src/campaign/feed/metric-contract.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";
import { readXlsxRows } from "../../src/counting/import/xlsx/xlsx-rows.ts";
import { fileFormatNames, fileFormats } from "../../src/formats/feed-files.ts";
import { checkSheetRows } from "../../src/formats/xlsx.ts";
import {
  anyFeedRecord,
  parquetMetadataOf,
  readCsvCells,
  readFeedFile,
  readSheetCells,
} from "../support/feed-records.ts";
import { randomCases } from "../support/random-cases.ts";

const state = { timeZone: "Europe/Berlin", revision: 1_718_000_000_000 };

async function encode(
  format: keyof typeof fileFormats,
  batches: FeedRecord[][],
  { timeZone }: { timeZone: string } = state,
): Promise<Uint8Array> {
  async function* given() {
    yield* batches;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of fileFormats[format].encode(feedTables.emails, given(), { ...state, timeZone }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

for (const format of fileFormatNames) {
  test(`writes ${format} from which another program reads the same records`, async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(anyFeedRecord, { maxLength: 4 }), { maxLength: 3 }),
      async (batches) => {
        // A sheet has wall times, and an hour of the fall in Berlin has two instants.
        const bytes = await encode(format, batches, { timeZone: "UTC" });
        assert.deepEqual(await readFeedFile(format, bytes), batches.flat());
      },
    );
    await fc.assert(property, { numRuns: randomCases(100) });
  });
}

const [plain = assert.fail()] = fc.sample(anyFeedRecord, { numRuns: 1, seed: 1 });
const record: FeedRecord = { ...plain, id: 7, tags: [], tag_names: "", sent_from: null, subject: "" };

test("writes CSV with a header and CRLF, nothing for null, and quotes for empty text", async () => {
  const bytes = await encode("csv", [[{ ...record, tags: [{ name: "a;b", color: "#4E79A7" }] }]]);
  const text = new TextDecoder().decode(bytes);
  assert.equal(text.split("\r\n")[0], feedFieldNames.join(","));
  assert.ok(text.endsWith("\r\n"));
  const [, cells = []] = readCsvCells(bytes);
  const cell = (name: (typeof feedFieldNames)[number]) => cells[feedFieldNames.indexOf(name)];
  const found = [cell("id"), cell("subject"), cell("sent_from"), cell("tags"), cell("tag_names")];
  assert.deepEqual(found, ["7", "", null, "a\\;b #4E79A7", ""]);
});

test("writes Parquet with types, nullability, the metric contract, time zone and revision", async () => {
  const metadata = parquetMetadataOf(await encode("parquet", [[record]]));
  const [root, ...elements] = metadata.schema;
  assert.equal(root?.num_children, feedFieldNames.length);
  const columns = new Map(elements.map((element) => [element.name, element]));
  const types = feedFieldNames.map((name) => {
    const element = columns.get(name);
    const { type: logical, ...options } = element?.logical_type ?? { type: undefined };
    return [name, element?.type, logical, options, element?.repetition_type];
  });
  const expected = {
    integer: ["INT64", undefined, {}],
    number: ["DOUBLE", undefined, {}],
    string: ["BYTE_ARRAY", "STRING", {}],
    instant: ["INT64", "TIMESTAMP", { isAdjustedToUTC: true, unit: "MILLIS" }],
    date: ["INT32", "DATE", {}],
    tags: [undefined, "LIST", {}],
  };
  assert.deepEqual(
    types,
    feedFieldNames.map((name) => {
      const { type, nullMeans }: RecordField = feedFields[name];
      return [name, ...expected[type], nullMeans === undefined ? "REQUIRED" : "OPTIONAL"];
    }),
  );
  const pairs = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  const wanted = JSON.parse(JSON.stringify(metricContract));
  assert.deepEqual(JSON.parse(pairs.get("email-analytics.metrics") ?? ""), wanted);
  assert.equal(pairs.get("email-analytics.time_zone"), "Europe/Berlin");
  assert.equal(pairs.get("email-analytics.revision"), "1718000000000");
});

test("writes Parquet in row groups, and a readable file without records", async () => {
  const batch = Array.from({ length: 900 }, (_, index) => ({ ...record, id: index + 1 }));
  const bytes = await encode("parquet", [batch, batch, batch, batch]);
  const { row_groups, num_rows } = parquetMetadataOf(bytes);
  const found = [row_groups.map((group) => Number(group.num_rows)), Number(num_rows)];
  assert.deepEqual(found, [[2700, 900], 3600]);
  const ids = (await readFeedFile("parquet", bytes)).map(({ id }) => id);
  const expected = [batch, batch, batch, batch].flat().map(({ id }) => id);
  assert.deepEqual(ids, expected);
  assert.deepEqual(await readFeedFile("parquet", await encode("parquet", [])), []);
});

test("cuts what is too long for a cell of Excel, and no character in two", async () => {
  const cellOf = async (given: Partial<FeedRecord>, name: keyof FeedRecord) => {
    const rows = [];
    for await (const row of readXlsxRows(Readable.from([await encode("xlsx", [[{ ...record, ...given }]])])))
      rows.push(row);
    const [header, first] = rows as { cells: string[] }[];
    return first?.cells[header?.cells.indexOf(name) ?? -1] ?? "";
  };
  const long = "y".repeat(32_765);
  const tag = { name: "x".repeat(9_990), color: "#4E79A7" };
  const cases: [given: Partial<FeedRecord>, name: keyof FeedRecord, expected: string][] = [
    [{ subject: `${long}yy` }, "subject", `${long}yy`],
    [{ subject: `${long}yyy` }, "subject", `${long}y…`],
    [{ subject: `${long}😀y` }, "subject", `${long}…`],
    [{ subject: `${long}y😀` }, "subject", `${long}y…`],
    [{ organization_team: "&".repeat(40_000) }, "organization_team", `${"&".repeat(32_766)}…`],
    [{ tags: Array(4).fill(tag) }, "tags", Array(3).fill(`${tag.name} ${tag.color}`).join(";")],
    [{ tags: [{ ...tag, name: "x".repeat(33_000) }] }, "tags", ""],
  ];
  for (const [given, name, expected] of cases) {
    const cell = await cellOf(given, name);
    assert.ok(cell === expected, `${cell.length} characters, ending with ${cell.slice(-9)}`);
  }
});

test("writes Excel with wall times, percentages of the same value, text for formulas, and a fixed header", async () => {
  const given: FeedRecord = {
    ...record,
    subject: '=HYPERLINK("x")',
    sent_at: "2026-06-14T22:30:00.000Z",
    sent_on: "2026-06-15",
    open_rate: 0.5213,
    click_per_unique_open_rate: 31,
    unique_opens: 12,
    tags: [],
  };
  const bytes = await encode("xlsx", [[given]]);
  const cells = await readSheetCells(bytes);
  const column = (name: (typeof feedFieldNames)[number]) =>
    [...cells].find(([, { value }]) => value === name)?.[0].slice(0, -1) ?? "";
  const cell = (name: (typeof feedFieldNames)[number]) => cells.get(`${column(name)}2`);
  assert.deepEqual(cells.get("A1"), { style: "1", value: "id" });
  assert.deepEqual(
    [cell("subject"), cell("sent_from"), cell("tags"), cell("unique_opens")],
    [{ style: "0", value: '=HYPERLINK("x")' }, undefined, undefined, { style: "0", value: 12 }],
  );
  // June 15, 2026 is day 46188 of Excel, and 0:30 is a 48th of a day.
  assert.deepEqual(
    [cell("sent_at"), cell("sent_on")],
    [
      { style: "4", value: 46_188 + 1 / 48 },
      { style: "5", value: 46_188 },
    ],
  );
  assert.deepEqual(
    [cell("open_rate"), cell("click_per_unique_open_rate")],
    [
      { style: "2", value: 0.5213 },
      { style: "3", value: 31 },
    ],
  );
  async function* pieces() {
    yield bytes;
  }
  const rows: (readonly (string | null)[])[] = [];
  for await (const row of readXlsxRows(pieces())) rows.push("cells" in row ? row.cells : []);
  const shown = (name: string) => rows[1]?.[rows[0]?.indexOf(name) ?? -1];
  const found = [shown("sent_at"), shown("sent_on"), shown("open_rate"), shown("click_per_unique_open_rate")];
  assert.deepEqual(found, ["2026-06-15 00:30:00", "2026-06-15", "52.13%", "31"]);
});

test("refuses an Excel file with more rows than a sheet has", () => {
  checkSheetRows(1_048_575);
  assert.throws(() => checkSheetRows(1_048_576), /at most 1048575 rows/);
});
