// Due tasks: closes campaigns after their counting period, deletes quarantined events and entries of the audit log that
// expired, removes the names of organizations that refuse persons, and deletes files of imports after a day.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { findOrganizationsWithCampaignsToClose } from "../../storage/campaigns/campaigns-to-close.ts";
import { findOrganizationsWithNames } from "../../storage/campaigns/named-campaigns.ts";
import { findOrganizationsWithExpiredImports } from "../../storage/imports/imports.ts";
import { deleteOldActions, findOrganizationsWithOldActions } from "../../storage/organizations/audit-log.ts";
import {
  listOrganizations,
  lockOrganization,
  type Organization,
} from "../../storage/organizations/organizations.ts";
import {
  deleteQuarantined,
  findOrganizationsWithExpired,
} from "../../storage/quarantine/delete-quarantined.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { closeDueCampaigns } from "../campaigns/close-campaigns.ts";
import { removeNames } from "../campaigns/remove-names.ts";
import { deleteExpiredImport } from "../import/upload.ts";
import { runInParts } from "../run-in-parts.ts";

/** How long events are quarantined before they are deleted. */
const quarantineDays = 30;

/** A clock that is further ahead of the last change in the database may be wrong, and what it deletes is lost. */
const maxAheadMs = dayMs;

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const rowsPerTransaction = 1_000;

/**
 * Runs the due tasks of every organization. A failure in one organization does not stop the others.
 *
 * @param now milliseconds since 1970
 * @throws AggregateError of all failures
 * @throws AppError `conflict` if something is due, and the clock is too far ahead to be trusted
 */
export async function runDueTasks(database: Database, now: number): Promise<void> {
  const receivedBefore = now - quarantineDays * dayMs;
  const checkNow = () => checkClock(database, now);
  const withDue = (queries: Queries) => findOrganizationsWithCampaignsToClose(queries, now);
  const withExpired = (queries: Queries) => findOrganizationsWithExpired(queries, receivedBefore);
  // Signing in raises no revision, so the clock is compared with the entries. Without a new one, the old ones wait.
  const withOldActions = (queries: Queries) =>
    findOrganizationsWithOldActions(queries, { now, trustedSince: now - maxAheadMs });
  const errors = [
    ...(await runInEach(database, withOldActions, async (scope: Scope) => {
      const organization = await lockOrganization(scope);
      return !!organization && deleteOldActions(scope, organization, { now, limit: rowsPerTransaction });
    })),
    ...(await removeAllNames(database, now)),
    ...(await runInEach(
      database,
      (queries) => findOrganizationsWithExpiredImports(queries, now),
      (scope: Scope) => deleteExpiredImport(scope, now),
    )),
    ...(await runInEach(database, withDue, (scope: Scope) => closeDueCampaigns(scope, now), checkNow)),
    ...(await runInEach(
      database,
      withExpired,
      async (scope: Scope) => {
        await lockOrganization(scope);
        const expired = await deleteQuarantined(scope, { receivedBefore }, rowsPerTransaction);
        return expired === rowsPerTransaction;
      },
      checkNow,
    )),
  ];
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
}

/** Shrinks the database after that, so that the log of SQLite keeps no names either. @returns the errors */
async function removeAllNames(database: Database, now: number): Promise<unknown[]> {
  let isRenamed = false;
  const errors = await runInEach(database, findOrganizationsWithNames, async (scope: Scope) => {
    isRenamed = true;
    return removeNames(scope, now);
  });
  if (isRenamed) await database.shrink();
  return errors;
}

/**
 * Repeats a task in each organization until it is done.
 *
 * @param run returns whether there may be more to do
 * @param check runs first if an organization has something to do
 * @returns the errors
 */
async function runInEach(
  database: Database,
  findOrganizations: (queries: Queries) => Promise<number[]>,
  run: (scope: Scope) => Promise<boolean>,
  check: () => Promise<void> = async () => undefined,
): Promise<unknown[]> {
  const ids = await database.snapshot(findOrganizations);
  if (ids.length > 0) await check();
  const organizations = ids.map((organizationId) => ({ organizationId }));
  return runInParts(database, organizations, run);
}

/** A revision is at least the time of its change, so the newest one says when something was changed last. */
const lastChangeOf = (organizations: readonly Organization[]) =>
  Math.max(...organizations.map(({ revision }) => revision));

/** Whether what expires by this clock may be deleted. */
export const isTrusted = (now: number, organizations: readonly Organization[]) =>
  now - lastChangeOf(organizations) <= maxAheadMs;

async function checkClock(database: Database, now: number): Promise<void> {
  const organizations = await database.snapshot(listOrganizations);
  if (isTrusted(now, organizations)) return;
  const changedAt = lastChangeOf(organizations);
  const [clock, change] = [now, changedAt].map((time) => new Date(time).toISOString());
  throw new AppError(
    "conflict",
    `the clock says ${clock}, but the last change in the database was at ${change}, so nothing is closed or deleted; if the clock is wrong, correct it; if it is right, upkeep goes on after the next change`,
  );
}
