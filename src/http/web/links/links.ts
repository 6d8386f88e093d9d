// The page `/links`: the most clicked links of the campaigns that match the filters. Its file has the same columns and order.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { type ClickedLink, countClicks, findTopLinks } from "../../../storage/campaigns/campaign-links.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds, findTotals } from "../../../storage/sums/sum-queries.ts";
import { countedOf } from "../../../storage/sums/sums-filter.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { type FilteredCampaigns, filteredFile, filteredPage } from "../filters/filtered-campaigns.ts";
import { barColumn, numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { Page } from "../frame/page.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { columnsTable, type PageColumn } from "../ui/lists/table.ts";
import { commonHost, outsideLink } from "../ui/texts/outside-link.ts";

/** Older campaigns are left out: reading all would take too long. */
const maxCampaigns = 1_000;
const linksShown = 100;

/** The page, and its links as CSV. */
export const linksPages: Page[] = [
  filteredPage({
    path: webPaths.links,
    csv: webPaths.linksCsv,
    read: readLinks,
    show(found) {
      const { page, content, t } = found;
      return {
        title: t("pages.links"),
        lead: t("links.lead"),
        summary: t("links.caption", { links: content.links.length }),
        hasFile: content.links.length > 0,
        results:
          content.links.length === 0
            ? emptyState({ icon: "links", title: t("links.none"), text: t("links.noneHint") })
            : linksTable(found, page, content),
      };
    },
  }),
  filteredFile({
    path: webPaths.linksCsv,
    read: readLinks,
    show(found) {
      const {
        page: { filters },
        content,
      } = found;
      return csvFile(csvFileName("links", filters), linksColumns(found, filters, content), [content.links]);
    },
  }),
];

async function readLinks(scope: Scope, { filter, page }: FilteredCampaigns) {
  const { traffic } = page.filters;
  const ids = await findNewestIds(scope, countedOf(filter), maxCampaigns);
  const { sums } = await findTotals(scope, filter);
  const links = await findTopLinks(scope, { campaignIds: ids, traffic, limit: linksShown });
  const { urls, ...total } = await countClicks(scope, ids);
  return {
    read: ids.length,
    of: sums.countedCampaigns,
    imported: sums.campaigns - sums.countedCampaigns,
    links,
    total,
    others: urls - links.length,
  };
}

type FoundLinks = Awaited<ReturnType<typeof readLinks>>;

function linksTable(locale: Locale, page: FilteredPage, content: FoundLinks): Html {
  const { t } = locale;
  const { links, others, imported, read, of } = content;
  const columns = linksColumns(locale, page.filters, content, commonHost(links.map(({ url }) => url)));
  const caption = t("links.caption", { links: links.length });
  return html`<div class="list-table">${columnsTable(locale, caption, columns, links, { isStacked: "slim" })}</div>
<p class="soft small">${others > 0 && t("links.othersNote", { others })} ${t("links.scope", { read, of, isPartial: read < of, imported })}</p>`;
}

/** @param host of all links: it is the title of the table, whose links leave it out */
function linksColumns(
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
    numberColumn(locale, t("pages.campaigns"), "count", ({ campaigns }) => campaigns),
  ];
}
