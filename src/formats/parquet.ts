// Writes Parquet with the types of the feed fields. Memory is bounded by a row group, plus its entry in the footer.

import { zstdCompressSync } from "node:zlib";
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { wallTimeOf } from "../campaign/calendar/calendar-date.ts";
import { dayMs } from "../campaign/calendar/durations.ts";
import { type FeedField, type FeedRecord, feedFieldNames, feedFields } from "../campaign/feed/feed-fields.ts";
import type { FeedValues } from "../campaign/feed/feed-types.ts";
import type { RecordField } from "../campaign/record-fields.ts";

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/** Larger groups compress little better, and take more memory and longer until the first of them can be sent. */
const rowsPerGroup = 2_000;

/**
 * The columns with statistics: campaigns are in the order of time, so readers of some time can skip groups. The values of
 * other columns are alike in all groups, and statistics take CPU time, and memory until the end of the file.
 */
const searchedFields: ReadonlySet<FeedField> = new Set(["id", "sent_at", "sent_on", "updated_at"]);

/** @param metadata the key-value metadata of the file */
export async function* encodeParquet(
  batches: AsyncIterable<readonly FeedRecord[]>,
  metadata: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Only the threads of downloads need it.
  const parquet = await import("hyparquet-writer");
  const writer = new parquet.ByteWriter();
  const file = new parquet.ParquetWriter({
    writer,
    schema,
    codec: "ZSTD",
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: "email-analytics",
  });
  // The magic number: readers get their first bytes before the first group is full.
  yield takeBytes(writer);
  let group: FeedRecord[] = [];
  for await (const records of batches) {
    group.push(...records);
    if (group.length < rowsPerGroup) continue;
    yield writeGroup(file, writer, group);
    group = [];
  }
  if (group.length > 0) yield writeGroup(file, writer, group);
  file.finish();
  yield takeBytes(writer);
}

function writeGroup(
  file: ParquetWriter,
  writer: ByteWriter,
  records: readonly FeedRecord[],
): Uint8Array<ArrayBuffer> {
  const columnData = feedFieldNames.map((name) => {
    const convert = parquetTypes[feedFields[name].type].convert as ((value: unknown) => unknown) | undefined;
    const values: unknown[] = records.map((record) => record[name]);
    const data = convert ? values.map((value) => (value === null ? null : convert(value))) : values;
    // Nothing looks up single rows.
    return { name, data, offsetIndex: false, statistics: searchedFields.has(name) };
  });
  file.write({ columnData, rowGroupSize: records.length });
  return takeBytes(writer);
}

/** Takes the bytes that were written so far; the writer reuses its buffer. */
function takeBytes(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(writer.getBuffer());
  writer.index = 0;
  return bytes;
}

/** The schema elements of a type, and how a value of a feed record is stored (LogicalTypes.md of Apache Parquet). */
const parquetTypes: {
  [Type in keyof FeedValues]: {
    elements(name: string, repetition: "REQUIRED" | "OPTIONAL"): SchemaElement[];
    /** Missing if values are stored as they are. */
    convert?(value: FeedValues[Type]): unknown;
  };
} = {
  integer: { elements: leaf({ type: "INT64" }), convert: BigInt },
  number: { elements: leaf({ type: "DOUBLE" }) },
  string: { elements: leaf(utf8()) },
  instant: {
    elements: leaf({
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    }),
    convert: (value) => BigInt(Date.parse(value)),
  },
  date: {
    elements: leaf({ type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } }),
    convert: daysSince1970,
  },
  tags: {
    elements: (name, repetition) => [
      {
        name,
        repetition_type: repetition,
        num_children: 1,
        converted_type: "LIST",
        logical_type: { type: "LIST" },
      },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      { name: "element", repetition_type: "REQUIRED", num_children: 2 },
      { name: "name", repetition_type: "REQUIRED", ...utf8() },
      { name: "color", repetition_type: "REQUIRED", ...utf8() },
    ],
  },
};

function leaf(type: Omit<SchemaElement, "name" | "repetition_type">) {
  return (name: string, repetition: "REQUIRED" | "OPTIONAL"): SchemaElement[] => [
    { name, repetition_type: repetition, ...type },
  ];
}

function utf8() {
  return { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
}

function daysSince1970(date: string): number {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return wallTimeOf({ year, month, day }) / dayMs;
}

const schema: SchemaElement[] = [
  { name: "campaigns", num_children: feedFieldNames.length },
  ...feedFieldNames.flatMap((name) => {
    const field: RecordField = feedFields[name];
    return parquetTypes[field.type].elements(name, field.nullMeans === undefined ? "REQUIRED" : "OPTIONAL");
  }),
];
