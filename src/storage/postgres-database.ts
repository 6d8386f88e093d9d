// PostgreSQL: a pool of connections, transactions that are done again where that is safe, and what is relied upon.

import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { Refusal } from "../errors.ts";
import type { Again, Database, DatabaseOptions, Queries } from "./database.ts";
import { migrate, pendingMigrations } from "./migrations.ts";
import { asRefusal, isPassing, OutcomeUnknown } from "./postgres-failures.ts";
import { connectTo } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

/** In milliseconds. */
const bounds = {
  statement: 60_000,
  /** As long as writers of the embedded database wait for each other. */
  lock: 30_000,
  idle: 60_000,
  /** For so long work is begun again; and while the database is opened. */
  again: 10_000,
  open: 5_000,
  /** Between attempts: the first, and the longest. */
  pauseMin: 20,
  pauseMax: 500,
  /** A migration waits no longer for those who use a table, and begins again: whoever comes after it waits behind it. */
  migrationLock: 1_000,
  /** For another process that migrates, and for tables that are never free. */
  migration: 600_000,
};
const connectionsDefault = 10;
const oldestServer = 15;

/**
 * @throws Refusal when it cannot be reached, or is not what is relied upon: the version, the encoding, commits that wait
 *   for the disk, a server that can be written
 */
export async function openPostgresDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { isPatient = false, connectionsMax = connectionsDefault } = options;
  const kysely = connectTo(url, connectionsMax, {
    statementMs: isPatient ? 0 : bounds.statement,
    lockMs: bounds.lock,
    idleMs: isPatient ? 0 : bounds.idle,
  });
  try {
    const check = () => kysely.transaction().execute((queries) => checkServer(queries, options));
    await again(check, "undone", bounds.open);
    const migrated = await bringUpToDate(url, kysely);
    return toDatabase(url, kysely, { connectionsMax, migrated });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
}

function toDatabase(
  url: string,
  kysely: Kysely<Tables>,
  { connectionsMax, migrated }: { connectionsMax: number; migrated: string[] },
): Database {
  return {
    migrated,
    isShared: true,
    writersMax: connectionsMax,
    read: (work, mode = "undone") =>
      again(
        () =>
          kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
        mode,
      ),
    write: (work, mode = "undone") => again(() => kysely.transaction().execute(work), mode),
    // PostgreSQL looks after its space by itself (autovacuum).
    shrink: async () => true,
    wipe: async () => true,
    rewrite: () => rewriteTables(url),
    close: () => kysely.destroy(),
  };
}

/** Does work, and does it again after what passes by itself, where that changes nothing twice. */
async function again<Result>(
  work: () => Promise<Result>,
  mode: Again,
  msMax: number = bounds.again,
): Promise<Result> {
  const giveUpAt = performance.now() + msMax;
  for (let rest: number = bounds.pauseMin; ; rest = Math.min(2 * rest, bounds.pauseMax)) {
    try {
      return await work();
    } catch (error) {
      const isSafe =
        error instanceof OutcomeUnknown ? mode === "always" : mode !== "never" && isPassing(error);
      if (!isSafe || performance.now() > giveUpAt) throw asRefusal(error);
    }
    // Those who were in each other's way do not meet again at the same moment.
    await pause(rest * (0.5 + Math.random()));
  }
}

async function checkServer(
  queries: Queries,
  { allowsUnsafeCommits = false }: DatabaseOptions,
): Promise<void> {
  const { rows } = await sql<Record<"version" | "encoding" | "commit" | "fsync" | "recovering", string>>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as commit, current_setting('fsync') as fsync,
      case when pg_is_in_recovery() then 'yes' else 'no' end as recovering`.execute(queries);
  const [found] = rows;
  if (!found) return;
  const refuse = (message: string) => {
    throw new Refusal("conflict", `PostgreSQL: ${message}`);
  };
  const version = Math.floor(Number(found.version) / 10_000);
  if (version < oldestServer) refuse(`version ${version} is too old; ${oldestServer} or later is needed`);
  if (found.encoding !== "UTF8") {
    refuse(`the database is encoded in ${found.encoding}; make one with ENCODING 'UTF8'`);
  }
  if (found.recovering === "yes") {
    refuse("this server is a replica, which cannot be written; DATABASE_URL has to name the primary");
  }
  for (const [name, value] of [
    ["synchronous_commit", found.commit],
    ["fsync", found.fsync],
  ]) {
    if (value === "off" && !allowsUnsafeCommits) {
      refuse(
        `${name} is off, so what was answered as taken may be lost in a crash; turn it on, or set UNSAFE_COMMITS=allow`,
      );
    }
  }
}

/** Any number, the same in all versions of the program. */
const migrationLock = 5_291_137_402;

/** PostgreSQL: a lock was not to be had in time. */
const inUse = "55P03";

/** One process migrates; the others look from time to time whether it is done. Nobody holds up those who serve. */
async function bringUpToDate(url: string, kysely: Kysely<Tables>): Promise<string[]> {
  if ((await again(() => pendingMigrations(kysely), "undone")).length === 0) return [];
  const migrating = connectTo(url, 1, { statementMs: 0, lockMs: bounds.migrationLock, idleMs: 0 });
  const giveUpAt = performance.now() + bounds.migration;
  const step = async (work: (queries: Queries) => Promise<string[]>): Promise<string[]> => {
    for (;;) {
      const isLate = performance.now() > giveUpAt;
      try {
        const done = await migrating.transaction().execute(async (queries) => {
          const { rows } = await sql<{ mine: boolean }>`
            select pg_try_advisory_xact_lock(${migrationLock}) as mine`.execute(queries);
          return rows[0]?.mine ? work(queries) : undefined;
        });
        if (done) return done;
        if (isLate) throw new Refusal("unavailable", "another process is still migrating the database");
      } catch (error) {
        const isInUse = (error as { code?: string }).code === inUse;
        if (isLate || (!isInUse && !isPassing(error))) throw error;
      }
      await pause(bounds.pauseMax);
    }
  };
  try {
    return await migrate(step);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await migrating.destroy();
  }
}

/** Each table by itself; whoever uses it waits meanwhile. */
async function rewriteTables(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "email-analytics" });
  try {
    await client.connect();
    await client.query("vacuum full");
    return true;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    await client.end();
  }
}
