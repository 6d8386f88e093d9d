// Opens of a campaign by the time since its sending, and the usual ones of several campaigns to compare them with.

import { hourMs } from "../../campaign/calendar/durations.ts";
import { describeVerdict, startOfQuarter } from "../../campaign/events/activity.ts";
import { type HourCount, HourCounts } from "../../campaign/events/hour-counts.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { findFirstHourParts } from "../../storage/campaigns/campaign-hours.ts";
import type { Database } from "../../storage/database.ts";

/** Hours after the sending that a curve has. Few open a message later. */
export const curveHours = 72;

/** For each hour after the sending, the opens up to its end. */
export type OpensByAge = Record<TrafficFilter, number[]>;

/** @param counts in any order */
export function opensByAge(counts: Iterable<HourCount>, sentAt: number): OpensByAge {
  const byHour: OpensByAge = { people: noOpens(), all: noOpens() };
  const start = startOfQuarter(sentAt);
  for (const { quarter, activity, verdict, count } of counts) {
    const hour = Math.max(Math.floor((quarter - start) / hourMs), 0);
    // A count can be negative for a moment, see summarizeActivity.
    if (activity !== "open" || hour >= curveHours || count < 0) continue;
    byHour.all[hour] = (byHour.all[hour] ?? 0) + count;
    if (describeVerdict(verdict).isHuman) byHour.people[hour] = (byHour.people[hour] ?? 0) + count;
  }
  return { people: runningTotals(byHour.people), all: runningTotals(byHour.all) };
}

const noOpens = () => Array.from({ length: curveHours }, () => 0);

function runningTotals(counts: readonly number[]): number[] {
  let total = 0;
  return counts.map((count) => {
    total += count;
    return total;
  });
}

interface CurveCampaign {
  id: number;
  sentAt: number;
  recipientCount: number;
}

/** For each hour after the sending, the median of the opens per recipient up to its end, from so many campaigns. */
export interface UsualOpens {
  campaigns: number;
  opensPerRecipient: OpensByAge;
}

/** With fewer campaigns there is no usual curve. */
const minCurveCampaigns = 3;

/**
 * The parts of a campaign's hours that enter its curve: decoding them takes a millisecond. They hold the first days, because
 * parts grow in the order in which events arrive.
 */
const maxParts = 60;

/**
 * The opens of campaigns by age, by their ids. Campaigns without any activity by hour, such as imported ones, have none.
 *
 * @param campaigns a few
 */
export async function readOpensByAge(
  database: Database,
  organizationId: number,
  campaigns: readonly Pick<CurveCampaign, "id" | "sentAt">[],
): Promise<Map<number, OpensByAge>> {
  const ids = campaigns.map(({ id }) => id);
  const parts = await database.query((queries) => findFirstHourParts(queries, organizationId, ids, maxParts));
  const partsOf = Map.groupBy(parts, ({ campaignId }) => campaignId);
  const found = new Map<number, OpensByAge>();
  for (const { id, sentAt } of campaigns) {
    const counts = new HourCounts();
    for (const part of partsOf.get(id) ?? []) counts.addEncoded(part.counts);
    if (!counts.isEmpty()) found.set(id, opensByAge(counts.list(), sentAt));
  }
  return found;
}

/**
 * @param campaigns a few; sent more than {@link curveHours} ago, with recipients
 * @returns undefined if fewer than {@link minCurveCampaigns} have activity by hour
 */
export async function readUsualOpens(
  database: Database,
  organizationId: number,
  campaigns: readonly CurveCampaign[],
): Promise<UsualOpens | undefined> {
  const opens = await readOpensByAge(database, organizationId, campaigns);
  const curves = campaigns.flatMap(({ id, recipientCount }) => {
    const own = opens.get(id);
    return own ? perRecipient(own, recipientCount) : [];
  });
  if (curves.length < minCurveCampaigns) return undefined;
  const medians = (traffic: TrafficFilter) =>
    Array.from({ length: curveHours }, (_, hour) => median(curves.map((each) => each[traffic][hour] ?? 0)));
  return {
    campaigns: curves.length,
    opensPerRecipient: { people: medians("people"), all: medians("all") },
  };
}

function perRecipient({ people, all }: OpensByAge, recipientCount: number): OpensByAge {
  const divide = (opens: readonly number[]) => opens.map((each) => each / recipientCount);
  return { people: divide(people), all: divide(all) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}
