// The filters of pages: which campaigns, of which period, and with which traffic.

import { type CalendarDate, dateAt } from "../../campaign/calendar/calendar-date.ts";
import {
  type Comparison,
  type DateSpan,
  instantsOf,
  type NamedPeriod,
} from "../../campaign/calendar/period.ts";
import type { SurveyFilter } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { type CampaignFilter, toSumsFilter } from "./campaign-filter.ts";

export interface PageFilters {
  period: NamedPeriod;
  compare: Comparison;
  team?: string | undefined;
  sender?: string | undefined;
  tagIds?: readonly number[] | undefined;
  sendingType?: string | undefined;
  group?: string | undefined;
  surveys?: SurveyFilter | undefined;
  traffic: TrafficFilter;
  /** Words of the subject; empty without a search. */
  search: string;
}

/** What filters without parameters depend on. */
export interface FilterDefaults {
  timeZone: string;
  countedTraffic: TrafficFilter;
  /** Whether a campaign of the page has numbers of each traffic. Those of imported campaigns are of unknown traffic. */
  hasTraffic: boolean;
  /** Whether the organization has no campaigns at all. */
  isEmpty: boolean;
  period: NamedPeriod;
  now: number;
}

export function todayOf({ now, timeZone }: Pick<FilterDefaults, "now" | "timeZone">): CalendarDate {
  return dateAt(now, timeZone);
}

/** The filters of a page without parameters. */
export function defaultFilters(defaults: FilterDefaults): PageFilters {
  return {
    period: defaults.period,
    compare: "previous",
    traffic: defaults.countedTraffic,
    search: "",
  };
}

/** The campaigns that match. Those that are scheduled have no sums until upkeep publishes them, so no clock is read. */
export function toCampaignFilter(
  { period, team, sender, tagIds, sendingType, group, surveys, search }: PageFilters,
  { timeZone }: Pick<FilterDefaults, "timeZone">,
): CampaignFilter {
  const sent = instantsOf(period.span, timeZone);
  return { ...sent, team, sender, tagIds, sendingType, group, surveys, subject: search };
}

/** What the database selects the campaigns by. @param span instead of that of the period, such as the one a year before */
export const sumsFilterOf = (
  scope: Scope,
  filters: PageFilters,
  defaults: Pick<FilterDefaults, "timeZone">,
  span: DateSpan | undefined = filters.period.span,
): Promise<SumsFilter> =>
  toSumsFilter(
    scope,
    { ...toCampaignFilter(filters, defaults), ...instantsOf(span, defaults.timeZone) },
    filters.traffic,
  );
