// Sums the numbers of selected campaigns by month.

import { setImmediate as nextTurn } from "node:timers/promises";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { addMonths, type Month, monthAt, startOfMonth } from "../../campaign/calendar/months.ts";
import { addCampaign, emptySums, type Sums } from "../../campaign/sums.ts";
import { findCampaignNumbers } from "../../storage/campaigns/campaign-numbers.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { selectBatches } from "../timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../timeline/timeline.ts";

export interface MonthlySums {
  /** In the organization's time zone. */
  month: Month;
  sums: Sums;
}

export interface ReportFilter {
  selection: TimelineSelection;
  /** Only this team, by its {@link teamKeyOf}. */
  team?: string | undefined;
}

/**
 * The months with campaigns, oldest first. Every batch is a query of its own: a campaign that changes meanwhile counts
 * before or after the change, and one that is deleted does not count.
 */
export async function sumByMonth(
  database: Database,
  { id, timeZone, countedTraffic }: Pick<Organization, "id" | "timeZone" | "countedTraffic">,
  timeline: Timeline,
  { selection, team }: ReportFilter,
): Promise<MonthlySums[]> {
  const months = new Map<number, MonthlySums>();
  const monthOf = monthFinder(timeZone);
  for (const entries of selectBatches(timeline, selection, "latest")) {
    const ids = entries.map((entry) => entry.id);
    const found = await database.query((queries) => findCampaignNumbers(queries, id, ids));
    const byId = new Map(found.map((numbers) => [numbers.id, numbers]));
    for (const entry of entries) {
      const numbers = byId.get(entry.id);
      if (!numbers || (team !== undefined && numbers.team !== team)) continue;
      const month = monthOf(entry.sentAt);
      const key = month.year * 12 + month.month;
      const existing = months.get(key) ?? { month, sums: emptySums() };
      months.set(key, existing);
      addCampaign(existing.sums, numbers, countedTraffic);
    }
    await nextTurn();
  }
  return [...months].sort(([a], [b]) => a - b).map(([, each]) => each);
}

/**
 * {@link monthAt} for instants in order, much faster: it reuses the previous month. Not within a day of the ends of a
 * month, because clocks that go back across midnight return to the previous month.
 */
function monthFinder(timeZone: string): (at: number) => Month {
  let previous = { month: { year: 0, month: 0 }, from: 0, until: 0 };
  return (at) => {
    if (at >= previous.from && at < previous.until) return previous.month;
    const month = monthAt(at, timeZone);
    const from = startOfMonth(month, timeZone) + dayMs;
    const until = startOfMonth(addMonths(month, 1), timeZone) - dayMs;
    if (at >= from && at < until) previous = { month, from, until };
    return month;
  };
}
