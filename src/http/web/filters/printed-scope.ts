// What the numbers of a page are of, for its header on paper, where the menus of the filters are left out.

import type { NamedPeriod } from "../../../campaign/calendar/period.ts";
import type { FilterOptions } from "../../../listing/sums/filter-options.ts";
import type { PageFilters } from "../../../listing/sums/page-filters.ts";
import { isolate } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { valueName } from "../../../locale/value-name.ts";
import { periodTitle } from "./period-title.ts";

/**
 * The period with its dates, and each filter: `This quarter (Apr 1 – Jun 30, 2026) · Sales · Human only`.
 *
 * @param hasTraffic whether the page has numbers that depend on which traffic counts
 */
export function printedScope(
  locale: Locale,
  { period, team, sender, tagIds = [], sendingType, group, surveys, search, traffic }: PageFilters,
  { tags }: Pick<FilterOptions, "tags">,
  { hasTraffic }: { hasTraffic: boolean },
): string {
  const { t, texts } = locale;
  const tagName = (id: number) => tags.find((tag) => tag.id === id)?.name ?? String(id);
  const parts = [
    datedTitle(locale, period),
    team,
    sender,
    tagIds.map(tagName).join(", "),
    sendingType && valueName(texts("sendingTypes"), sendingType),
    group,
    surveys && t(`filters.surveyFilters.${surveys}`),
    search && quoted(locale, search),
    hasTraffic && t(`filters.traffic.${traffic}`),
  ];
  return parts.flatMap((part) => (part ? isolate(part) : [])).join(" · ");
}

/** Later, "this quarter" alone would be another one. */
function datedTitle(locale: Locale, period: NamedPeriod): string {
  const title = periodTitle(locale, period);
  if (period.name === undefined || !period.span) return title;
  return `${title} (${locale.format.dateRange(period.span.first, period.span.last)})`;
}
