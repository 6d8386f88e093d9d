// Everything that a database has stored, as bytes that can be searched for what must not be there.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import type { Queries } from "../../src/storage/database.ts";
import type { World } from "./world.ts";

/**
 * By place: the files of a database of SQLite, and the tables of one of PostgreSQL. The files of that server belong to
 * whoever runs it, so only what a statement finds is looked at there.
 */
export async function storedBytes({ database, databaseUrl, folder }: World): Promise<Map<string, Buffer>> {
  const stored = databaseUrl.startsWith("sqlite:") ? filesIn(folder) : await database.snapshot(tablesOf);
  // So that no test looks into an empty place and is content.
  if (!stored.has("test.db") && !stored.has("organizations")) throw new Error(`no database in ${folder}`);
  return stored;
}

/** The places whose bytes hold a text. */
export async function placesWith(world: World, text: string): Promise<string[]> {
  return [...(await storedBytes(world))].filter(([, bytes]) => bytes.includes(text)).map(([place]) => place);
}

function filesIn(folder: string): Map<string, Buffer> {
  const names = globSync("test.db*", { cwd: folder });
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

async function tablesOf(queries: Queries): Promise<Map<string, Buffer>> {
  const stored = new Map<string, Buffer>();
  for (const { name } of await queries.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(queries);
    const values = rows.flatMap((row) => Object.values(row));
    stored.set(name, Buffer.concat(values.map(bytesOf)));
  }
  return stored;
}

/** What lies beside each other is kept apart, so that two values are not taken for one. */
function bytesOf(value: unknown): Buffer {
  return Buffer.concat([Buffer.isBuffer(value) ? value : Buffer.from(String(value)), Buffer.from("\n")]);
}

/** After a crash the file of SQLite has to be whole; PostgreSQL is not what crashed. */
export function checkFile({ databaseUrl, folder }: World): void {
  if (!databaseUrl.startsWith("sqlite:")) return;
  const sqlite = new Sqlite(join(folder, "test.db"));
  assert.equal(sqlite.pragma("integrity_check", { simple: true }), "ok");
  sqlite.close();
}
