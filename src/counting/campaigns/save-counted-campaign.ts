// A counted campaign is registered, or what its sender tells of it changes; what was counted stays true.

import { isDeepStrictEqual } from "node:util";
import { type Campaign, compareTags, type Tag } from "../../campaign/campaign.ts";
import type { CountedCampaign } from "../../campaign/counted-campaign.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import { findCampaigns, namesOf, type StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import { findIdsOfExternalIds } from "../../storage/campaigns/counted-campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import { addLedger } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { summarizeQuarantine } from "../../storage/quarantine.ts";
import { readRecipients } from "../../storage/recipients.ts";
import { replay } from "../events/replay.ts";
import { publish } from "../publish.ts";
import { matchTags } from "./match-tags.ts";

/**
 * Events that waited for the campaign are counted in the same transaction.
 *
 * @throws Refusal `conflict` where its numbers were reported, its external id is another's, or what was counted would
 *   no longer be true
 */
export async function saveCountedCampaign(
  queries: Queries,
  organization: Organization,
  { campaign, externalId, tags: named }: CountedCampaign,
  now: number,
): Promise<"added" | "changed" | "unchanged"> {
  const { id: organizationId } = organization;
  const [known] = await findCampaigns(queries, organizationId, [campaign.id]);
  if (known) await refuseContradiction(queries, organizationId, known, campaign);
  await refuseTakenName(queries, organizationId, campaign.id, externalId);
  const tags = await matchTags(queries, { organizationId, named, uncolored: new Set(), now });
  const counting = known?.counting ?? {
    ledgerId: (await addLedger(queries, organizationId)).id,
    registeredAt: now,
    closedAt: null,
  };
  const after: StoredCampaign = {
    campaign,
    tags: named.map(({ name }) => tags.get(name) as Tag).sort(compareTags),
    numbers: known?.numbers ?? { counted: { people: emptyTally, all: emptyTally } },
    counting: { ...counting, externalId },
  };
  const before = known && { ...known, tags: known.tags.toSorted(compareTags) };
  if (isDeepStrictEqual(before, after)) return "unchanged";
  await publish(queries, organization, [{ before, after }], now);
  if (!known || campaign.sentAt < known.campaign.sentAt || externalId !== known.counting?.externalId) {
    await replay(queries, organization, { campaigns: namesOf(after) }, now);
  }
  return known ? "changed" : "added";
}

/** Under another tracking type, recipients who were counted would be others, or would have names. */
async function refuseContradiction(
  queries: Queries,
  organizationId: number,
  { campaign: before, counting }: StoredCampaign,
  after: Campaign,
): Promise<void> {
  const { id } = after;
  const refuse = (message: string) => {
    throw new AppError("conflict", message);
  };
  if (!counting) return refuse(`The numbers of campaign ${id} were imported; it cannot be counted as well.`);
  const numbers = { recipient_count: "recipientCount", surveys_count: "surveysCount" } as const;
  for (const [field, name] of Object.entries(numbers)) {
    if (counting.ledgerId !== null || before[name] === after[name]) continue;
    const stays = quote(before[name]);
    refuse(`${field}: campaign ${id} is closed and its numbers stand; it stays ${stays}.`);
  }
  if (before.trackingType === after.trackingType) return;
  const stays = quote(before.trackingType);
  if (counting.ledgerId === null) refuse(`tracking_type: campaign ${id} is closed; it stays ${stays}.`);
  const first = { ledgerId: counting.ledgerId ?? 0, after: "", limit: 1 };
  if ((await readRecipients(queries, organizationId, first)).length > 0) {
    refuse(`tracking_type: events of campaign ${id} have been counted; it stays ${stays}.`);
  }
  // What waits was kept as the tracking type asked for.
  const waiting = { campaigns: namesOf({ campaign: before, counting }) };
  if ((await summarizeQuarantine(queries, organizationId, waiting)).length > 0) {
    refuse(`tracking_type: events of campaign ${id} are set aside; discard them, or it stays ${stays}.`);
  }
}

async function refuseTakenName(
  queries: Queries,
  organizationId: number,
  id: number,
  externalId: string | null,
): Promise<void> {
  if (externalId === null) return;
  const owner = (await findIdsOfExternalIds(queries, organizationId, [externalId])).get(externalId);
  if (owner === undefined || owner === id) return;
  throw new AppError("conflict", `external_id: ${quote(externalId)} is that of campaign ${owner} already.`);
}
