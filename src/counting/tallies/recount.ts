// Recounts a campaign from what each recipient did: the source of truth that the tallies are checked against.
// Hours and links cannot be recounted: recipients keep the times of some opens only, and no URL of a click.

import { type CountedGroups, countInGroups, groupCountNames } from "../../campaign/audience/group-counts.ts";
import {
  addContribution,
  contributions,
  emptyTally,
  numbersOf,
  type Tallies,
} from "../../campaign/events/tally.ts";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { findCampaignGroups, type StoredGroup } from "../../storage/audience/campaign-groups.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { readRecipients, UnreadableRecipient } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { replaceCampaignGroups } from "../campaign-groups.ts";
import { saveAndPublishTallies } from "../publish.ts";

/** A number of a campaign that is not the sum over its recipients. */
export interface Drift {
  campaign: number;
  counted: TrafficFilter;
  number: string;
  stored: number;
  recounted: number;
}

const recipientsPerQuery = 2_000;

/**
 * Recounts one state of the data if `scope` is of one transaction. A closed campaign has nothing left to recount.
 *
 * @param isRepaired whether to correct and publish numbers that drifted
 * @returns the numbers that drifted
 */
export async function recountCampaign(
  scope: Scope,
  organization: Organization,
  id: number,
  { isRepaired, now }: { isRepaired: boolean; now: number },
): Promise<Drift[]> {
  const [stored] = await findCampaigns(scope, [id]);
  const ledgerId = stored?.counting?.ledgerId ?? null;
  if (!stored || ledgerId === null || !("tallies" in stored.numbers)) return [];
  const { sentAt } = stored.campaign;
  const known = stored.numbers.tallies;
  const { tallies, counted } = await recountTallies(scope, { ledgerId, sentAt, known });
  const groups = await findCampaignGroups(scope, [id]);
  const drifts = [...findDrifts(stored, tallies), ...findGroupDrifts(id, groups, counted)];
  if (isRepaired && drifts.length > 0) {
    await replaceCampaignGroups(scope, id, counted);
    await saveAndPublishTallies(scope, organization, [{ ...stored, numbers: { tallies } }], now);
  }
  return drifts;
}

/** The tallies of a campaign as the sum over its recipients, and the same by group. */
export async function recountTallies(
  scope: Scope,
  { ledgerId, sentAt, known }: { ledgerId: number; sentAt: number; known?: Tallies },
): Promise<{ tallies: Tallies; counted: CountedGroups }> {
  const tallies: Tallies = { people: emptyTally(known?.people), all: emptyTally(known?.all) };
  const counted: CountedGroups = new Map();
  for (let after = "", done = 0; ; done += recipientsPerQuery) {
    const page = { ledgerId, after, limit: recipientsPerQuery };
    const recipients = await readRecipients(scope, page).catch((error: unknown) => {
      if (error instanceof UnreadableRecipient) error.position += done;
      throw error;
    });
    for (const { state } of recipients) {
      const contributed = contributions(state);
      for (const traffic of trafficFilters) {
        addContribution(tallies[traffic], contributed[traffic], sentAt);
      }
      countInGroups(counted, state, { isNew: true, after: contributed });
    }
    if (recipients.length < recipientsPerQuery) return { tallies, counted };
    after = recipients.at(-1)?.name ?? "";
  }
}

function findGroupDrifts(campaign: number, known: readonly StoredGroup[], recounted: CountedGroups): Drift[] {
  const stored = new Map(known.map((group) => [group.groupId, group]));
  return [...new Set([...stored.keys(), ...recounted.keys()])].flatMap((id) =>
    groupCountNames.flatMap((name) => {
      const [before, after] = [stored.get(id)?.[name] ?? 0, recounted.get(id)?.[name] ?? 0];
      const number = `${name} of group ${id}`;
      const counted = name.startsWith("all") ? "all" : "people";
      return before === after ? [] : [{ campaign, counted, number, stored: before, recounted: after }];
    }),
  );
}

function findDrifts({ campaign, numbers }: StoredCampaign, recounted: Tallies): Drift[] {
  const { tallies: stored } = numbers as { tallies: Tallies };
  return trafficFilters.flatMap((traffic) => {
    const before = new Map(numbersOf(stored[traffic]));
    return numbersOf(recounted[traffic])
      .filter(([number, count]) => before.get(number) !== count)
      .map(([number, count]) => {
        const found = { campaign: campaign.id, counted: traffic, number };
        return { ...found, stored: before.get(number) ?? 0, recounted: count };
      });
  });
}
