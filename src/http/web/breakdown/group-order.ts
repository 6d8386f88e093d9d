// The rows and columns of a table of groups, such as teams, and the order of its rows in the URL.

import type { Ranged } from "../../../campaign/ranges.ts";
import type { SpreadSums } from "../../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { HtmlValue } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { parseChoice } from "../filters/filters.ts";

export interface BreakdownRow {
  name: string;
  /** The name as the page shows it, such as a link. */
  label: HtmlValue;
  /** Campaigns or recipients without a value: the last row, whatever the order. */
  isUnknown: boolean;
  total: SpreadSums;
  /** The sums of all groups together. */
  all?: SpreadSums;
  /** Most of its campaigns are still counting, so that its numbers are those so far. */
  isProvisional?: boolean;
  /** Whether its open rate differs from that of all other campaigns by more than chance. */
  standsOut?: boolean;
  /** The open rate, to compare it with the next one. */
  rate?: Ranged | null;
  /** The open rate a year before; null if it cannot be compared. */
  before?: Ranged | null;
}

/** Names the columns as the URL does. */
export const groupColumns = [
  "name",
  "campaigns",
  "recipients",
  "open_rate",
  "change",
  "click_rate",
  "read",
  "enps",
] as const;
export type GroupColumn = (typeof groupColumns)[number];

export const groupRates = {
  open_rate: "openRate",
  click_rate: "clickRate",
  read: "readShare",
  enps: "enpsIndex",
} as const;

export interface GroupOrder {
  sort: GroupColumn;
  isAscending: boolean;
}

export const usualOrder: GroupOrder = { sort: "open_rate", isAscending: false };
/** Numbers start with the highest. */
const isAscendingFirst = (sort: GroupColumn) => sort === "name";

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseOrder(
  locale: Locale,
  query: URLSearchParams,
  columns: readonly GroupColumn[] = groupColumns,
): GroupOrder {
  const label = locale.t("campaigns.sort");
  const sort = parseChoice(locale, label, query.get("sort") ?? "", columns) ?? usualOrder.sort;
  const order = parseChoice(locale, label, query.get("order") ?? "", ["asc", "desc"] as const);
  return { sort, isAscending: order === undefined ? isAscendingFirst(sort) : order === "asc" };
}

/** The parameters of an order, without defaults. */
export function orderParameters({ sort, isAscending }: GroupOrder): Record<string, string> {
  return {
    ...(sort !== usualOrder.sort && { sort }),
    ...(isAscending !== isAscendingFirst(sort) && { order: isAscending ? "asc" : "desc" }),
  };
}

/** The order after a click on the head of a column. */
export function orderAfter({ sort, isAscending }: GroupOrder, clicked: GroupColumn): GroupOrder {
  return { sort: clicked, isAscending: clicked === sort ? !isAscending : isAscendingFirst(clicked) };
}

/** Rows without a value are last. */
export function sortRows<Row extends BreakdownRow>(
  rows: readonly Row[],
  { sort, isAscending }: GroupOrder,
): Row[] {
  const sign = isAscending ? 1 : -1;
  return rows.toSorted((a, b) => {
    const byName = a.name.localeCompare(b.name);
    if (a.isUnknown !== b.isUnknown) return Number(a.isUnknown) - Number(b.isUnknown);
    if (sort === "name") return sign * byName;
    const [first, second] = [numberIn(a, sort), numberIn(b, sort)];
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byName;
    return sign * (first - second) || byName;
  });
}

/** A rate from 0 to 1, the index, a count, or a difference of open rates; null without a value. */
export function numberIn(
  { total, before }: BreakdownRow,
  column: Exclude<GroupColumn, "name">,
): number | null {
  if (column === "campaigns" || column === "recipients") return total[column];
  if (column !== "change") return coveredRateOf(total, groupRates[column]).rate;
  const { rate } = coveredRateOf(total, "openRate");
  return rate === null || !before ? null : rate - before.value;
}
