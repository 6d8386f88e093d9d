// Runs migrations on a PostgreSQL database while other processes use it.

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE } from "kysely/migration";
import { AppError } from "../../errors.ts";
import { type MigrationTransaction, migrate } from "../migrations/migrate.ts";
import type { Migrations } from "../migrations/migrations.ts";
import type { Queries } from "../queries/queries.ts";
import { connect } from "./connect.ts";
import { isTransient, lockNotAvailable, toAppError } from "./failures.ts";
import { lockMs, retryEveryMs } from "./table-lock.ts";
import { dropAllViews, replaceAllViews } from "./views.ts";

/** The longest wait for another process that is migrating, or for tables that are always in use. */
const maxMigrationMs = 600_000;
/** A migration locks this table. Every role could take an advisory lock, but only writers one of a table. */
const lockTable = DEFAULT_MIGRATION_LOCK_TABLE;
/** PostgreSQL error codes: another process has the lock, or is about to create the table. */
const lockErrors = [lockNotAvailable, "23505", "42710", "42P07"];

/** PostgreSQL error codes: permission denied, and the error of the statement after it. */
const permissionErrors = ["42501", "25P02"];

/**
 * One process migrates at a time; the others poll until it is done.
 *
 * @param migrations default: those of this version
 * @returns the names of those that ran
 */
export async function migratePostgres(url: string, migrations?: Migrations): Promise<string[]> {
  const { kysely } = connect(url, 1, { statementMs: 0, lockMs, idleMs: 0 });
  const giveUpAt = performance.now() + maxMigrationMs;
  const transaction: MigrationTransaction = async (work) => {
    for (;;) {
      const isLate = performance.now() > giveUpAt;
      try {
        return await kysely.transaction().execute(async (queries) => {
          await lock(queries);
          return work(queries);
        });
      } catch (error) {
        const isInUse = error instanceof LockTaken || (error as { code?: string }).code === lockNotAvailable;
        if (isLate || (!isInUse && !isTransient(error))) throw error;
      }
      await pause(retryEveryMs);
    }
  };
  const changeViews = (change: (queries: Queries) => Promise<void>) =>
    transaction(async (queries) => {
      await change(queries);
      return [];
    });
  try {
    // If this is interrupted, the command `migrate` creates the views again.
    await changeViews(dropAllViews);
    const names = await migrate(transaction, migrations);
    await changeViews(replaceAllViews);
    return names;
  } catch (error) {
    throw toMigrationError(error);
  } finally {
    await kysely.destroy();
  }
}

class LockTaken extends AppError {
  constructor(cause: unknown) {
    super("unavailable", "another process is still migrating the database", cause);
  }
}

/** Locks until the end of the transaction, without blocking readers of the table, such as pg_dump. */
async function lock(queries: Queries): Promise<void> {
  try {
    const { rows } = await sql<{ isMissing: boolean }>`
      select pg_catalog.to_regclass(${lockTable}) is null as "isMissing"`.execute(queries);
    if (rows[0]?.isMissing) {
      // Creates the table as Kysely would.
      await sql`create table ${sql.table(lockTable)} (
        id varchar(255) not null primary key, is_locked integer not null default 0)`.execute(queries);
    }
    await sql`lock table ${sql.table(lockTable)} in exclusive mode nowait`.execute(queries);
  } catch (error) {
    throw lockErrors.includes((error as { code?: string }).code ?? "") ? new LockTaken(error) : error;
  }
}

function toMigrationError(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  if (!permissionErrors.includes(code)) return toAppError(error);
  return new AppError(
    "conflict",
    'the database needs a migration, and this user may not change its tables; run "email-analytics migrate" as their owner',
  );
}
