// The usual periods as tabs above the list of campaigns.

import { type NamedPeriod, namedPeriod } from "../../../campaign/calendar/period.ts";
import { defaultFilters, type FilterDefaults, todayOf } from "../../../listing/sums/page-filters.ts";
import { filterQuery } from "../../filter-query.ts";
import type { Html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import { periodTitle } from "../filters/period-title.ts";
import type { Locale } from "../locale.ts";
import { tabs } from "../ui/tabs.ts";
import { type CampaignsRequest, campaignsQuery } from "./campaigns-url.ts";

/** Periods with a tab, besides the one by default. */
const tabPeriods = ["quarter", "year", "all"];

/** The tabs keep the order and the columns of the list. */
export function periodTabs(locale: Locale, request: CampaignsRequest, defaults: FilterDefaults): Html {
  const preset = defaultFilters(defaults);
  const current = filterQuery(request.filters, defaults).toString();
  const named = tabPeriods.flatMap((name) => namedPeriod(name, todayOf(defaults)) ?? []);
  const periods = [preset.period, ...named].map((period: NamedPeriod) => {
    const filters = { ...preset, period };
    return {
      url: urlWithQuery(paths.web.campaigns, campaignsQuery({ ...request, filters, page: 1 }, defaults)),
      name: periodTitle(locale, period),
      isCurrent: filterQuery(filters, defaults).toString() === current,
    };
  });
  return tabs(locale.t("campaigns.views"), periods);
}
