// The table `leases`: elects one process for background work. It saves work but is not a lock: two processes may briefly
// hold the same lease. The lease `backup` expires when the next backup is due.

import { sql } from "kysely";
import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../queries/queries.ts";
import type { Tables } from "../tables/tables.ts";

/**
 * Acquires or renews a lease. PostgreSQL only, by the server's clock.
 *
 * @param holder a random name of the process
 * @param ms when the lease expires unless it is renewed
 * @returns whether the holder has the lease now
 */
export async function acquireLease(
  queries: Queries,
  { name, holder, ms }: Pick<Tables["leases"], "name" | "holder"> & { ms: number },
): Promise<boolean> {
  const now = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
  const { rows } = await sql`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${now} + ${ms})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at < ${now}
    returning holder`.execute(queries);
  return rows.length > 0;
}

const backupLeaseMs = 7 * dayMs;

/** What operators do again and again: `backup`, and `rehearse` with a backup. */
type Exercise = "backup" | "restore_test";

/** Saves that a backup was made, which is enough for a week, or that one was proved. */
export async function saveBackupTime(
  queries: Queries,
  now: number,
  name: Exercise = "backup",
): Promise<void> {
  await sql`
    insert into leases (name, holder, expires_at) values (${name}, '', ${now + backupLeaseMs})
    on conflict (name) do update set expires_at = excluded.expires_at`.execute(queries);
}

/** When the last backup was made, and when the next one is due; undefined if none was made. The same for proofs. */
export async function findBackupTimes(
  queries: Queries,
  name: Exercise = "backup",
): Promise<{ madeAt: number; dueAt: number } | undefined> {
  const { rows } = await sql<{ dueAt: number }>`
    select expires_at as "dueAt" from leases where name = ${name}`.execute(queries);
  const [found] = rows;
  return found && { madeAt: found.dueAt - backupLeaseMs, dueAt: found.dueAt };
}
