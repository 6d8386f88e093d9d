// The table of groups: their rates with ranges, how the open rate changed, and its trend. Each head sorts.

import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { rateDifference } from "../../../locale/rate-difference.ts";
import { numberColumn, rateColumn } from "../frame/columns.ts";
import { columnsTable, type PageColumn, sortableHeader } from "../ui/lists/table.ts";
import { renderChange } from "../ui/numbers/key-metrics.ts";
import { noValue } from "../ui/numbers/number-or-dash.ts";
import {
  type BreakdownRow,
  type GroupColumn,
  type GroupOrder,
  groupRates,
  numberIn,
  orderAfter,
} from "./group-order.ts";

interface GroupTableOptions {
  caption: string;
  columns: readonly GroupColumn[];
  /** The title of the first column. */
  name: string;
  /** How the heads sort, and the page in another order. A card of the overview does without, and without bars. */
  sorting?: { order: GroupOrder; urlOf(order: GroupOrder): string };
}

export function groupTable(
  locale: Locale,
  rows: readonly BreakdownRow[],
  { caption, columns, name, sorting }: GroupTableOptions,
): Html {
  const all = groupColumnsOf(locale, name, sorting !== undefined);
  const shown = columns.map((column) => ({
    ...all[column],
    header: sorting && headerOf(locale, column, all[column].title, sorting),
  }));
  return columnsTable(locale, caption, shown, rows, {
    isStacked: true,
    hidesCaption: true,
    rowClasses: rows.map(({ isProvisional }) => (isProvisional ? "provisional" : undefined)),
  });
}

function headerOf(
  { texts }: Locale,
  column: GroupColumn,
  title: string,
  { order, urlOf }: NonNullable<GroupTableOptions["sorting"]>,
): Html {
  const next = orderAfter(order, column);
  const names = column === "name" ? texts("campaigns.sortText") : texts("campaigns.sortNumber");
  return sortableHeader(title, {
    url: urlOf(next),
    sorted: column === order.sort ? (order.isAscending ? "ascending" : "descending") : undefined,
    hint: names[next.isAscending ? "asc" : "desc"],
    isNumber: column !== "name",
  });
}

/** The columns of tables and files. @param name the title of the first one */
export function groupColumnsOf(
  locale: Locale,
  name: string,
  hasBars = false,
): Record<GroupColumn, PageColumn<BreakdownRow>> {
  const { t } = locale;
  const rate = (column: keyof typeof groupRates) =>
    rateColumn(
      locale,
      t(`numbers.${groupRates[column]}`),
      groupRates[column],
      ({ total, all }: BreakdownRow) => ({ sums: total, all }),
      hasBars && column === "open_rate",
    );
  return {
    name: { title: name, className: "text", csv: (row) => row.name, cell: ({ label }) => label },
    campaigns: numberColumn(locale, t("pages.campaigns"), "count", ({ total }) => total.campaigns),
    recipients: numberColumn(locale, t("audience.emails"), "count", ({ total }) => total.recipients),
    open_rate: rate("open_rate"),
    change: {
      ...numberColumn(locale, t("breakdown.change"), "rate", (row) => numberIn(row, "change")),
      unit: t("breakdown.points"),
      className: "number changed",
      cell: (row) => changeText(locale, row),
    },
    click_rate: rate("click_rate"),
    read: rate("read"),
    enps: rate("enps"),
  };
}

/** How the open rate changed, and what it was a year before. */
function changeText(locale: Locale, { rate, before }: BreakdownRow): HtmlValue {
  if (!rate || !before) return noValue(locale);
  return html`${renderChange(rateDifference(locale, "openRate", rate, before))} <div class="soft small">${locale.format.rate(before.value)}</div>`;
}
