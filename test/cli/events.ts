// What the tests of counted campaigns share: events as they are sent, and what the database's files hold.

import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Tables } from "../../src/storage/tables.ts";
import type { World } from "../world.ts";

/** An open by the recipient of this number, of campaign 1 unless `more` says otherwise. */
export const open = (number: number, more: Record<string, unknown> = {}) => ({
  id: `e-${number}`,
  campaign_id: 1,
  recipient: `person-${number}@example.com`,
  type: "open",
  at: "2026-06-15T11:30:00Z",
  ...more,
});

export const click = (number: number, more: Record<string, unknown> = {}) =>
  open(number, { type: "click", url: "https://example.com/a", ...more });

/** Opens by so many recipients. */
export const opens = (count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => open(index + 1, more));

export const json = (row: Record<string, unknown> | undefined) => JSON.stringify(row);

/** The database's files whose bytes hold a text. */
export function filesWith(world: World, text: string): string[] {
  return databaseFiles(world).filter((file) => readFileSync(join(world.folder, file)).includes(text));
}

function databaseFiles(world: World): string[] {
  const files = globSync("test.db*", { cwd: world.folder });
  // So that no test looks into an empty folder and is content.
  if (!files.includes("test.db")) throw new Error(`no database in ${world.folder}`);
  return files;
}

/** Of all files of the database together. */
export function bytesOnDisk(world: World): number {
  const sizes = ["test.db", "test.db-wal"].map((file) => statSync(join(world.folder, file)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** How many rows a table has, of all organizations. */
export async function rowsIn(world: World, ...tables: (keyof Tables)[]): Promise<number[]> {
  return world.database.read(async (queries) => {
    const counts: number[] = [];
    for (const table of tables) {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        queries,
      );
      counts.push(rows[0]?.rows ?? -1);
    }
    return counts;
  });
}

/** Changes the database behind the program's back. */
export async function tamper(world: World, statement: string): Promise<void> {
  await world.database.write((queries) => sql.raw(statement).execute(queries));
}
