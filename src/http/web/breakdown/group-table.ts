// The table of groups: their rates with ranges, how the open rate changed, and its trend. Each head sorts.

import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { rateDifference } from "../../../locale/rate-difference.ts";
import { rateCell } from "../ui/lists/group-cells.ts";
import {
  cellLabel,
  columnHeader,
  numberCell,
  numberColumnHeader,
  renderTable,
  sortableHeader,
} from "../ui/lists/table.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import { noValue } from "../ui/numbers/number-or-dash.ts";
import {
  type BreakdownRow,
  type GroupColumn,
  type GroupOrder,
  groupRates,
  orderAfter,
} from "./group-order.ts";

interface GroupTableOptions {
  caption: string;
  columns: readonly GroupColumn[];
  /** The title of the first column. */
  name: string;
  order: GroupOrder;
  /** The page in another order. */
  urlOf(order: GroupOrder): string;
}

export function groupTable(locale: Locale, rows: readonly BreakdownRow[], options: GroupTableOptions): Html {
  const { caption, columns, order, urlOf } = options;
  const titles = columnTitles(locale, options.name);
  const headers = columns.map((column) => {
    const next = orderAfter(order, column);
    const names =
      column === "name" ? locale.texts("campaigns.sortText") : locale.texts("campaigns.sortNumber");
    return sortableHeader(titles[column], {
      url: urlOf(next),
      sorted: column === order.sort ? (order.isAscending ? "ascending" : "descending") : undefined,
      hint: names[next.isAscending ? "asc" : "desc"],
      isNumber: column !== "name",
    });
  });
  return html`<div class="list-table">${tableOf(locale, rows, { caption, columns, titles, headers })}</div>`;
}

/** A card of the overview: without trend and without another order. */
export function shortGroupTable(
  locale: Locale,
  rows: readonly BreakdownRow[],
  { caption, columns, name }: Pick<GroupTableOptions, "caption" | "columns" | "name">,
): Html {
  const titles = columnTitles(locale, name);
  const headers = columns.map((column) =>
    column === "name" ? columnHeader(titles.name) : numberColumnHeader(titles[column]),
  );
  return tableOf(locale, rows, { caption, columns, titles, headers, isShort: true });
}

function tableOf(
  locale: Locale,
  rows: readonly BreakdownRow[],
  {
    caption,
    columns,
    titles,
    headers,
    isShort = false,
  }: Pick<GroupTableOptions, "caption" | "columns"> & {
    titles: Record<GroupColumn, string>;
    headers: readonly Html[];
    isShort?: boolean;
  },
): Html {
  const cells = rows.map(
    (row) =>
      html`<tr${row.isProvisional && html` class="provisional"`}>${columns.map((column) => cellOf(locale, row, { column, label: titles[column], isShort }))}</tr>
`,
  );
  return renderTable(caption, headers, cells, { isStacked: true, hidesCaption: true });
}

export function columnTitles({ t }: Locale, name: string): Record<GroupColumn, string> {
  return {
    name,
    campaigns: t("links.campaigns"),
    recipients: t("audience.emails"),
    open_rate: t("overview.rates.openRate"),
    change: t("breakdown.change"),
    click_rate: t("overview.rates.clickRate"),
    read: t("overview.rates.readShare"),
    enps: t("overview.rates.enpsIndex"),
  };
}

function cellOf(locale: Locale, row: BreakdownRow, { column, label, isShort }: CellOptions): Html {
  const { total, all } = row;
  if (column === "name") return html`<th scope="row" class="text">${row.label}</th>\n`;
  if (column === "change")
    return html`<td class="number changed"${cellLabel(label)}>${changeText(locale, row)}</td>\n`;
  if (column === "campaigns" || column === "recipients")
    return html`${numberCell(locale, total[column], label)}\n`;
  const hasBar = column === "open_rate" && !isShort;
  return html`${rateCell(locale, total, { name: groupRates[column], label, hasBar, all })}\n`;
}

interface CellOptions {
  column: GroupColumn;
  label: string;
  isShort: boolean;
}

/** How the open rate changed, and what it was a year before. */
function changeText(locale: Locale, { rate, before }: BreakdownRow): HtmlValue {
  if (!rate || !before) return noValue(locale);
  return html`${renderChange(rateDifference(locale, "openRate", rate, before))} <div class="soft small">${locale.format.rate(before.value)}</div>`;
}
