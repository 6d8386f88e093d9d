// What campaigns count by group, and the copy of it that readers see.

import { isDeepStrictEqual } from "node:util";
import { type CopiedGroup, copyGroups, nextCopy, withhold } from "../campaign/audience/copy-groups.ts";
import type { CountedGroups } from "../campaign/audience/group-counts.ts";
import { hasNames, minRatingsOf } from "../campaign/release-answers.ts";
import {
  addToCampaignGroups,
  deleteCampaignGroups,
  findCampaignGroups,
} from "../storage/audience/campaign-groups.ts";
import { addToOverlaps, findOverlaps } from "../storage/audience/campaign-overlaps.ts";
import { findCopies, replaceCopies } from "../storage/audience/released-groups.ts";
import { hasSettled, type StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import { chunks, type Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

type GroupedCampaign = Pick<StoredCampaign, "campaign" | "counting">;

/** So many campaigns have some thousand groups. */
const campaignsPerQuery = 20;

/**
 * Copies for readers what campaigns count by group. The caller raises the revision.
 *
 * @param options.isDue false only withholds what may not be seen any more in campaigns whose recipients have no names
 * @returns whether a copy changed
 */
export async function releaseCampaignGroups(
  queries: Queries,
  organization: Organization,
  campaigns: readonly GroupedCampaign[],
  options: { now: number; isDue: boolean },
): Promise<boolean> {
  const grouped = campaigns.filter(({ counting }) => counting?.attributeIds.length);
  let hasChanged = false;
  for (const some of chunks(grouped, campaignsPerQuery)) {
    if (await releaseSome(queries, organization, some, options)) hasChanged = true;
  }
  return hasChanged;
}

async function releaseSome(
  queries: Queries,
  { id: organizationId, minGroup, minAnswers }: Organization,
  campaigns: readonly GroupedCampaign[],
  { now, isDue }: { now: number; isDue: boolean },
): Promise<boolean> {
  const ids = campaigns.map(({ campaign }) => campaign.id);
  const groups = byCampaign(await findCampaignGroups(queries, organizationId, ids));
  const overlaps = byCampaign(await findOverlaps(queries, organizationId, ids));
  const copies = byCampaign(await findCopies(queries, organizationId, ids));
  const changed = new Map<number, readonly CopiedGroup[]>();
  for (const { campaign } of campaigns) {
    const live = { groups: groups.get(campaign.id) ?? [], overlaps: overlaps.get(campaign.id) ?? [] };
    const copy = copies.get(campaign.id) ?? [];
    const limits = { minGroup, minRatings: minRatingsOf(campaign, minAnswers) };
    const fresh = copyGroups(live, limits, now);
    const options = { minGroup, isSettled: hasSettled(campaign, now) };
    const nameless = () => (isDue ? nextCopy(copy, fresh, options) : withhold(copy, fresh));
    const next = hasNames(campaign) ? fresh : nameless();
    if (!isSameCopy(copy, next)) changed.set(campaign.id, next);
  }
  await replaceCopies(queries, organizationId, changed);
  return changed.size > 0;
}

const byCampaign = <Row extends { campaignId: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ campaignId }) => campaignId);

/** Whether readers see the same numbers. */
function isSameCopy(before: readonly CopiedGroup[], after: readonly CopiedGroup[]): boolean {
  const counts = (copy: readonly CopiedGroup[]) =>
    new Map(
      copy.map(({ countedAt: _, ...group }) => [
        `${group.attributeId} ${group.groupId}`,
        { ...group, campaignId: undefined },
      ]),
    );
  return isDeepStrictEqual(counts(before), counts(after));
}

/** Replaces what a campaign counts by group. Readers see it when it is copied next. */
export async function replaceCampaignGroups(
  queries: Queries,
  organizationId: number,
  campaignId: number,
  counted: CountedGroups,
): Promise<void> {
  await deleteCampaignGroups(queries, organizationId, campaignId);
  await addCountedGroups(queries, organizationId, new Map([[campaignId, counted]]));
}

/** Adds to what campaigns count by group. @param counted by campaign */
export async function addCountedGroups(
  queries: Queries,
  organizationId: number,
  counted: ReadonlyMap<number, CountedGroups>,
): Promise<void> {
  const rows = [...counted].flatMap(([campaignId, { groups }]) =>
    [...groups].map(([groupId, group]) => ({ campaignId, groupId, ...group })),
  );
  await addToCampaignGroups(queries, organizationId, rows);
  await addToOverlaps(
    queries,
    organizationId,
    new Map([...counted].map(([campaignId, { overlaps }]) => [campaignId, overlaps])),
  );
}
