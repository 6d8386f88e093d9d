// What the filters of a page depend on.

import { dateAt } from "../../campaign/calendar/calendar-date.ts";
import { defaultPeriod } from "../../campaign/calendar/period.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findSent } from "../../storage/sums/sum-queries.ts";
import type { FilterDefaults } from "./page-filters.ts";

/** @param now milliseconds since 1970 */
export async function findFilterDefaults(
  scope: Scope,
  {
    organization: { timeZone, countedTraffic },
  }: {
    organization: Pick<Organization, "id" | "timeZone" | "countedTraffic">;
  },
  now: number,
): Promise<FilterDefaults> {
  const sent = await findSent(scope);
  const period = defaultPeriod(sent?.lastSentAt, dateAt(now, timeZone), timeZone);
  return { timeZone, countedTraffic, hasTraffic: sent?.hasCounted ?? false, isEmpty: !sent, period, now };
}
