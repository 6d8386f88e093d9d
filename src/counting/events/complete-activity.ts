// Completes the hours and links of campaigns that were counted before these were kept: adds the clicks of their recipients,
// some at a time in the order of names. A recipient whose turn has not come yet is left out until then, so that nothing
// is ever taken away from where it was never added. (When somebody opened was not kept: those opens stay unknown.)

import { ActivityChange } from "../../campaign/events/activity-change.ts";
import type { Recipient } from "../../campaign/events/recipient.ts";
import { addToHours } from "../../storage/campaigns/campaign-hours.ts";
import { addToLinks } from "../../storage/campaigns/campaign-links.ts";
import type { Queries } from "../../storage/database.ts";
import {
  findCampaignOfLedger,
  findLedgers,
  findLedgerWithoutActivity,
  type Ledger,
  saveActivityAfter,
} from "../../storage/ledgers.ts";
import { lockOrganization, raiseRevision } from "../../storage/organizations.ts";
import { readRecipients } from "../../storage/recipients.ts";

/** So few that whoever waits behind them waits for some ten milliseconds. */
const recipientsAtOnce = 500;

/** Whether the clicks of a recipient are in the hours and links of the campaign. In the order of the database: by bytes. */
export function isInActivity({ activityAfter }: Pick<Ledger, "activityAfter">, name: string): boolean {
  return activityAfter === null || Buffer.compare(Buffer.from(name), Buffer.from(activityAfter)) <= 0;
}

/** @returns whether there is more to do at once */
export async function completeActivity(queries: Queries, now: number): Promise<boolean> {
  const found = await findLedgerWithoutActivity(queries);
  if (!found) return false;
  const { organizationId, id } = found;
  // Whoever came first may be further by now.
  await lockOrganization(queries, organizationId);
  const after = (await findLedgers(queries, organizationId, [id])).get(id)?.activityAfter ?? null;
  const campaignId = await findCampaignOfLedger(queries, organizationId, id);
  if (after === null) return true;
  if (campaignId === undefined) {
    await saveActivityAfter(queries, organizationId, { id, activityAfter: null });
    return true;
  }
  const page = { ledgerId: id, after, limit: recipientsAtOnce };
  const some = await readRecipients(queries, organizationId, page);
  const change = new ActivityChange(campaignId);
  for (const { done } of some) change.addClicks(done, 1);
  await save(queries, organizationId, change);
  const isLast = some.length < recipientsAtOnce;
  await saveActivityAfter(queries, organizationId, {
    id,
    activityAfter: isLast ? null : (some.at(-1)?.name ?? after),
  });
  // What people see changes; only here, so that pages are not made anew all the time.
  if (isLast) await raiseRevision(queries, organizationId, now);
  return true;
}

/** For a recipient that takes another name, and may be before its turn with it, or behind. */
export async function renameInActivity(
  queries: Queries,
  organizationId: number,
  ledger: Pick<Ledger, "activityAfter"> & { campaignId: number },
  { name, newName, done }: { name: string; newName: string; done: Recipient },
): Promise<void> {
  const [before, after] = [isInActivity(ledger, name), isInActivity(ledger, newName)];
  if (before === after) return;
  const change = new ActivityChange(ledger.campaignId);
  change.addClicks(done, after ? 1 : -1);
  await save(queries, organizationId, change);
}

async function save(queries: Queries, organizationId: number, change: ActivityChange): Promise<void> {
  await addToHours(queries, organizationId, [change]);
  await addToLinks(queries, organizationId, change.links());
}
