// The table `leases`: elects one process for background work. It saves work but is not a lock: two processes may briefly
// hold the same lease.

import { sql } from "kysely";
import type { Queries } from "./database.ts";
import type { LeasesTable } from "./tables.ts";

/**
 * Acquires or renews a lease. PostgreSQL only, by the server's clock.
 *
 * @param holder a random name of the process
 * @param ms when the lease expires unless it is renewed
 * @returns whether the holder has the lease now
 */
export async function acquireLease(
  queries: Queries,
  { name, holder, ms }: Pick<LeasesTable, "name" | "holder"> & { ms: number },
): Promise<boolean> {
  const now = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
  const { rows } = await sql`
    insert into leases (name, holder, expires_at) values (${name}, ${holder}, ${now} + ${ms})
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at < ${now}
    returning holder`.execute(queries);
  return rows.length > 0;
}
