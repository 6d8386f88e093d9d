// Recounts a campaign from what each recipient did: the source of truth that the tallies are checked against.
// Hours and links cannot be recounted: recipients keep the times of some opens only, and no URL of a click.

import {
  addContribution,
  contribution,
  emptyTally,
  numbersOf,
  type Tallies,
} from "../../campaign/events/tally.ts";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { readRecipients } from "../../storage/recipients.ts";
import { publishTallies } from "../publish.ts";

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
 * Recounts one state of the data if `queries` is one transaction. A closed campaign has nothing left to recount.
 *
 * @param isRepaired whether to correct and publish numbers that drifted
 * @returns the numbers that drifted
 */
export async function recountCampaign(
  queries: Queries,
  organization: Organization,
  id: number,
  { isRepaired, now }: { isRepaired: boolean; now: number },
): Promise<Drift[]> {
  const [stored] = await findCampaigns(queries, organization.id, [id]);
  const ledgerId = stored?.counting?.ledgerId ?? null;
  if (!stored || ledgerId === null || !("tallies" in stored.numbers)) return [];
  const { sentAt } = stored.campaign;
  const tallies = await recountTallies(queries, organization.id, { ledgerId, sentAt });
  const drifts = findDrifts(stored, tallies);
  if (isRepaired && drifts.length > 0) {
    await publishTallies(queries, organization, [{ ...stored, numbers: { tallies } }], now);
  }
  return drifts;
}

/** The tallies of a campaign as the sum over its recipients. */
export async function recountTallies(
  queries: Queries,
  organizationId: number,
  { ledgerId, sentAt }: { ledgerId: number; sentAt: number },
): Promise<Tallies> {
  const tallies: Tallies = { people: emptyTally(), all: emptyTally() };
  for (let after = ""; ; ) {
    const page = { ledgerId, after, limit: recipientsPerQuery };
    const recipients = await readRecipients(queries, organizationId, page);
    for (const { state } of recipients) {
      for (const traffic of trafficFilters) {
        addContribution(tallies[traffic], contribution(state, traffic), sentAt);
      }
    }
    if (recipients.length < recipientsPerQuery) return tallies;
    after = recipients.at(-1)?.name ?? "";
  }
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
