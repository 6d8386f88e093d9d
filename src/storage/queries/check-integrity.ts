// What the database itself can say: its version, and damage in the structure of a SQLite file, or in pages of PostgreSQL.

import { sql } from "kysely";
import { isPostgres } from "./dialect-differences.ts";
import type { Queries } from "./queries.ts";

/** How many problems SQLite lists before it stops. */
const maxProblems = 100;

/**
 * SQLite reads every page, and sees a changed value only if an index or a constraint disagrees. PostgreSQL only reports what
 * its data checksums have found so far.
 *
 * @param check `quick_check` does not compare indexes with their tables
 * @returns the problems, as the database words them
 */
export async function checkIntegrity(
  queries: Queries,
  check: "integrity_check" | "quick_check" = "integrity_check",
): Promise<string[]> {
  if (isPostgres(queries)) return readChecksumFailures(queries);
  const { rows } = await sql<Record<string, string>>`
    pragma ${sql.raw(`${check}(${maxProblems})`)}`.execute(queries);
  const problems = rows.flatMap((row) => Object.values(row));
  return problems.length === 1 && problems[0] === "ok" ? [] : problems;
}

/** `SQLite 3.51.3` or `PostgreSQL 18.1`. */
export async function readVersion(queries: Queries): Promise<string> {
  const [name, version] = isPostgres(queries)
    ? ["PostgreSQL", sql<string>`current_setting('server_version')`]
    : ["SQLite", sql<string>`sqlite_version()`];
  const { rows } = await sql<{ version: string }>`select ${version} as version`.execute(queries);
  return `${name} ${rows[0]?.version}`;
}

async function readChecksumFailures(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ failures: number | null }>`
    select pg_stat_database.checksum_failures as failures from pg_stat_database
    where datname = current_database()`.execute(queries);
  const failures = rows[0]?.failures ?? 0;
  return failures > 0
    ? [
        `PostgreSQL has read ${failures} pages with a wrong checksum; its log names their files, of which those that end with _fsm are rebuilt after a power cut and need no backup`,
      ]
    : [];
}
