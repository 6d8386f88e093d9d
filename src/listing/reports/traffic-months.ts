// The opens and clicks of the last months by verdict, and what changed in the newest month that is over.

import { dateAt, startOfDay } from "../../campaign/calendar/calendar-date.ts";
import { addMonths, type Month, monthNumber } from "../../campaign/calendar/months.ts";
import { describeVerdict } from "../../campaign/events/activity.ts";
import { studentErrors } from "../../campaign/ranges.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { findNewestIds, findProofs, type ProofSums } from "../../storage/sums/sum-queries.ts";
import { countedOf } from "../../storage/sums/sums-filter.ts";
import type { TrafficByMonth, TrafficReader } from "./traffic-reader.ts";

const monthsShown = 12;

export interface TrafficMonth {
  month: Month;
  /** Opens and clicks, and those of them that count as human. */
  seen: number;
  human: number;
  verdicts: ReadonlyMap<string, number>;
}

/** Reading more would take too long. */
const maxCampaigns = 1_000;

/** The traffic of campaigns that were sent since the start of the first month; undefined without any. */
export async function readTrafficMonths(
  database: Database,
  organization: Organization,
  reader: TrafficReader,
  now: number,
): Promise<{ months: TrafficMonth[]; read: number; proofs: ProofSums; since: Month } | undefined> {
  const { id, timeZone } = organization;
  const thisMonth = dateAt(now, timeZone);
  const since = addMonths(thisMonth, 1 - monthsShown);
  const filter = countedOf({ traffic: "people", sentFrom: startOfDay({ ...since, day: 1 }, timeZone) });
  const proofs = await database.queryOf(id, (scope) => findProofs(scope, filter));
  if (proofs.campaigns === 0) return undefined;
  const ids = await database.queryOf(id, (scope) => findNewestIds(scope, filter, maxCampaigns));
  const { months, campaigns } = await reader.read(organization, ids);
  return { months: listTrafficMonths(months, thisMonth), read: campaigns, proofs, since };
}

/** The last months in order, with this one, which is not over. */
export function listTrafficMonths(traffic: TrafficByMonth, thisMonth: Month): TrafficMonth[] {
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = addMonths(thisMonth, index + 1 - monthsShown);
    const verdicts = traffic.get(monthNumber(month)) ?? new Map<string, number>();
    let [seen, human] = [0, 0];
    for (const [verdict, count] of verdicts) {
      seen += count;
      if (describeVerdict(verdict).isHuman) human += count;
    }
    return { month, seen, human, verdicts };
  });
}

/** The verdicts that do not count as human, most frequent first. */
export function listAutomatedVerdicts(months: readonly TrafficMonth[]): string[] {
  const totals = new Map<string, number>();
  for (const { verdicts } of months) {
    for (const [verdict, count] of verdicts) totals.set(verdict, (totals.get(verdict) ?? 0) + count);
  }
  return [...totals]
    .filter(([verdict, total]) => total > 0 && !describeVerdict(verdict).isHuman)
    .sort(([, one], [, other]) => other - one)
    .map(([verdict]) => verdict);
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

/**
 * Compares the newest month that is over with the months before it.
 *
 * @returns undefined if there is too little to compare
 */
export function findTrafficJumps(months: readonly TrafficMonth[]): TrafficJump[] | undefined {
  const newest = months.at(-2);
  const before = months.slice(0, -2).filter(({ seen }) => seen >= minSeen);
  if (!newest || newest.seen < minSeen || before.length < minMonths) return undefined;
  return listAutomatedVerdicts(months).flatMap((verdict) => {
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
