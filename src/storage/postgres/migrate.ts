// Brings a PostgreSQL database to the tables of this program, while others use it.

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { migrate } from "../migrations/migrate.ts";
import type { Migrations } from "../migrations/migrations.ts";
import { connect } from "./connect.ts";
import { isTransient, toAppError } from "./failures.ts";

/** A step waits no longer for those who use a table, and begins again: whoever comes after it waits behind it. */
const lockMs = 1_000;
/** Between two looks whether the table is free, or another process is done. */
const lookMs = 500;
/** For another process that migrates, and for tables that are never free. */
const migrationMs = 600_000;
/** Any number, the same in all versions of the program. */
const migrationLock = 5_291_137_402;

/** PostgreSQL: a lock was not to be had in time. */
const inUse = "55P03";
/** A statement that was not permitted, and the one after it. */
const [notPermitted, abortedBefore] = ["42501", "25P02"];

/**
 * One process migrates; the others look from time to time whether it is done. Whoever serves meanwhile waits no longer
 * than for a lock that is not to be had.
 *
 * @param migrations all of this version, unless a test gives others
 * @returns the names of the steps that were run
 */
export async function migratePostgres(url: string, migrations?: Migrations): Promise<string[]> {
  const migrating = connect(url, 1, { statementMs: 0, lockMs, idleMs: 0 });
  const giveUpAt = performance.now() + migrationMs;
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
        if (isLate) throw new AppError("unavailable", "another process is still migrating the database");
      } catch (error) {
        const isInUse = (error as { code?: string }).code === inUse;
        if (isLate || (!isInUse && !isTransient(error))) throw error;
      }
      await pause(lookMs);
    }
  };
  try {
    return await migrate(step, migrations);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== notPermitted && code !== abortedBefore) throw toAppError(error);
    throw new AppError(
      "conflict",
      'the tables of the database are not those of this version, and this user may not change them; run "email-analytics migrate" as their owner',
    );
  } finally {
    await migrating.destroy();
  }
}
