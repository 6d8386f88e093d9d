// Finds damage that the database itself can see: in the structure of a SQLite file, or in pages of PostgreSQL.

import { sql } from "kysely";
import type { Queries } from "./database.ts";
import { isPostgres } from "./dialect-differences.ts";

/** How many problems SQLite lists before it stops. */
const maxProblems = 100;
/**
 * Damaged or unreadable pages of SQLite, and `data_corrupted` and `index_corrupted` of PostgreSQL. Its XX000 is any other
 * internal error, also of Citus.
 */
const damageCodes = /^(SQLITE_(CORRUPT|NOTADB|IOERR)|XX00[12]$)/;

/**
 * Looks for damage. SQLite reads the whole file. PostgreSQL only reports what its data checksums have found so far.
 *
 * @param isThorough whether SQLite also compares each index with its table, which takes several times as long
 * @returns the problems, as the database words them
 */
export async function findDamage(queries: Queries, isThorough: boolean): Promise<string[]> {
  try {
    return isPostgres(queries) ? await readChecksumFailures(queries) : await checkFile(queries, isThorough);
  } catch (error) {
    const problem = damageOf(error);
    if (problem === undefined) throw error;
    return [problem];
  }
}

/** What an error says about damage; undefined if it has another cause. */
export function damageOf(error: unknown): string | undefined {
  const { code = "", message } = error as { code?: string; message?: string };
  return damageCodes.test(code) ? `${message} (${code})` : undefined;
}

/** Whether the database has checksums of its pages, so that it notices damage when it reads them. */
export async function hasPageChecksums(queries: Queries): Promise<boolean> {
  if (!isPostgres(queries)) return false;
  const { rows } = await sql<{ setting: string }>`
    select current_setting('data_checksums') as setting`.execute(queries);
  return rows[0]?.setting === "on";
}

async function checkFile(queries: Queries, isThorough: boolean): Promise<string[]> {
  const check = isThorough ? "integrity_check" : "quick_check";
  const { rows } = await sql<Record<string, string>>`
    pragma ${sql.raw(`${check}(${maxProblems})`)}`.execute(queries);
  const problems = rows.flatMap((row) => Object.values(row));
  return problems.length === 1 && problems[0] === "ok" ? [] : problems;
}

async function readChecksumFailures(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ failures: number | null }>`
    select pg_stat_database.checksum_failures as failures from pg_stat_database
    where datname = current_database()`.execute(queries);
  const failures = rows[0]?.failures ?? 0;
  return failures > 0 ? [`PostgreSQL has read ${failures} pages with a wrong checksum`] : [];
}
