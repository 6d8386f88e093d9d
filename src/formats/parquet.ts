// Writes Parquet with the types of the fields of a feed table. Memory is bounded by a row group, plus its entry in the footer.

import { zstdCompressSync } from "node:zlib";
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { wallTimeOf } from "../campaign/calendar/calendar-date.ts";
import { dayMs } from "../campaign/calendar/durations.ts";
import type { FeedRow, FeedTable } from "../campaign/feed/feed-tables.ts";
import type { FeedValues } from "../campaign/feed/feed-types.ts";

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/** Larger groups compress little better, and take more memory and longer until the first of them can be sent. */
const rowsPerGroup = 2_000;

/**
 * The columns with statistics: rows are in the order of time or of campaigns, so readers of some of them can skip groups.
 * The values of other columns are alike in all groups, and statistics take CPU time, and memory until the end of the file.
 */
const searchedFields: ReadonlySet<string> = new Set(["id", "email_id", "sent_at", "sent_on", "updated_at"]);

/** @param metadata the key-value metadata of the file */
export async function* encodeParquet(
  table: FeedTable,
  batches: AsyncIterable<readonly FeedRow[]>,
  metadata: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Only the threads of downloads need it.
  const parquet = await import("hyparquet-writer");
  const writer = new parquet.ByteWriter();
  const file = new parquet.ParquetWriter({
    writer,
    schema: schemaOf(table),
    codec: "ZSTD",
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: "email-analytics",
  });
  // The magic number: readers get their first bytes before the first group is full.
  yield takeBytes(writer);
  let group: FeedRow[] = [];
  for await (const rows of batches) {
    group.push(...rows);
    if (group.length < rowsPerGroup) continue;
    writeGroup(file, table, group);
    yield takeBytes(writer);
    group = [];
  }
  if (group.length > 0) writeGroup(file, table, group);
  file.finish();
  yield takeBytes(writer);
}

function writeGroup(file: ParquetWriter, { fields }: FeedTable, rows: readonly FeedRow[]): void {
  const columnData = Object.entries(fields).map(([name, { type }]) => {
    const convert = parquetTypes[type].convert as ((value: unknown) => unknown) | undefined;
    const values = rows.map((row) => row[name]);
    const data = convert ? values.map((value) => (value === null ? null : convert(value))) : values;
    // Nothing looks up single rows.
    return { name, data, offsetIndex: false, statistics: searchedFields.has(name) };
  });
  file.write({ columnData, rowGroupSize: rows.length });
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

function schemaOf({ row, fields }: FeedTable): SchemaElement[] {
  const columns = Object.entries(fields);
  return [
    { name: row, num_children: columns.length },
    ...columns.flatMap(([name, { type, nullMeans }]) =>
      parquetTypes[type].elements(name, nullMeans === undefined ? "REQUIRED" : "OPTIONAL"),
    ),
  ];
}
