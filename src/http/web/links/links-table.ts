// The most clicked links: their table, whose columns the file has too.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { ClickedLink } from "../../../storage/campaigns/campaign-links.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { barColumn, numberColumn } from "../frame/columns.ts";
import { columnsTable, type PageColumn } from "../ui/lists/table.ts";
import { commonHost, outsideLink } from "../ui/texts/outside-link.ts";
import type { FoundLinks } from "./read-links.ts";

export function linksTable(locale: Locale, page: FilteredPage, content: FoundLinks): Html {
  const { t } = locale;
  const { links, others, ids, of } = content;
  const columns = linksColumns(locale, page.filters, content, commonHost(links.map(({ url }) => url)));
  const caption = t("links.caption", { links: links.length });
  return html`<div class="list-table">${columnsTable(locale, caption, columns, links, { isStacked: "slim" })}</div>
<p class="soft small">${others > 0 && t("links.othersNote", { others })} ${t("links.scope", { read: ids.length, of, isPartial: ids.length < of })}</p>`;
}

/** @param host of all links: it is the title of the table, whose links leave it out */
export function linksColumns(
  locale: Locale,
  { traffic }: FilteredPage["filters"],
  { links, total }: FoundLinks,
  host?: string,
): PageColumn<ClickedLink>[] {
  const { t } = locale;
  return [
    {
      title: host ?? t("links.link"),
      className: "text",
      csv: ({ url }) => url,
      cell: ({ url }) => outsideLink(url, host),
    },
    barColumn(locale, t("links.clicks"), links[0]?.[traffic], (each) => each[traffic]),
    numberColumn(locale, t("links.share"), "rate", (each) =>
      total[traffic] > 0 ? each[traffic] / total[traffic] : null,
    ),
    numberColumn(locale, t("links.campaigns"), "count", ({ campaigns }) => campaigns),
  ];
}
