// The table `leases`: which of several processes does what one of them does for all. It spares the others the work; that
// two never do it at the same time is not promised.

import { sql } from "kysely";
import type { Queries } from "./database.ts";
import type { LeasesTable } from "./tables.ts";

/**
 * Takes a lease, or extends it. For PostgreSQL, whose clock counts.
 *
 * @param holder a name that the process has made up
 * @param ms how long, should nothing more be heard of the holder
 * @returns whether the holder has it now
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
