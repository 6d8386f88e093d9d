// Due tasks: closes campaigns after their counting period, and deletes quarantined events that expired.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { findOrganizationsWithCampaignsToClose } from "../../storage/campaigns/campaigns-to-close.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { lockOrganization } from "../../storage/organizations.ts";
import {
  deleteExpiredEvents,
  findOrganizationsWithExpired,
} from "../../storage/quarantine/delete-quarantined.ts";
import { closeDueCampaigns } from "../campaigns/close-campaigns.ts";

/** How long events are quarantined before they are deleted. */
export const quarantineDays = 30;

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const eventsPerTransaction = 1_000;

/**
 * Runs the due tasks of every organization. A failure in one organization does not stop the others.
 *
 * @param now milliseconds since 1970
 * @throws AggregateError of all failures
 */
export async function runDueTasks(database: Database, now: number): Promise<void> {
  const receivedBefore = now - quarantineDays * dayMs;
  const withDue = (queries: Queries) => findOrganizationsWithCampaignsToClose(queries, now);
  const withExpired = (queries: Queries) => findOrganizationsWithExpired(queries, receivedBefore);
  const errors = [
    ...(await runInEach(database, withDue, (queries, id) => closeDueCampaigns(queries, id, now))),
    ...(await runInEach(database, withExpired, async (queries, id) => {
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
  findOrganizations: (queries: Queries) => Promise<number[]>,
  run: (queries: Queries, organizationId: number) => Promise<boolean>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const id of await database.snapshot(findOrganizations)) {
    try {
      while (await database.transaction((queries) => run(queries, id)));
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
