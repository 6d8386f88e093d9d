// What the cards of the overview share.

import type { OverviewView } from "../../../listing/sums/overview-choices.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import type { WebSession } from "../frame/page.ts";

export interface OverviewContext extends WebSession {
  view: OverviewView;
  filters: PageFilters;
  defaults: FilterDefaults;
}
