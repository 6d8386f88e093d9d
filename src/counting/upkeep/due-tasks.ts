// Due tasks: closes campaigns after their counting period, and deletes quarantined events that expired.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { findOrganizationsWithCampaignsToClose } from "../../storage/campaigns/campaigns-to-close.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { listOrganizations, lockOrganization } from "../../storage/organizations.ts";
import {
  deleteExpiredEvents,
  findOrganizationsWithExpired,
} from "../../storage/quarantine/delete-quarantined.ts";
import { closeDueCampaigns } from "../campaigns/close-campaigns.ts";

/** How long events are quarantined before they are deleted. */
export const quarantineDays = 30;

/** A clock that is further ahead of the last change in the database may be wrong, and what it deletes is lost. */
const maxAheadMs = dayMs;

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const eventsPerTransaction = 1_000;

/**
 * Runs the due tasks of every organization. A failure in one organization does not stop the others.
 *
 * @param now milliseconds since 1970
 * @throws AggregateError of all failures
 * @throws AppError `conflict` if something is due, and the clock is too far ahead to be trusted
 */
export async function runDueTasks(database: Database, now: number): Promise<void> {
  const receivedBefore = now - quarantineDays * dayMs;
  const withDue = (queries: Queries) => findOrganizationsWithCampaignsToClose(queries, now);
  const withExpired = (queries: Queries) => findOrganizationsWithExpired(queries, receivedBefore);
  const errors = [
    ...(await runInEach(database, now, withDue, (queries, id) => closeDueCampaigns(queries, id, now))),
    ...(await runInEach(database, now, withExpired, async (queries, id) => {
      await lockOrganization(queries, id);
      return deleteExpiredEvents(queries, id, { receivedBefore, limit: eventsPerTransaction });
    })),
  ];
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
}

/**
 * Repeats a task in each organization until it is done.
 *
 * @param run returns whether there may be more to do
 * @returns the errors
 */
async function runInEach(
  database: Database,
  now: number,
  findOrganizations: (queries: Queries) => Promise<number[]>,
  run: (queries: Queries, organizationId: number) => Promise<boolean>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const ids = await database.snapshot(findOrganizations);
  if (ids.length > 0) await checkClock(database, now);
  for (const id of ids) {
    try {
      while (await database.transaction((queries) => run(queries, id)));
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

/** A revision is at least the time of its change, so the newest one says when something was changed last. */
async function checkClock(database: Database, now: number): Promise<void> {
  const organizations = await database.snapshot(listOrganizations);
  const changedAt = Math.max(...organizations.map(({ revision }) => revision));
  if (now - changedAt <= maxAheadMs) return;
  const [clock, change] = [now, changedAt].map((time) => new Date(time).toISOString());
  throw new AppError(
    "conflict",
    `the clock says ${clock}, but the last change in the database was at ${change}, so nothing is closed or deleted; if the clock is wrong, correct it; if it is right, upkeep goes on after the next change`,
  );
}
