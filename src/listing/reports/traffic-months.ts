// The opens and clicks of the last months by verdict, and what changed in the newest month that is over.

import { dateAt, startOfDay } from "../../campaign/calendar/calendar-date.ts";
import { addMonths, type Month, monthNumber } from "../../campaign/calendar/months.ts";
import { describeVerdict } from "../../campaign/events/activity.ts";
import { studentErrors } from "../../campaign/ranges.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { findNewestIds } from "../../storage/sums/sum-queries.ts";
import { countedOf } from "../../storage/sums/sums-filter.ts";
import type { TrafficByMonth, TrafficReader } from "./traffic-reader.ts";

const monthsShown = 12;

interface TrafficMonth {
  month: Month;
  /** Opens and clicks. */
  seen: number;
  verdicts: ReadonlyMap<string, number>;
}

/** Reading more would take too long. */
export const maxCampaigns = 1_000;

/** The traffic of campaigns that were sent since the start of the first month. */
export async function readTrafficMonths(
  database: Database,
  organization: Organization,
  reader: TrafficReader,
  now: number,
): Promise<TrafficMonth[]> {
  const { id, timeZone } = organization;
  const thisMonth = dateAt(now, timeZone);
  const since = addMonths(thisMonth, 1 - monthsShown);
  const filter = countedOf({ traffic: "people", sentFrom: startOfDay({ ...since, day: 1 }, timeZone) });
  const ids = await database.queryOf(id, (scope) => findNewestIds(scope, filter, maxCampaigns));
  const { months } = await reader.read(organization, ids);
  return listTrafficMonths(months, thisMonth);
}

/** The last months in order, with this one, which is not over. */
export function listTrafficMonths(traffic: TrafficByMonth, thisMonth: Month): TrafficMonth[] {
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = addMonths(thisMonth, index + 1 - monthsShown);
    const verdicts = traffic.get(monthNumber(month)) ?? new Map<string, number>();
    return { month, seen: [...verdicts.values()].reduce((sum, count) => sum + count, 0), verdicts };
  });
}

/** Adds up the opens and clicks of each verdict, the most frequent first. */
export function addUpVerdicts(
  months: Iterable<ReadonlyMap<string, number>>,
): [verdict: string, count: number][] {
  const totals = new Map<string, number>();
  for (const verdicts of months) {
    for (const [verdict, count] of verdicts) totals.set(verdict, (totals.get(verdict) ?? 0) + count);
  }
  return [...totals].filter(([, total]) => total > 0).sort(([, one], [, other]) => other - one);
}

/** A verdict whose share of the opens and clicks changed more than it usually does. */
interface TrafficJump {
  verdict: string;
  month: Month;
  share: number;
  /** The mean share of the months before, and how many there are. */
  usual: number;
  monthsBefore: number;
}

/** Months with fewer opens and clicks say little about shares. */
const minSeen = 100;
const minMonths = 3;
const minChange = 0.05;
const minDeviations = 3;

/** Compares the newest month that is over with the months before it. Finds nothing if there is too little to compare. */
export function findTrafficJumps(months: readonly TrafficMonth[]): TrafficJump[] {
  const newest = months.at(-2);
  const before = months.slice(0, -2).filter(({ seen }) => seen >= minSeen);
  if (!newest || newest.seen < minSeen || before.length < minMonths) return [];
  return addUpVerdicts(months.map(({ verdicts }) => verdicts)).flatMap(([verdict]) => {
    if (describeVerdict(verdict).isHuman) return [];
    const shareOf = ({ seen, verdicts }: TrafficMonth) => (verdicts.get(verdict) ?? 0) / seen;
    const share = shareOf(newest);
    const { mean: usual, noise } = spreadOfShares(before.map(shareOf), newest.seen);
    const isJump = Math.abs(share - usual) > Math.max(minChange, noise);
    return isJump ? [{ verdict, month: newest.month, share, usual, monthsBefore: before.length }] : [];
  });
}

/**
 * How far another share is from the mean without a cause: three standard deviations, or more if there are few shares (the
 * 95 % range of one more). The deviation is at least that of chance.
 *
 * @param seen what the other share is of
 */
function spreadOfShares(shares: readonly number[], seen: number): { mean: number; noise: number } {
  const { length } = shares;
  const mean = shares.reduce((sum, share) => sum + share, 0) / length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  const deviation = Math.sqrt(Math.max(squares / (length - 1), (mean * (1 - mean)) / seen));
  return {
    mean,
    noise: deviation * Math.max(minDeviations, studentErrors(length - 1) * Math.sqrt(1 + 1 / length)),
  };
}
