// Writes every table of a PostgreSQL database anew, one after the other, so that nothing of what was deleted is left.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { toAppError } from "./failures.ts";

/** A table in use is waited for so long at a time: whoever comes after us waits behind us. */
const lockMs = 1_000;
const pauseMs = 500;
/** For a table that is in use again and again. */
const patienceMs = minuteMs;
const inUse = "55P03";

/**
 * @returns whether it came to its end; a table that was never free holds it up
 * @throws Refusal `conflict` where the tables are another user's
 */
export async function vacuumTables(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "email-analytics" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; mine: boolean }>(`
      select oid::regclass::text as name, pg_has_role(relowner, 'USAGE') as mine
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`);
    // PostgreSQL leaves tables as they are that are another's, with no more than a warning.
    const foreign = rows.find(({ mine }) => !mine);
    if (foreign) {
      throw new AppError(
        "conflict",
        `the table ${foreign.name} is another user's; run it as the owner of the tables`,
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
  for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt; await pause(pauseMs)) {
    try {
      await client.query(`vacuum full ${name}`);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== inUse) throw error;
    }
  }
  return false;
}
