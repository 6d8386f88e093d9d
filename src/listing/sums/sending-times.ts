// When to send: how many recipients open within two hours, by the weekday and hour of sending.

import { hourMs } from "../../campaign/calendar/durations.ts";
import { countUpTo } from "../../campaign/events/ages.ts";
import { type Ranged, spreadOf, standingOut } from "../../campaign/ranges.ts";
import { addSpreadSums, rangedRateOf, rateOfSome, type SpreadSums } from "../../campaign/rate-ranges.ts";
import { emptySums } from "../../campaign/sums.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findSentTallies, type SentTallies } from "../../storage/sums/tallies.ts";

/** One of the ages at which opens are counted. */
const earlyAge = 2 * hourMs;

/** The newest say enough, and reading all would take too long. */
const maxTimed = 1_000;

export interface SendingTime {
  /** The day of the week, from 0 (Monday) to 6. */
  weekday: number;
  /** The hour of the day, from 0 to 23. */
  hour: number;
  campaigns: number;
  recipients: number;
  /** The share that opened within two hours. How much campaigns differ is taken from all. */
  rate: Ranged;
  /** Whether the rate is below or above that of all campaigns by more than chance. */
  side: -1 | 0 | 1;
}

export interface SendingTimes {
  /** The times, sorted by weekday and hour. */
  times: SendingTime[];
  campaigns: number;
  /** The rate of all these campaigns; null without any. */
  rate: Ranged | null;
}

/** Reads counted campaigns that are not still counting: imported ones have no opens by age. */
export async function findSendingTimes(scope: Scope, filter: SumsFilter): Promise<SendingTimes> {
  const sent = await findSentTallies(scope, filter, maxTimed);
  const total = noSums();
  const cells = new Map<number, SpreadSums>();
  for (const each of sent) {
    const own = earlySums(each, filter);
    addSpreadSums(total, own);
    const key = each.weekday * 24 + each.hour;
    const cell = cells.get(key) ?? noSums();
    addSpreadSums(cell, own);
    cells.set(key, cell);
  }
  return { ...judge(cells, total), campaigns: sent.length };
}

const noSums = (): SpreadSums => ({ ...emptySums(), spreads: { openRate: spreadOf(0, 0) } });

/** The sums of a campaign as they were two hours after sending. */
function earlySums({ recipients, tallies }: SentTallies, { traffic }: SumsFilter): SpreadSums {
  const opens = Math.min(countUpTo(tallies[traffic].opensByAge, earlyAge), recipients);
  const counted = { campaigns: 1, settledCampaigns: 1, openCampaigns: 1 };
  return {
    ...emptySums(),
    ...counted,
    recipients,
    opens,
    openRecipients: recipients,
    spreads: { openRate: spreadOf(opens, recipients) },
  };
}

function judge(cells: ReadonlyMap<number, SpreadSums>, total: SpreadSums): Omit<SendingTimes, "campaigns"> {
  const times = [...cells]
    .sort(([one], [other]) => one - other)
    .flatMap(([key, sums]) => {
      const rate = rateOfSome(sums, total, "openRate");
      const { campaigns, recipients } = sums;
      return rate ? [{ weekday: Math.floor(key / 24), hour: key % 24, campaigns, recipients, rate }] : [];
    });
  const all = rangedRateOf(total, "openRate");
  const sides = all
    ? standingOut(
        times.map(({ rate }) => rate),
        all.value,
      )
    : [];
  return { times: times.map((time, index) => ({ ...time, side: sides[index] ?? 0 })), rate: all };
}
