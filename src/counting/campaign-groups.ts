// What campaigns count by group, and the copy of it that readers see.

import { isDeepStrictEqual } from "node:util";
import {
  type CopiedGroup,
  copyGroups,
  hasNewOpens,
  nextCopy,
  withhold,
} from "../campaign/audience/copy-groups.ts";
import type { CountedGroups } from "../campaign/audience/group-counts.ts";
import { type GroupReleases, releaseGroups } from "../campaign/audience/release-groups.ts";
import { hasNames, minRatingsOf } from "../campaign/release-answers.ts";
import {
  addToCampaignGroups,
  deleteCampaignGroups,
  findCampaignGroups,
  type StoredGroup,
} from "../storage/audience/campaign-groups.ts";
import { findCombinations } from "../storage/audience/combinations.ts";
import { findCopies, replaceCopies } from "../storage/audience/released-groups.ts";
import { hasLongList, hasSettled, type StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import { chunks } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";

type GroupedCampaign = Pick<StoredCampaign, "campaign" | "counting">;

/** This many campaigns have some thousand groups. */
const campaignsPerQuery = 20;

/**
 * Copies for readers what campaigns count by group. The caller raises the revision.
 *
 * @param options.isDue false only withholds what may not be seen any more in campaigns whose recipients have no names
 * @returns whether a copy changed
 */
export async function releaseCampaignGroups(
  scope: Scope,
  organization: Organization,
  campaigns: readonly GroupedCampaign[],
  options: { now: number; isDue: boolean },
): Promise<boolean> {
  const grouped = campaigns.filter(({ counting }) => counting?.attributeIds.length);
  let hasChanged = false;
  for (const some of chunks(grouped, campaignsPerQuery)) {
    if (await releaseSome(scope, organization, some, options)) hasChanged = true;
  }
  return hasChanged;
}

async function releaseSome(
  scope: Scope,
  organization: Organization,
  campaigns: readonly GroupedCampaign[],
  { now, isDue }: { now: number; isDue: boolean },
): Promise<boolean> {
  const ids = campaigns.map(({ campaign }) => campaign.id);
  const groupsOf = byCampaign(await findCampaignGroups(scope, ids));
  const copies = byCampaign(await findCopies(scope, ids));
  const changed = new Map<number, readonly CopiedGroup[]>();
  for (const grouped of campaigns) {
    const { id } = grouped.campaign;
    const known = { groups: groupsOf.get(id) ?? [], copy: copies.get(id) ?? [] };
    const next = await nextOf(scope, organization, grouped, { ...known, now, isDue });
    if (!isSameCopy(known.copy, next)) changed.set(id, next);
  }
  await replaceCopies(scope, changed);
  return changed.size > 0;
}

interface GroupState {
  /** The groups as they are counted now. */
  groups: readonly StoredGroup[];
  /** The groups as readers see them. */
  copy: readonly CopiedGroup[];
}

async function nextOf(
  scope: Scope,
  organization: Organization,
  grouped: GroupedCampaign,
  { groups, copy, now, isDue }: GroupState & { now: number; isDue: boolean },
): Promise<readonly CopiedGroup[]> {
  const { minGroup } = organization;
  const { campaign, counting } = grouped;
  const isNamed = hasNames(campaign);
  // Groups of the same sizes are released again, because looking for others takes long. A new list has no copy.
  const again = copyGroups(groups, releasesIn(copy), now);
  if (isNamed && isDue && isDeepStrictEqual(sizesOf(again), sizesOf(copy))) return again;
  const isWithheld = hasLongList(grouped);
  const isOpen = counting?.ledgerId !== null;
  const mayCopy = isDue && isOpen && !isWithheld;
  const mayShowMore = isNamed ? isOpen : mayCopy && hasNewOpens(copy, groups, minGroup);
  const seen = releasesIn(copy);
  const isCandidate = (groupId: number) => !isWithheld && (mayShowMore || seen.has(groupId));
  const fresh = copyGroups(groups, await decide(scope, organization, grouped, { groups, isCandidate }), now);
  if (isNamed) return fresh;
  return mayCopy
    ? nextCopy(copy, fresh, { minGroup, isSettled: hasSettled(campaign, now) })
    : withhold(copy, fresh);
}

/** What a copy releases of a campaign whose recipients have names: no rating is withheld. */
const releasesIn = (copy: readonly CopiedGroup[]): GroupReleases =>
  new Map(copy.map(({ groupId }) => [groupId, true]));

const sizesOf = (copy: readonly CopiedGroup[]) =>
  new Map(copy.map((group) => [`${group.attributeId} ${group.groupId}`, group.recipients]));

/** Decides which groups are released. A closed campaign has no ledger, so only small groups are withheld. */
async function decide(
  scope: Scope,
  { minGroup, minAnswers }: Organization,
  { campaign, counting }: GroupedCampaign,
  { groups, isCandidate }: { groups: readonly StoredGroup[]; isCandidate: (groupId: number) => boolean },
): Promise<GroupReleases> {
  const { ledgerId = null, attributeIds = [] } = counting ?? {};
  const countsInactive = hasNames(campaign);
  const minRatings = minRatingsOf(campaign, minAnswers);
  if (ledgerId !== null) {
    const combinations = await findCombinations(scope, ledgerId);
    return releaseGroups(combinations, attributeIds, { minGroup, minRatings, countsInactive }, isCandidate);
  }
  const large = groups.filter(
    ({ groupId, recipients, allOpens }) =>
      isCandidate(groupId) && (countsInactive ? recipients : allOpens) >= minGroup,
  );
  return new Map(large.map(({ groupId, enpsReactions }) => [groupId, enpsReactions >= minRatings]));
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
  scope: Scope,
  campaignId: number,
  counted: CountedGroups,
): Promise<void> {
  await deleteCampaignGroups(scope, campaignId);
  await addCountedGroups(scope, new Map([[campaignId, counted]]));
}

/** Adds to what campaigns count by group. @param counted by campaign */
export async function addCountedGroups(
  scope: Scope,
  counted: ReadonlyMap<number, CountedGroups>,
): Promise<void> {
  const rows = [...counted].flatMap(([campaignId, groups]) =>
    [...groups].map(([groupId, group]) => ({ campaignId, groupId, ...group })),
  );
  await addToCampaignGroups(scope, rows);
}
