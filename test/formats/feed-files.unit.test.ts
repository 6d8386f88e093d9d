// The file formats of the feed: what other programs read from random records is what was written.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type FeedRecord, feedFieldNames, feedFields } from "../../src/campaign/feed/feed-fields.ts";
import { feedTables } from "../../src/campaign/feed/feed-tables.ts";
import { metricContract } from "../../src/campaign/feed/metric-contract.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";
import { fileFormatNames, fileFormats } from "../../src/formats/feed-files.ts";
import { anyFeedRecord, parquetMetadataOf, readCsvCells, readFeedFile } from "../support/feed-records.ts";
import { randomCases } from "../support/random-cases.ts";

const state = { timeZone: "Europe/Berlin", revision: 1_718_000_000_000 };

async function encode(format: keyof typeof fileFormats, batches: FeedRecord[][]): Promise<Uint8Array> {
  async function* given() {
    yield* batches;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of fileFormats[format].encode(feedTables.emails, given(), state)) pieces.push(piece);
  return Buffer.concat(pieces);
}

for (const format of fileFormatNames) {
  test(`writes ${format} from which another program reads the same records`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyFeedRecord, { maxLength: 4 }), { maxLength: 3 }),
        async (batches) => {
          assert.deepEqual(await readFeedFile(format, await encode(format, batches)), batches.flat());
        },
      ),
      { numRuns: randomCases(100) },
    );
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
  assert.deepEqual(
    [cell("id"), cell("subject"), cell("sent_from"), cell("tags"), cell("tag_names")],
    ["7", "", null, "a\\;b #4E79A7", ""],
  );
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
  assert.deepEqual(
    JSON.parse(pairs.get("email-analytics.metrics") ?? ""),
    JSON.parse(JSON.stringify(metricContract)),
  );
  assert.equal(pairs.get("email-analytics.time_zone"), "Europe/Berlin");
  assert.equal(pairs.get("email-analytics.revision"), "1718000000000");
});

test("writes Parquet in row groups, and a readable file without records", async () => {
  const batch = Array.from({ length: 900 }, (_, index) => ({ ...record, id: index + 1 }));
  const bytes = await encode("parquet", [batch, batch, batch, batch]);
  const { row_groups, num_rows } = parquetMetadataOf(bytes);
  assert.deepEqual(
    [row_groups.map((group) => Number(group.num_rows)), Number(num_rows)],
    [[2700, 900], 3600],
  );
  const ids = (await readFeedFile("parquet", bytes)).map(({ id }) => id);
  assert.deepEqual(
    ids,
    [batch, batch, batch, batch].flat().map(({ id }) => id),
  );
  assert.deepEqual(await readFeedFile("parquet", await encode("parquet", [])), []);
});
