// What the filters of a page depend on.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { findSent } from "../../../storage/campaigns/sum-queries.ts";
import type { Queries } from "../../../storage/database.ts";
import type { WebSession } from "../page.ts";
import type { FilterDefaults } from "./filters.ts";
import { defaultPeriod } from "./period.ts";

/** @param now milliseconds since 1970 */
export async function findFilterDefaults(
  queries: Queries,
  { organization: { id, timeZone, countedTraffic } }: WebSession,
  now: number,
): Promise<FilterDefaults> {
  const sent = await findSent(queries, id);
  const period = defaultPeriod(sent?.lastSentAt, dateAt(now, timeZone), timeZone);
  return { timeZone, countedTraffic, hasTraffic: sent?.hasCounted ?? false, isEmpty: !sent, period, now };
}
