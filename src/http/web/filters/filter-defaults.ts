// What the filters of a page depend on.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import { entryAt, selectCampaigns } from "../../../listing/numbers/select.ts";
import type { WebSession } from "../page.ts";
import type { FilterDefaults } from "./filters.ts";
import { defaultPeriod } from "./period.ts";

/** @param now milliseconds since 1970 */
export function filterDefaults(
  { organization: { timeZone, countedTraffic } }: WebSession,
  numbers: NumbersTable,
  now: number,
): FilterDefaults {
  const sent = selectCampaigns(numbers, { sentUntil: now + 1 });
  const lastSentAt = sent.size > 0 ? entryAt(sent, sent.size - 1).sentAt : undefined;
  const period = defaultPeriod(lastSentAt, dateAt(now, timeZone), timeZone);
  const hasTraffic = numbers.chunks.some(({ texts }) =>
    texts.kind.values.some((kind) => kind !== "reported"),
  );
  return { timeZone, countedTraffic, hasTraffic, period, now };
}
