// Reads a download with DuckDB, a reader that shares nothing with our encoders.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import {
  type FeedField,
  type FeedRecord,
  feedFieldNames,
  feedFields,
} from "../../../src/campaign/feed/feed-fields.ts";
import type { FeedValues } from "../../../src/campaign/feed/feed-types.ts";
import { readTags } from "../../support/feed-records.ts";

const types: Record<keyof FeedValues, string> = {
  integer: "BIGINT",
  number: "DOUBLE",
  string: "VARCHAR",
  instant: "TIMESTAMP WITH TIME ZONE",
  date: "DATE",
  tags: 'STRUCT("name" VARCHAR, color VARCHAR)[]',
};

/** Excel files need an extension of DuckDB, which the tests cannot load. */
export const duckDbFormats = ["csv", "ndjson", "parquet"] as const;
type DuckDbFormat = (typeof duckDbFormats)[number];

let opened: Promise<DuckDBConnection> | undefined;

/**
 * The records of a file. DuckDB guesses the types of CSV and NDJSON, so it is given those of the table.
 *
 * @throws AssertionError if a Parquet file has other types
 */
export async function readWithDuckDb(format: DuckDbFormat, bytes: Uint8Array): Promise<FeedRecord[]> {
  opened ??= DuckDBInstance.create(":memory:").then((instance) => instance.connect());
  const connection = await opened;
  const folder = mkdtempSync(join(tmpdir(), "email-analytics-duckdb-"));
  try {
    const file = join(folder, `emails.${format}`);
    writeFileSync(file, bytes);
    const source = sources[format](file);
    if (format === "parquet") await checkTypes(connection, source);
    const reader = await connection.runAndReadAll(`select ${columns} from ${source}`);
    return reader.getRowObjectsJS().map((row) => toRecord(format, row));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const columnsOf = (tags: string) =>
  `{${feedFieldNames.map((name) => `${name}: '${name === "tags" ? tags : typeOf(name)}'`).join(", ")}}`;
const typeOf = (name: FeedField) => types[feedFields[name].type];

const sources: Record<DuckDbFormat, (file: string) => string> = {
  csv: (file) =>
    `read_csv('${file}', header = true, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n',
      nullstr = '', allow_quoted_nulls = false, auto_detect = false, columns = ${columnsOf("VARCHAR")})`,
  ndjson: (file) => `read_json('${file}', format = 'newline_delimited', columns = ${columnsOf(types.tags)})`,
  parquet: (file) => `read_parquet('${file}')`,
};

async function checkTypes(connection: DuckDBConnection, source: string): Promise<void> {
  const reader = await connection.runAndReadAll(`describe select * from ${source}`);
  assert.deepEqual(
    reader.getRowObjectsJS().map((row) => [row.column_name, row.column_type]),
    feedFieldNames.map((name) => [name, typeOf(name)]),
  );
}

/** Instants as milliseconds and dates as text, which need no conversion by the driver. */
const columns = feedFieldNames
  .map((name) => {
    const { type } = feedFields[name];
    if (type === "instant") return `epoch_ms(${name}) as ${name}`;
    return type === "date" ? `${name}::varchar as ${name}` : name;
  })
  .join(", ");

function toRecord(format: DuckDbFormat, row: Record<string, unknown>): FeedRecord {
  const entries = feedFieldNames.map((name) => {
    const value = row[name];
    const { type } = feedFields[name];
    if (type === "tags" && format === "csv") return [name, readTags((value as string | null) ?? "")];
    if (value === null) return [name, null];
    if (type === "instant") return [name, new Date(Number(value)).toISOString()];
    return [name, type === "integer" ? Number(value) : value];
  });
  return Object.fromEntries(entries) as FeedRecord;
}
