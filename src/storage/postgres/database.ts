// PostgreSQL: a pool of connections, transactions that are done again where that is safe, and what is relied upon.

import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import type { Database, DatabaseOptions, Queries, Retry } from "../database.ts";
import { pendingMigrations } from "../migrations/migrate.ts";
import type { Tables } from "../tables.ts";
import { connect } from "./connect.ts";
import { isTransient, OutcomeUnknown, toAppError } from "./failures.ts";
import { migratePostgres } from "./migrate.ts";
import { vacuumTables } from "./vacuum.ts";

/** In milliseconds. */
const bounds = {
  /** Twice it, and what a lost connection takes besides, is shorter than a client waits for its answer. */
  statement: 25_000,
  /** For another process that writes of the same organization. */
  lock: 20_000,
  idle: minuteMs,
  /**
   * For so long after the first failure work is begun again; and while the database is opened. What comes in from
   * outside is always done again: nobody may send it a second time, and primaries take half a minute to change.
   */
  again: { never: 0, beforeCommit: 10_000, idempotent: 30_000 },
  open: 5_000,
  /** Between attempts: the first, and the longest. */
  pauseMin: 20,
  pauseMax: 500,
};
const connectionsDefault = 10;
const oldestServer = 15;

/**
 * @throws Refusal when it cannot be reached, or is not what is relied upon: the version, the encoding, commits that wait
 *   for the disk, a server that can be written
 */
export async function openPostgresDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { hasNoTimeouts = false, connectionsMax = connectionsDefault } = options;
  const kysely = connect(url, connectionsMax, {
    statementMs: hasNoTimeouts ? 0 : bounds.statement,
    lockMs: bounds.lock,
    idleMs: hasNoTimeouts ? 0 : bounds.idle,
  });
  try {
    const check = () =>
      kysely
        .transaction()
        .setAccessMode("read only")
        .execute((queries) => checkServer(queries, options));
    await again(check, "beforeCommit", bounds.open).catch(refuseUnreachable);
    const isBehind = (await again(() => pendingMigrations(kysely, options), "beforeCommit")).length > 0;
    const migrated = isBehind ? await migratePostgres(url) : [];
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
    query: (work) => again(() => work(kysely), "beforeCommit"),
    snapshot: (work, mode = "beforeCommit") =>
      again(
        () =>
          kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
        mode,
      ),
    transaction: (work, mode = "beforeCommit") => again(() => kysely.transaction().execute(work), mode),
    // PostgreSQL looks after its space by itself (autovacuum).
    shrink: async () => true,
    wipe: async () => true,
    vacuum: () => vacuumTables(url),
    close: () => kysely.destroy(),
  };
}

/** Does work, and does it again after what passes by itself, where that changes nothing twice. */
async function again<Result>(
  work: () => Promise<Result>,
  mode: Retry,
  msMax: number = bounds.again[mode],
): Promise<Result> {
  let giveUpAt: number | undefined;
  for (let rest: number = bounds.pauseMin; ; rest = Math.min(2 * rest, bounds.pauseMax)) {
    try {
      return await work();
    } catch (error) {
      giveUpAt ??= performance.now() + msMax;
      const isSafe =
        error instanceof OutcomeUnknown ? mode === "idempotent" : mode !== "never" && isTransient(error);
      if (!isSafe || performance.now() > giveUpAt) throw toAppError(error);
    }
    // Those who were in each other's way do not meet again at the same moment.
    await pause(rest * (0.5 + Math.random()));
  }
}

/** A wrong password, a database that does not exist, a certificate that is not trusted: whoever opens it can mend that. */
function refuseUnreachable(error: unknown): never {
  if (error instanceof AppError && error.cause === undefined) throw error;
  const cause = error instanceof AppError ? error.cause : error;
  const { code } = cause as { code?: string };
  const [{ message }] = cause instanceof AggregateError ? cause.errors : [cause as Error];
  const said = /password must be a string/.test(message)
    ? "it asks for a password, and none was given: set PGPASSWORD, or use ~/.pgpass"
    : message;
  const isNamed = code === undefined || said.includes(code);
  throw new AppError("conflict", `PostgreSQL: ${said}${isNamed ? "" : ` (${code})`}`);
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
    throw new AppError("conflict", `PostgreSQL: ${message}`);
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
