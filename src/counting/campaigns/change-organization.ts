// Changes what all records of an organization show, and publishes them again in the same transaction.

import { AppError } from "../../errors.ts";
import { findCampaignIds, findCampaigns } from "../../storage/campaigns/campaigns.ts";
import {
  type Organization,
  type OrganizationChange,
  organizationOf,
  saveNewHistory,
  saveOrganization,
} from "../../storage/organizations/organizations.ts";
import { chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { releaseCampaignGroups } from "../campaign-groups.ts";
import { republish, republishAll } from "../publish.ts";
import { namelessMinimum, removeQuarantinedNames } from "./remove-names.ts";

/**
 * @param isUser a user of the web application, who cannot lower a minimum: with one of 1, each answer could be read
 * @throws AppError `not_found` if the organization does not exist; `bad_request` if a minimum is too low
 */
export async function changeOrganization(
  scope: Scope,
  change: OrganizationChange,
  now: number,
  isUser = false,
): Promise<void> {
  const before = await organizationOf(scope);
  change = { ...change, ...minimumsOf(before, change, isUser) };
  await saveOrganization(scope, change);
  if (change.persons === "refuse") await removeQuarantinedNames(scope, before);
  const hasNewSums = change.minAnswers !== undefined;
  if (hasNewSums || change.minGroup !== undefined) await releaseAllGroups(scope, now);
  const { timeZone, countedTraffic, minGroup } = change;
  if (hasNewSums || [timeZone, countedTraffic, minGroup].some((each) => each !== undefined))
    await republishAll(scope, now, hasNewSums);
}

/**
 * The minimums that an organization without persons needs. Upkeep removes the names of its campaigns.
 *
 * @throws AppError `bad_request` if it asks for lower ones
 */
function minimumsOf(before: Organization, change: OrganizationChange, isUser: boolean): OrganizationChange {
  const isNameless = (change.persons ?? before.persons) === "refuse";
  for (const [field, name] of [
    ["minAnswers", "minimum of answers"],
    ["minGroup", "minimum of recipients in a group"],
  ] as const) {
    const wanted = change[field];
    if (isUser && wanted !== undefined && wanted < before[field]) {
      throw new AppError("bad_request", `${name}: only a command can lower ${before[field]} to ${wanted}`);
    }
    if (!isNameless || wanted === undefined || wanted >= namelessMinimum) continue;
    const problem = `${wanted} is too low for an organization without persons`;
    throw new AppError("bad_request", `${name}: ${problem}; choose ${namelessMinimum} or more`);
  }
  if (change.persons !== "refuse") return {};
  const { minAnswers, minGroup } = { ...before, ...change };
  return {
    minAnswers: Math.max(minAnswers, namelessMinimum),
    minGroup: Math.max(minGroup, namelessMinimum),
  };
}

/** This many campaigns have some thousand groups. */
const campaignsPerQuery = 20;

/** Decides for all campaigns which of their groups are released, but shows no newer counts of recipients without names. */
async function releaseAllGroups(scope: Scope, now: number): Promise<void> {
  const organization = await organizationOf(scope);
  for (const some of chunks(await findCampaignIds(scope), campaignsPerQuery)) {
    const campaigns = await findCampaigns(scope, some);
    await releaseCampaignGroups(scope, organization, campaigns, { now, isDue: false });
  }
}

/**
 * Starts a new history of revisions: cursors of clients are refused, and every record counts as changed. After a backup
 * was restored, clients may know changes that the database does not have.
 */
export async function startNewHistory(scope: Scope, now: number): Promise<void> {
  await saveNewHistory(scope);
  await republish(scope, await findCampaignIds(scope), { now });
}
