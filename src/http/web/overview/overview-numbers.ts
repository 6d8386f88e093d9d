// All numbers of the overview page that come from memory.

import { dateAt, daysBetween } from "../../../campaign/calendar/calendar-date.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type BestAndWorst, bestAndWorst } from "../../../listing/numbers/best-and-worst.ts";
import { valuesOf } from "../../../listing/numbers/number-values.ts";
import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import { entryAt, type Selection, selectCampaigns } from "../../../listing/numbers/select.ts";
import {
  type Grouping,
  SumsByListed,
  SumsByPeriod,
  SumsByValue,
  sumSelection,
  Total,
  totalOf,
} from "../../../listing/numbers/sum-selection.ts";
import { differencesOf } from "../../../listing/numbers/usual-rates.ts";
import { type FilterDefaults, type PageFilters, todayOf, toNumbersFilter } from "../filters/filters.ts";
import { comparedSpan, type DateSpan, instantsOf } from "../filters/period.ts";
import { type Buckets, divide, divideAll, startsOf } from "./buckets.ts";
import type { BreakdownField, OverviewView } from "./overview-url.ts";

export interface OverviewNumbers {
  selection: Selection;
  /** The dates of the period until today; without its own, those of its first or last campaign. Undefined without campaigns. */
  span: DateSpan | undefined;
  total: Sums;
  /** With the other traffic. */
  otherTraffic: Sums;
  buckets: Buckets;
  /** Of each bucket. */
  trend: readonly Sums[];
  /** The period that it is compared with, if it had campaigns. */
  compared: Compared | undefined;
  /** By the field of the view, if it has one. */
  groups: CampaignGroups | undefined;
  ranked: BestAndWorst;
}

interface Compared {
  span: DateSpan;
  total: Sums;
  /** Of its buckets, the first of which is compared with the first. */
  trend: readonly Sums[];
}

export interface CampaignGroup {
  /** The id of a tag, or another value; null if it is not set. */
  key: string | number | null;
  sums: Sums;
}

export interface CampaignGroups {
  /** Those with the most recipients, by their open rate. Groups without a rate are last. */
  shown: CampaignGroup[];
  /** The number of all groups. */
  of: number;
}

const groupsShown = 12;

/** The sums by each value of a field. */
const groupings = {
  team: () => new SumsByValue(({ texts }) => texts.team),
  group: () => new SumsByListed(({ groups }) => groups),
  tag: () => new SumsByListed(({ tagIds }) => tagIds),
  sending_type: () => new SumsByValue(({ texts }) => texts.sendingType),
} as const satisfies Record<BreakdownField, () => Grouping>;

const rankedShown = 5;

export async function computeOverview(
  numbers: NumbersTable,
  filters: PageFilters,
  defaults: FilterDefaults,
  { ranking, by }: OverviewView,
): Promise<OverviewNumbers> {
  const { traffic } = filters;
  const { timeZone, now } = defaults;
  const selection = selectCampaigns(numbers, toNumbersFilter(filters, defaults));
  const buckets = bucketsOf(filters, selection, defaults);
  const total = new Total();
  const trend = new SumsByPeriod(startsOf(buckets, timeZone));
  const groups = by && groupings[by]();
  await sumSelection(selection, traffic, [total, trend, ...(groups ? [groups] : [])]);
  const ranks =
    ranking === "team"
      ? await differencesOf(numbers, selection, traffic, "openRate")
      : valuesOf(selection, traffic, "openRate");
  return {
    selection,
    span: shownSpan(filters, selection, defaults),
    total: total.sums,
    otherTraffic: await totalOf(selection, otherOf(traffic)),
    buckets,
    trend: trend.sums.slice(0, buckets.spans.length),
    compared: await compare(numbers, filters, defaults, buckets),
    groups: groups && largest(groups.sums),
    ranked: bestAndWorst(selection, ranks, { now, limit: rankedShown }),
  };
}

function bucketsOf({ period }: PageFilters, selection: Selection, defaults: FilterDefaults): Buckets {
  const today = todayOf(defaults);
  if (period.span) return divide(period.span, today);
  const span = spanOf(selection, defaults.timeZone);
  return span ? divideAll(span, today) : { unit: "month", spans: [] };
}

function shownSpan(
  { period }: PageFilters,
  selection: Selection,
  defaults: FilterDefaults,
): DateSpan | undefined {
  const sent = spanOf(selection, defaults.timeZone);
  if (!sent || !period.span) return sent;
  const today = todayOf(defaults);
  const { first, last } = period.span;
  const hasStart = period.name !== undefined || period.from !== undefined;
  return { first: hasStart ? first : sent.first, last: daysBetween(today, last) > 0 ? today : last };
}

/** The dates of the first and the last campaign. */
function spanOf(selection: Selection, timeZone: string): DateSpan | undefined {
  if (selection.size === 0) return undefined;
  const dateOf = (index: number) => dateAt(entryAt(selection, index).sentAt, timeZone);
  return { first: dateOf(0), last: dateOf(selection.size - 1) };
}

async function compare(
  numbers: NumbersTable,
  filters: PageFilters,
  defaults: FilterDefaults,
  { unit }: Buckets,
): Promise<Compared | undefined> {
  const { traffic, period, compare: comparison } = filters;
  const today = todayOf(defaults);
  const span = comparedSpan(period, comparison, today);
  if (!span) return undefined;
  const filter = { ...toNumbersFilter(filters, defaults), ...instantsOf(span, defaults.timeZone) };
  const selection = selectCampaigns(numbers, filter);
  if (selection.size === 0) return undefined;
  const buckets = divide(span, today, unit);
  const total = new Total();
  const trend = new SumsByPeriod(startsOf(buckets, defaults.timeZone));
  await sumSelection(selection, traffic, [total, trend]);
  return { span, total: total.sums, trend: trend.sums.slice(0, buckets.spans.length) };
}

function largest(sums: ReadonlyMap<CampaignGroup["key"], Sums>): CampaignGroups {
  const rateOf = (each: Sums) => coveredRateOf(each, "openRate").rate ?? -1;
  const shown = [...sums]
    .map(([key, each]) => ({ key, sums: each }))
    .sort((a, b) => b.sums.recipients - a.sums.recipients || b.sums.campaigns - a.sums.campaigns)
    .slice(0, groupsShown)
    .sort((a, b) => rateOf(b.sums) - rateOf(a.sums));
  return { shown, of: sums.size };
}

/** The traffic that the page does not show. */
export function otherOf(traffic: TrafficFilter): TrafficFilter {
  return traffic === "people" ? "all" : "people";
}
