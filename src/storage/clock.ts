// The table `clock`: one row with the latest time that upkeep trusts.

import { dayMs } from "../campaign/calendar/durations.ts";
import type { Queries } from "./database.ts";
import { forUpdate } from "./dialect-differences.ts";

/** A clock that differs by more from the trusted time is wrong, or the service was off meanwhile. */
export const maxClockJumpMs = dayMs;

/** @returns milliseconds since 1970; undefined before the first upkeep */
export async function findTrustedTime(queries: Queries): Promise<number | undefined> {
  return (await selectTrustedTime(queries).executeTakeFirst())?.trusted_at;
}

/** Like {@link findTrustedTime}, and locks the row until the transaction ends. */
export async function lockTrustedTime(queries: Queries): Promise<number | undefined> {
  return (await forUpdate(queries, selectTrustedTime(queries)).executeTakeFirst())?.trusted_at;
}

export async function saveTrustedTime(queries: Queries, trustedAt: number): Promise<void> {
  await queries
    .insertInto("clock")
    .values({ name: "upkeep", trusted_at: trustedAt })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ trusted_at: trustedAt }))
    .execute();
}

/**
 * The time of arrival to store. A clock that is far behind must not make new rows look so old that upkeep deletes them.
 *
 * @param now time of arrival by the clock of the process
 */
export async function findArrivalTime(queries: Queries, now: number): Promise<number> {
  const trustedAt = await findTrustedTime(queries);
  return trustedAt !== undefined && trustedAt - now > maxClockJumpMs ? trustedAt : now;
}

function selectTrustedTime(queries: Queries) {
  return queries.selectFrom("clock").select("trusted_at").where("name", "=", "upkeep");
}
