// Recounts a campaign from what each recipient did: the source of truth that the tallies are checked against.
// Hours and links cannot be recounted: recipients keep the times of some opens only, and no URL of a click.

import {
  type CountedGroups,
  countInGroups,
  type GroupCounts,
  groupCountNames,
} from "../../campaign/audience/group-counts.ts";
import {
  addContribution,
  contributions,
  emptyTally,
  numbersOf,
  type Tallies,
} from "../../campaign/events/tally.ts";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { findCampaignGroups } from "../../storage/audience/campaign-groups.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
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
  const groups = (await findCampaignGroups(scope, [id])).map((group) => [group.groupId, group] as const);
  const drifts = trafficFilters.flatMap((traffic) => {
    const before = allNumbers(traffic, known, groups);
    const after = allNumbers(traffic, tallies, counted);
    return [...new Set([...before.keys(), ...after.keys()])]
      .map((number) => ({ number, stored: before.get(number) ?? 0, recounted: after.get(number) ?? 0 }))
      .filter((each) => each.stored !== each.recounted)
      .map((drift) => ({ campaign: id, counted: traffic, ...drift }));
  });
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

/** The numbers of a campaign and of its groups with one traffic, by name. */
function allNumbers(
  traffic: TrafficFilter,
  tallies: Tallies,
  groups: Iterable<readonly [number, GroupCounts]>,
): Map<string, number> {
  const names = groupCountNames.filter((name) => name.startsWith("all") === (traffic === "all"));
  const ofGroups = [...groups].flatMap(([id, counts]) =>
    names.map((name) => [`${name} of group ${id}`, counts[name]] as const),
  );
  return new Map([...numbersOf(tallies[traffic]), ...ofGroups]);
}
