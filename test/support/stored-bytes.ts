// Reads everything that a database stores, so that tests can search it for data that must not be stored.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import type { Queries } from "../../src/storage/queries/queries.ts";
import type { World } from "./world.ts";

/**
 * Bytes by location: the files of a SQLite database, or the rows of each PostgreSQL table (its files belong to the
 * server).
 */
export async function storedBytes({ database, databaseUrl, folder }: World): Promise<Map<string, Buffer>> {
  const stored = databaseUrl.startsWith("sqlite:") ? filesIn(folder) : await database.snapshot(tablesOf);
  // A search in the wrong place would always succeed.
  if (!stored.has("test.db") && !stored.has("organizations")) throw new Error(`no database in ${folder}`);
  return stored;
}

/** The locations that contain a text. */
export async function placesWith(world: World, text: string): Promise<string[]> {
  return [...(await storedBytes(world))].filter(([, bytes]) => bytes.includes(text)).map(([place]) => place);
}

function filesIn(folder: string): Map<string, Buffer> {
  const names = globSync("test.db*", { cwd: folder });
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

async function tablesOf(queries: Queries): Promise<Map<string, Buffer>> {
  const stored = new Map<string, Buffer>();
  const tables = await queries.introspection.getTables();
  // Citus has tables of its own in other schemas, and views.
  const own = tables.filter(({ schema, isView }) => !isView && (schema ?? "public") === "public");
  for (const { name } of own) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(queries);
    const values = rows.flatMap((row) => Object.values(row));
    stored.set(name, Buffer.concat(values.map(bytesOf)));
  }
  return stored;
}

/** Separates values with a line break, so that no text matches across two of them. */
function bytesOf(value: unknown): Buffer {
  return Buffer.concat([Buffer.isBuffer(value) ? value : Buffer.from(String(value)), Buffer.from("\n")]);
}

/** Checks the SQLite file after a crash of the program. PostgreSQL runs in another process. */
export function checkFile({ databaseUrl, folder }: World): void {
  if (!databaseUrl.startsWith("sqlite:")) return;
  const sqlite = new Sqlite(join(folder, "test.db"));
  assert.equal(sqlite.pragma("integrity_check", { simple: true }), "ok");
  sqlite.close();
}
