// The numbers of counted campaigns again, from what each recipient has done: the truth that the tallies are held against.
// Hours and links of a campaign are left alone: the recipients keep neither the time of an open nor the URL of a click.

import {
  add,
  contribution,
  emptyTally,
  type Tallies,
  type Tally,
  tallyNames,
} from "../../campaign/events/tally.ts";
import { type CountedTraffic, countedTraffics } from "../../campaign/events/traffic.ts";
import { findCampaigns, type StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { readRecipients } from "../../storage/recipients.ts";
import { publishTallies } from "../publish.ts";

/** One number of a campaign that is not the sum of its recipients. */
export interface Drift {
  campaign: number;
  counted: CountedTraffic;
  number: keyof Tally;
  stored: number;
  recounted: number;
}

const recipientsAtOnce = 2_000;

/**
 * Of one state of the data when `queries` is one transaction. A closed campaign has nothing to be recounted from.
 *
 * @param isRepaired whether what has drifted is put right, and published
 */
export async function recountCampaign(
  queries: Queries,
  organization: Organization,
  id: number,
  { isRepaired, now }: { isRepaired: boolean; now: number },
): Promise<Drift[]> {
  const [stored] = await findCampaigns(queries, organization.id, [id]);
  const ledgerId = stored?.counting?.ledgerId ?? null;
  if (!stored || ledgerId === null || !("counted" in stored.numbers)) return [];
  const counted: Tallies = { people: { ...emptyTally }, all: { ...emptyTally } };
  for (let after = ""; ; ) {
    const some = await readRecipients(queries, organization.id, { ledgerId, after, limit: recipientsAtOnce });
    for (const { state } of some) {
      for (const traffic of countedTraffics) add(counted[traffic], contribution(state, traffic));
    }
    if (some.length < recipientsAtOnce) break;
    after = some.at(-1)?.name ?? "";
  }
  const drifts = findDrifts(stored, counted);
  if (isRepaired && drifts.length > 0) {
    await publishTallies(queries, organization, [{ ...stored, numbers: { counted } }], now);
  }
  return drifts;
}

function findDrifts({ campaign, numbers }: StoredCampaign, recounted: Tallies): Drift[] {
  const { counted: stored } = numbers as { counted: Tallies };
  return countedTraffics.flatMap((counted) =>
    tallyNames.flatMap((number) => {
      const [before, after] = [stored[counted][number], recounted[counted][number]];
      if (before === after) return [];
      return [{ campaign: campaign.id, counted, number, stored: before, recounted: after }];
    }),
  );
}
