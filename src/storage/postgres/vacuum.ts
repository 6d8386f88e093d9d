// Rewrites every table of a PostgreSQL database, so that no deleted data is left.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { lockNotAvailable, toAppError } from "./failures.ts";
import { lockMs, retryEveryMs } from "./table-lock.ts";

/** The longest wait for a table that is always in use. */
const maxTableMs = minuteMs;

/**
 * @returns false if a table was always in use
 * @throws AppError `conflict` if another user owns a table
 */
export async function vacuumTables(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "email-analytics" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; isOwned: boolean }>(`
      select oid::regclass::text as name, pg_has_role(relowner, 'USAGE') as "isOwned"
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
    // PostgreSQL would skip the tables of other users with only a warning.
    const foreign = rows.find(({ isOwned }) => !isOwned);
    if (foreign) {
      throw new AppError(
        "conflict",
        `the table ${foreign.name} belongs to another user; run this as the owner of the tables`,
      );
    }
    await client.query(`set lock_timeout = ${lockMs}`);
    for (const { name } of rows) if (!(await rewriteTable(client, name))) return false;
    return true;
  } catch (error) {
    throw toAppError(error);
  } finally {
    await client.end();
  }
}

async function rewriteTable(client: pg.Client, name: string): Promise<boolean> {
  const giveUpAt = performance.now() + maxTableMs;
  for (; performance.now() < giveUpAt; await pause(retryEveryMs)) {
    try {
      await client.query(`vacuum full ${name}`);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    }
  }
  return false;
}
