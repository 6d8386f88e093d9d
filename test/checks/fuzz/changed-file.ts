// Files of campaigns with random changes: of their text, of the parts of a workbook, and of its bytes.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../support/histories.ts";
import { workbook, zip } from "../../support/xlsx.ts";
import { changeText } from "./random-text.ts";

const exportsFolder = join(import.meta.dirname, "../../support/exports");
const exported = globSync("*.csv", { cwd: exportsFolder }).map((name) =>
  readFileSync(join(exportsFolder, name), "utf8"),
);
const own =
  "id,subject,sent_at,recipient_count,tags\n1,One,2024-01-01,100,News #aabbcc;b\n2,Two,2/1/2024,80,\n";
const records = [1, 2, 3].map((id) => ({
  id,
  subject: `No. ${id}`,
  sent_at: "2024-01-01T09:00:00Z",
  tags: ["a"],
}));
const texts = [
  ...exported,
  own,
  own.replaceAll(",", ";"),
  own.replaceAll(",", "\t"),
  JSON.stringify(records),
  JSON.stringify({ meta: { page: 1 }, emails: records }, null, 1),
  records.map((record) => `${JSON.stringify(record)}\n`).join(""),
];

const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>open_rate</t></is></c></row>
<row r="2"><c r="A2" t="str"><v>Hello</v></c><c r="B2" s="1"><v>45817.9</v></c><c r="C2" s="2"><v>0.28</v></c></row><row r="3"/>
<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" s="4"><v>45818</v></c><c r="C4" t="e"><v>#N/A</v></c></row>`;

/** What means something in one of the formats. */
const tokens =
  `" "" , ; \t \n \r\n sep=, [ ] { } {"emails":[ ]} : \\ \\u00 < > </ /> <row> </row> <c> <si> <t> <v> <r> <!-- --> <![CDATA[ ]]> <?x ?> <!DOCTYPE &amp; &#x0; &#99999999; &x; r="XFD1048576" r="A" t="s" s="9999999" xmlns:x="y" 1e308 -1 9007199254740993`.split(
    " ",
  );

function changeBytes(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let changes = random.between(1, 8); changes > 0 && changed.length > 0; changes--) {
    changed[random.between(0, changed.length - 1)] = random.between(0, 255);
  }
  return random.chance(20) ? changed.subarray(0, random.between(0, changed.length)) : changed;
}

export function changedFile(random: Random): Buffer {
  if (random.chance(40)) {
    const text = Buffer.from(changeText(random, random.pick(texts), tokens));
    return random.chance(20) ? changeBytes(random, text) : text;
  }
  const parts: Record<string, string> = workbook(rows);
  const sizes: Record<string, number> = {};
  for (let changes = random.between(1, 3); changes > 0; changes--) {
    const name = random.pick(Object.keys(parts));
    const way = random.between(1, 20);
    if (way === 1) delete parts[name];
    else if (way === 2) sizes[name] = random.pick([0, 10, 100_000, 2 ** 31]);
    else parts[name] = changeText(random, parts[name] ?? "", tokens);
  }
  const book = zip(parts, sizes);
  return random.chance(25) ? changeBytes(random, book) : book;
}
