// The table of the groups of an attribute over several campaigns.

import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { groupName, rateCell } from "../ui/group-cells.ts";
import { sparkline } from "../ui/sparkline.ts";
import { cellLabel, columnHeader, numberCell, renderTable, sortableHeader } from "../ui/table.ts";
import { type AudienceColumn, type AudienceOrder, audienceColumns, orderAfter } from "./audience-order.ts";
import type { Audience, AudienceRow } from "./read-audience.ts";

/** @param urlOf the page in another order */
export function audienceTable(
  locale: Locale,
  { rows, unit }: Audience,
  {
    attribute,
    order,
    urlOf,
  }: {
    attribute: string;
    order: AudienceOrder;
    urlOf(order: AudienceOrder): string;
  },
): Html {
  const titles = columnTitles(locale, attribute);
  const headers = audienceColumns.map((column) => {
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
  const trend = locale.t(`audience.trend.${unit}`);
  const caption = locale.t("audience.caption", { attribute });
  return html`<div class="list-table">${renderTable(
    caption,
    [...headers, columnHeader(trend)],
    rows.map((row) => audienceRow(locale, row, { ...titles, trend })),
    { isStacked: true, hidesCaption: true },
  )}</div>`;
}

type ColumnTitles = Record<AudienceColumn, string>;

export function columnTitles({ t }: Locale, attribute: string): ColumnTitles {
  return {
    name: attribute,
    campaigns: t("links.campaigns"),
    recipients: t("audience.emails"),
    open_rate: t("overview.rates.openRate"),
    click_rate: t("overview.rates.clickRate"),
    read: t("campaign.keyNumbers.readShare"),
    enps: t("overview.rates.enpsIndex"),
  };
}

function audienceRow(locale: Locale, row: AudienceRow, titles: ColumnTitles & { trend: string }): Html {
  const { total, trend } = row;
  const values = trend.map((sums) => coveredRateOf(sums, "openRate").rate);
  return html`<tr><th scope="row" class="text">${groupName(locale, row)}</th>
${numberCell(locale, total.campaigns, titles.campaigns)}
${numberCell(locale, total.recipients, titles.recipients)}
${rateCell(locale, total, { name: "openRate", label: titles.open_rate, hasBar: true })}
${rateCell(locale, total, { name: "clickRate", label: titles.click_rate })}
${rateCell(locale, total, { name: "readShare", label: titles.read })}
${rateCell(locale, total, { name: "enpsIndex", label: titles.enps })}
<td${cellLabel(titles.trend)}>${sparkline(values)}</td></tr>
`;
}
