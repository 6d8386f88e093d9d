// The list of all migrations. A released migration never changes; a later one is a file of its own, added at the end.

import { hash } from "node:crypto";
import { schema } from "./0001-schema.ts";

/** Returns the statements of a migration, on a PostgreSQL server or SQLite. */
type Migration = (isServer: boolean) => readonly string[];

/** Migrations by name, in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>;

export const migrations: Migrations = {
  "0001_schema": schema,
};

const hashes = new Map<Migration, string>();

/**
 * The hash of the statements for both databases: it differs between two versions of the program that create other tables.
 * Each connection compares it, so it is computed once.
 */
export function hashOf(migration: Migration): string {
  const text = hashes.get(migration) ?? hash("sha256", JSON.stringify([migration(false), migration(true)]));
  hashes.set(migration, text);
  return text;
}
