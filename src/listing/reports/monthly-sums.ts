// Adds up the numbers of the campaigns of a choice, month by month.

import { setImmediate as nextTurn } from "node:timers/promises";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { addMonths, type Month, monthAt, startOfMonth } from "../../campaign/calendar/months.ts";
import { addCampaign, emptySums, type Sums } from "../../campaign/sums.ts";
import { findCampaignNumbers } from "../../storage/campaigns/campaign-numbers.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { selectBatches } from "../timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../timeline/timeline.ts";

/** The sums of a month in the time zone of the organization. */
export interface MonthlySums {
  month: Month;
  sums: Sums;
}

/** Campaigns of a choice, and of one team where one is given. */
export interface ReportFilter {
  selection: TimelineSelection;
  /** As far as it is told apart from others. */
  team?: string | undefined;
}

/**
 * The months in which something was sent, from the earliest on. Each batch is of a state of its own: what is changed
 * meanwhile may be in it or not, and what is deleted meanwhile is left out.
 */
export async function sumByMonth(
  database: Database,
  { id, timeZone, countedTraffic }: Pick<Organization, "id" | "timeZone" | "countedTraffic">,
  timeline: Timeline,
  { selection, team }: ReportFilter,
): Promise<MonthlySums[]> {
  const months = new Map<number, MonthlySums>();
  const monthOf = monthFinder(timeZone);
  for (const places of selectBatches(timeline, selection, "latest")) {
    const ids = places.map((place) => place.id);
    const found = await database.query((queries) => findCampaignNumbers(queries, id, ids));
    const byId = new Map(found.map((numbers) => [numbers.id, numbers]));
    for (const place of places) {
      const numbers = byId.get(place.id);
      if (!numbers || (team !== undefined && numbers.team !== team)) continue;
      const month = monthOf(place.sentAt);
      const key = month.year * 12 + month.month;
      const known = months.get(key) ?? { month, sums: emptySums() };
      months.set(key, known);
      addCampaign(known.sums, numbers, countedTraffic);
    }
    await nextTurn();
  }
  return [...months].sort(([a], [b]) => a - b).map(([, each]) => each);
}

/**
 * Finds months of instants that lie close together. Within a day of its ends a month is asked for each instant: clocks that
 * go back over midnight show the month before once more.
 */
function monthFinder(timeZone: string): (at: number) => Month {
  let known = { month: { year: 0, month: 0 }, from: 0, until: 0 };
  return (at) => {
    if (at >= known.from && at < known.until) return known.month;
    const month = monthAt(at, timeZone);
    const from = startOfMonth(month, timeZone) + dayMs;
    const until = startOfMonth(addMonths(month, 1), timeZone) - dayMs;
    if (at >= from && at < until) known = { month, from, until };
    return month;
  };
}
