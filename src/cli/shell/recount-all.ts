// Recounts all counted campaigns, or those of one organization.

import { commandLine } from "../../access/audit-actions.ts";
import { type Drift, recountCampaign } from "../../counting/tallies/recount.ts";
import { findOpenLedgers } from "../../storage/ledgers/ledgers.ts";
import { UnreadableRecipient } from "../../storage/ledgers/recipients.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import {
  findOrganization,
  listOrganizations,
  lockOrganization,
} from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { Scope } from "../../storage/queries/scope.ts";
import type { ProgressBar } from "./progress-bar.ts";
import { requireOrganization } from "./shell.ts";

type FoundDrift = Drift & { organization: number };

export interface Recounted {
  /** How many campaigns were recounted. */
  campaigns: number;
  drifts: FoundDrift[];
  /** The first recipient of each campaign that cannot be read. */
  unreadable: { organization: number; campaign: number; recipient: number }[];
}

/** One transaction for each campaign, so that writers do not wait for all of them, and damage in one hides no other. */
export async function recountAll(
  database: Database,
  bar: ProgressBar,
  { only, isRepaired, now }: { only: number | undefined; isRepaired: boolean; now: () => number },
): Promise<Recounted> {
  const organizations = await database.snapshot(async (queries) =>
    only === undefined ? listOrganizations(queries) : [await requireOrganization(new Scope(queries, only))],
  );
  const recounted: Recounted = { campaigns: 0, drifts: [], unreadable: [] };
  try {
    for (const { id } of organizations) {
      const open = await database.snapshotOf(id, findOpenLedgers);
      for (const [index, { campaignId }] of open.entries()) {
        const name = `organization ${id}, campaign ${campaignId}`;
        bar.show(index / open.length, name);
        const options = { organizationId: id, campaignId, isRepaired, now: now() };
        const drifts = await recountOne(database, options);
        if (Array.isArray(drifts)) recounted.drifts.push(...drifts);
        else
          recounted.unreadable.push({ organization: id, campaign: campaignId, recipient: drifts.position });
      }
      recounted.campaigns += open.length;
    }
  } finally {
    bar.clear();
  }
  return recounted;
}

/** @returns the numbers that have drifted, none if the organization was deleted; or that a recipient cannot be read */
async function recountOne(
  database: Database,
  {
    organizationId,
    campaignId,
    isRepaired,
    now,
  }: { organizationId: number; campaignId: number; isRepaired: boolean; now: number },
): Promise<FoundDrift[] | UnreadableRecipient> {
  const recount = (repair: boolean) => async (scope: Scope) => {
    const organization = await (repair ? lockOrganization : findOrganization)(scope);
    if (!organization) return [];
    const drifts = await recountCampaign(scope, organization, campaignId, { isRepaired: repair, now });
    if (repair && drifts.length > 0) {
      const entry = { action: "numbers.repair", target: `campaign ${campaignId}` } as const;
      await recordAction(scope, { at: now, actor: commandLine, ...entry });
    }
    return drifts;
  };
  try {
    let found = await database.snapshotOf(organizationId, recount(false));
    // Only a campaign that needs a repair is locked.
    if (isRepaired && found.length > 0) found = await database.transactionOf(organizationId, recount(true));
    return found.map((drift) => ({ organization: organizationId, ...drift }));
  } catch (error) {
    if (error instanceof UnreadableRecipient) return error;
    throw error;
  }
}
