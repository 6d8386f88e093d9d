// The columns of the audience, and the order of its rows in the URL.

import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { parseChoice } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import type { AudienceRow } from "./read-audience.ts";

/** By their values in the URL. */
export const audienceColumns = [
  "name",
  "campaigns",
  "recipients",
  "open_rate",
  "click_rate",
  "read",
  "enps",
] as const;
export type AudienceColumn = (typeof audienceColumns)[number];

const rates = {
  open_rate: "openRate",
  click_rate: "clickRate",
  read: "readShare",
  enps: "enpsIndex",
} as const;

export interface AudienceOrder {
  sort: AudienceColumn;
  isAscending: boolean;
}

const defaultSort: AudienceColumn = "open_rate";
/** Numbers start with the highest. */
const isAscendingFirst = (sort: AudienceColumn) => sort === "name";

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseOrder(locale: Locale, query: URLSearchParams): AudienceOrder {
  const label = locale.t("campaigns.sort");
  const sort = parseChoice(locale, label, query.get("sort") ?? "", audienceColumns) ?? defaultSort;
  const order = parseChoice(locale, label, query.get("order") ?? "", ["asc", "desc"] as const);
  return { sort, isAscending: order === undefined ? isAscendingFirst(sort) : order === "asc" };
}

/** The parameters of an order, without defaults. */
export function orderParameters({ sort, isAscending }: AudienceOrder): Record<string, string> {
  return {
    ...(sort !== defaultSort && { sort }),
    ...(isAscending !== isAscendingFirst(sort) && { order: isAscending ? "asc" : "desc" }),
  };
}

/** The order after a click on the head of a column. */
export function orderAfter({ sort, isAscending }: AudienceOrder, clicked: AudienceColumn): AudienceOrder {
  return { sort: clicked, isAscending: clicked === sort ? !isAscending : isAscendingFirst(clicked) };
}

/** Rows without a value are last, as are recipients of whom no value is known. */
export function sortRows(rows: readonly AudienceRow[], { sort, isAscending }: AudienceOrder): AudienceRow[] {
  const sign = isAscending ? 1 : -1;
  const isUnknown = ({ id, attributeId }: AudienceRow) => Number(id === attributeId);
  return rows.toSorted((a, b) => {
    const byName = a.name.localeCompare(b.name);
    if (isUnknown(a) !== isUnknown(b)) return isUnknown(a) - isUnknown(b);
    if (sort === "name") return sign * byName;
    const [first, second] = [numberIn(a, sort), numberIn(b, sort)];
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byName;
    return sign * (first - second) || byName;
  });
}

export function numberIn({ total }: AudienceRow, column: Exclude<AudienceColumn, "name">): number | null {
  if (column === "campaigns" || column === "recipients") return total[column];
  return coveredRateOf(total, rates[column]).rate;
}
