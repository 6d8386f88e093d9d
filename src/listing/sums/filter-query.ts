// The query string by which pages name their filters.

import { isoDay } from "../../campaign/calendar/calendar-date.ts";
import type { OverviewView } from "./overview-choices.ts";
import { defaultFilters, type FilterDefaults, type PageFilters } from "./page-filters.ts";

/** The query parameters of filters, in the order in which a page keeps them if others are invalid. */
export const filterParameters = [
  "period",
  "from",
  "until",
  "compare",
  "team",
  "sender",
  "tag_ids",
  "tag_ids[]",
  "sending_type",
  "group",
  "surveys",
  "traffic",
  "q",
] as const;

/** The query string of filters, without those that are set by default. */
export function filterQuery(filters: PageFilters, defaults: FilterDefaults): URLSearchParams {
  const preset = defaultFilters(defaults);
  const { period, compare, traffic, tagIds = [] } = filters;
  const query = new URLSearchParams();
  const add = (name: string, value: string | undefined) => value && query.set(name, value);
  if (period.name !== preset.period.name) add("period", period.name);
  add("from", period.from && isoDay(period.from));
  add("until", period.until && isoDay(period.until));
  if (compare !== preset.compare) add("compare", compare);
  add("team", filters.team);
  add("sender", filters.sender);
  add("tag_ids", tagIds.join(","));
  add("sending_type", filters.sendingType);
  add("group", filters.group);
  add("surveys", filters.surveys);
  if (traffic !== preset.traffic) add("traffic", traffic);
  add("q", filters.search);
  return query;
}

/** The query string of the overview, without defaults. */
export function overviewQuery(
  filters: PageFilters,
  { chart }: OverviewView,
  defaults: FilterDefaults,
): URLSearchParams {
  const query = filterQuery(filters, defaults);
  if (chart !== "open_rate") query.set("chart", chart);
  return query;
}
