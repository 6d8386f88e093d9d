// The query parameters of `/campaigns`: the filters, and the order, columns and page of the list.

import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import type { FilterDefaults, PageFilters } from "../../../listing/sums/page-filters.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { parseChoice, parseFilters } from "../filters/filters.ts";
import type { WebSession } from "../frame/page.ts";
import { parsePageNumber } from "../ui/lists/list-pagination.ts";
import {
  type ColumnName,
  columnNames,
  defaultColumns,
  type SortName,
  sortNames,
} from "./campaign-columns.ts";

export const pageSizes = [25, 50, 100] as const;

export interface CampaignsRequest {
  filters: PageFilters;
  sort: SortName;
  isAscending: boolean;
  /** The columns besides the subject. The one that sorts the list is among them. */
  columns: readonly ColumnName[];
  /** Campaigns per page. */
  rows: (typeof pageSizes)[number];
  /** Pages count from 1; this one may be beyond the last. */
  page: number;
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseCampaignsRequest(
  locale: Locale,
  query: URLSearchParams,
  filters: PageFilters,
): CampaignsRequest {
  const field = (name: string) => (query.get(name) ?? "").trim();
  const sort = parseChoice(locale, locale.t("campaigns.sort"), field("sort"), sortNames) ?? "sent_at";
  const order =
    parseChoice(locale, locale.t("campaigns.sort"), field("order"), ["asc", "desc"]) ?? defaultOrder(sort);
  const rows =
    parseChoice(locale, locale.t("campaigns.rowsPerPage"), field("rows"), pageSizes.map(String)) ?? "25";
  return {
    filters,
    sort,
    isAscending: order === "asc",
    columns: withSorted(parseColumns(locale, query.getAll("columns")), sort),
    rows: Number(rows) as CampaignsRequest["rows"],
    page: parsePageNumber(query.get("page")),
  };
}

/**
 * What the parameters of a request of a session mean.
 *
 * @throws as {@link parseCampaignsRequest}
 */
export async function readCampaignsRequest(
  scope: Scope,
  session: WebSession,
  query: URLSearchParams,
  now: number,
): Promise<{ request: CampaignsRequest; defaults: FilterDefaults }> {
  const defaults = await findFilterDefaults(scope, session, now);
  const filters = parseFilters(session.locale, query, defaults);
  return { request: parseCampaignsRequest(session.locale, query, filters), defaults };
}

/** The query string of a request, without defaults. */
export function campaignsQuery(request: CampaignsRequest, defaults: FilterDefaults): URLSearchParams {
  const { filters, sort, isAscending, columns, rows, page } = request;
  const query = filterQuery(filters, defaults);
  const order = isAscending ? "asc" : "desc";
  if (sort !== "sent_at") query.set("sort", sort);
  if (order !== defaultOrder(sort)) query.set("order", order);
  if (columns.join() !== defaultColumns.join()) query.set("columns", columns.join(",") || "none");
  if (rows !== 25) query.set("rows", String(rows));
  if (page !== 1) query.set("page", String(page));
  return query;
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
