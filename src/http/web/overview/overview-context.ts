// What the cards of the overview share.

import type { SourcesAlert } from "../../../listing/reports/sources-alert.ts";
import type { OverviewView } from "../../../listing/sums/overview-choices.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import type { Locale } from "../../../locale/locale.ts";

export interface OverviewContext {
  locale: Locale;
  sourcesAlert: SourcesAlert;
  view: OverviewView;
  filters: PageFilters;
  defaults: FilterDefaults;
}
