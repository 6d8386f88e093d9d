// Runs migrations on a PostgreSQL database while other processes use it.

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { type MigrationTransaction, migrate } from "../migrations/migrate.ts";
import type { Migrations } from "../migrations/migrations.ts";
import { connect } from "./connect.ts";
import { isTransient, lockNotAvailable, toAppError } from "./failures.ts";
import { lockMs, retryEveryMs } from "./table-lock.ts";
import { dropAllViews, replaceAllViews } from "./views.ts";

/** For another process that is migrating, or for tables that are always in use. */
const maxMigrationMs = 600_000;
/** An arbitrary number, the same in all versions of the program. */
const advisoryLock = 5_291_137_402;

/** PostgreSQL error codes: permission denied, and the error of the statement after it. */
const permissionErrors = ["42501", "25P02"];

/**
 * One process migrates at a time; the others poll until it is done.
 *
 * @param migrations default: those of this version
 * @returns the names of those that ran
 */
export async function migratePostgres(url: string, migrations?: Migrations): Promise<string[]> {
  const kysely = connect(url, 1, { statementMs: 0, lockMs, idleMs: 0 });
  const giveUpAt = performance.now() + maxMigrationMs;
  const transaction: MigrationTransaction = async (work) => {
    for (;;) {
      const isLate = performance.now() > giveUpAt;
      try {
        const names = await kysely.transaction().execute(async (queries) => {
          const { rows } = await sql<{ isLocked: boolean }>`
            select pg_try_advisory_xact_lock(${advisoryLock}) as "isLocked"`.execute(queries);
          return rows[0]?.isLocked ? work(queries) : undefined;
        });
        if (names) return names;
        if (isLate) throw new AppError("unavailable", "another process is still migrating the database");
      } catch (error) {
        const isInUse = (error as { code?: string }).code === lockNotAvailable;
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

function toMigrationError(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  if (!permissionErrors.includes(code)) return toAppError(error);
  return new AppError(
    "conflict",
    'the database needs a migration, and this user may not change its tables; run "email-analytics migrate" as their owner',
  );
}
