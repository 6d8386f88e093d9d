// The query parameters of `/campaigns` besides the filters: the order, columns and page of the list.

import type { Locale } from "../../../locale/locale.ts";
import { parseChoice } from "../filters/filters.ts";
import { parsePageNumber } from "../ui/lists/list-pagination.ts";
import {
  type ColumnName,
  columnNames,
  defaultColumns,
  type SortName,
  sortNames,
} from "./campaign-columns.ts";

export const pageSizes = [25, 50, 100] as const;

export interface ListRequest {
  sort: SortName;
  isAscending: boolean;
  /** The columns besides the subject. The one that sorts the list is among them. */
  columns: readonly ColumnName[];
  /** Campaigns per page. */
  rows: (typeof pageSizes)[number];
  /** Pages count from 1; this one may be beyond the last. */
  page: number;
  /** The id of the campaign to compare with the one that is chosen next, or nothing. */
  compared: string;
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseListRequest(locale: Locale, query: URLSearchParams): ListRequest {
  const field = (name: string) => (query.get(name) ?? "").trim();
  const sort = parseChoice(locale, locale.t("campaigns.sort"), field("sort"), sortNames) ?? "sent_at";
  const order =
    parseChoice(locale, locale.t("campaigns.sort"), field("order"), ["asc", "desc"]) ?? defaultOrder(sort);
  const rows =
    parseChoice(locale, locale.t("campaigns.rowsPerPage"), field("rows"), pageSizes.map(String)) ?? "25";
  return {
    sort,
    isAscending: order === "asc",
    columns: withSorted(parseColumns(locale, query.getAll("columns")), sort),
    rows: Number(rows) as ListRequest["rows"],
    page: parsePageNumber(query.get("page")),
    compared: field("with"),
  };
}

/** The parameters of a request, without defaults. */
export function listParameters({ sort, isAscending, columns, rows, page, compared }: ListRequest) {
  const order = isAscending ? "asc" : "desc";
  return {
    ...(sort !== "sent_at" && { sort }),
    ...(order !== defaultOrder(sort) && { order }),
    ...(columns.join() !== defaultColumns.join() && { columns: columns.join(",") || "none" }),
    ...(rows !== 25 && { rows: String(rows) }),
    ...(page !== 1 && { page: String(page) }),
    ...(compared !== "" && { with: compared }),
  };
}

/** A list starts with the newest campaigns, and a column with its lowest values. */
function defaultOrder(sort: SortName): "asc" | "desc" {
  return sort === "sent_at" ? "desc" : "asc";
}

/**
 * In the order of the table, whatever their order in the URL. The form that chooses columns sends `none` besides them, so
 * that it can choose none.
 */
function parseColumns(locale: Locale, values: readonly string[]): readonly ColumnName[] {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  const named = names.filter((name) => name !== "");
  if (named.length === 0) return defaultColumns;
  const choices = [...columnNames, "none"] as const;
  const label = locale.t("campaigns.chooseColumns");
  const wanted = new Set(named.map((text) => parseChoice(locale, label, text, choices)));
  return columnNames.filter((name) => wanted.has(name));
}

/** The order of a list is seen in the column that it follows. The times of sending are its order without one. */
function withSorted(columns: readonly ColumnName[], sort: SortName): readonly ColumnName[] {
  return columnNames.filter((name) => columns.includes(name) || (name === sort && name !== "sent_at"));
}
