// A PostgreSQL database: a connection pool whose transactions are retried where that is safe.

import { type Kysely, sql } from "kysely";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { pendingMigrations } from "../migrations/migrate.ts";
import type { DatabaseOptions, UnscopedDatabase } from "../queries/database.ts";
import type { Tables } from "../tables/tables.ts";
import { checkSettings, describeServer, toConnectionError } from "./check-settings.ts";
import { connect } from "./connect.ts";
import { migratePostgres } from "./migrate.ts";
import { retry } from "./retry.ts";
import { vacuumTables } from "./vacuum.ts";

/** Twice this, plus detecting a lost connection, is shorter than a client waits for its response. */
const statementMs = 25_000;
/** How long to wait for another process that writes rows of the same organization. */
const lockMs = 20_000;
const idleMs = minuteMs;
const openRetryMs = 5_000;
const connectionsDefault = 10;

/** @throws AppError `conflict` if the server cannot be reached or its version, encoding or settings are unsafe */
export async function openPostgresDatabase(url: string, options: DatabaseOptions): Promise<UnscopedDatabase> {
  const { isCommand = false, mayPause = isCommand, maxConnections = connectionsDefault } = options;
  const timeouts = {
    statementMs: isCommand ? 0 : statementMs,
    lockMs,
    idleMs: mayPause ? 0 : idleMs,
  };
  const { kysely, count } = connect(url, maxConnections, timeouts);
  try {
    const check = () =>
      kysely
        .transaction()
        .setAccessMode("read only")
        .execute((queries) => checkSettings(queries, url, options));
    await retry(check, "beforeCommit", openRetryMs).catch((error: unknown) => {
      throw toConnectionError(error, url);
    });
    const place = describeServer(url);
    const pending = await retry(() => pendingMigrations(kysely, { ...options, place }), "beforeCommit");
    const migrated = pending.length > 0 ? await migratePostgres(url) : [];
    return toDatabase(url, kysely, { maxConnections, migrated, count });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
}

function toDatabase(
  url: string,
  kysely: Kysely<Tables>,
  {
    maxConnections,
    migrated,
    count,
  }: { maxConnections: number; migrated: string[]; count: ReturnType<typeof connect>["count"] },
): UnscopedDatabase {
  const snapshot = () => kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return {
    migrated,
    // Each transaction reports it: another server may be the primary by then.
    writeProblem: () => undefined,
    isShared: true,
    maxWriters: maxConnections,
    query: (work) => retry(() => work(kysely), "beforeCommit"),
    snapshot: (work, mode = "beforeCommit") => retry(() => snapshot().execute(work), mode),
    transaction: (work, mode = "beforeCommit") => retry(() => kysely.transaction().execute(work), mode),
    // Autovacuum does this.
    shrink: async () => true,
    wipe: async () => true,
    vacuum: () => vacuumTables(url),
    async measureUse() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) as bytes`.execute(kysely);
      return { bytes: rows[0]?.bytes ?? 0, connections: count() };
    },
    close: () => kysely.destroy(),
  };
}
