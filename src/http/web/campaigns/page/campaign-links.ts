// The links of a campaign, by clicks.

import { type Html, html } from "../../../../locale/html.ts";
import { linksKept } from "../../../../storage/campaigns/campaign-links.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { dataTable, withBar } from "../../ui/lists/table.ts";
import { numberOrDash } from "../../ui/numbers/number-or-dash.ts";
import { commonHost, outsideLink } from "../../ui/texts/outside-link.ts";
import type { CampaignView } from "./campaign-view.ts";

export function linksTab(view: CampaignView): Html {
  const { t } = view;
  if (!view.details)
    return emptyState({ icon: "links", title: t("pages.links"), text: t("campaign.importedLinks") });
  if (view.details.links.length === 0)
    return emptyState({ icon: "links", title: t("pages.links"), text: t("campaign.noClicks") });
  return html`<section class="card"><h2 class="visually-hidden">${t("pages.links")}</h2>${linksTable(view)}
<p class="soft small">${t("campaign.linksNote", { max: linksKept })}</p></section>`;
}

/**
 * With the clicks of the traffic that is shown. The whole table also has those of all traffic.
 *
 * @param limit how many links to show; all by default
 */
export function linksTable(view: CampaignView, limit?: number): Html {
  const { details, traffic, t, format } = view;
  const links = sortByClicks((details?.links ?? []).map((each) => ({ ...each, clicks: each[traffic] })));
  const total = links.reduce((sum, { clicks }) => sum + clicks, 0);
  const most = links.reduce((max, { clicks }) => Math.max(max, clicks), 1);
  const host = commonHost(links.map(({ url }) => url));
  const showsBoth = limit === undefined && traffic === "people";
  const rows = links
    .filter(({ clicks }) => limit === undefined || clicks > 0)
    .slice(0, limit)
    .map(({ url, clicks, all }) => [
      url === "" ? t("campaign.otherLinks") : outsideLink(url, host),
      withBar(clicks / most, format.count(clicks)),
      numberOrDash(view, "rate", total > 0 ? clicks / total : null),
      ...(showsBoth ? [numberOrDash(view, "count", all)] : []),
    ]);
  return dataTable(
    t("campaign.linksCaption"),
    [
      host ?? t("campaign.link"),
      showsBoth ? t("campaign.humanClicks") : t("links.clicks"),
      t("campaign.clickShare"),
      ...(showsBoth ? [t("campaign.allClicks")] : []),
    ],
    rows,
    { classes: ["text", "number bar", "number", "number"], hidesCaption: true, isStacked: "slim" },
  );
}

/** The row for all other links comes last. */
function sortByClicks<Link extends { url: string; clicks: number }>(links: readonly Link[]): Link[] {
  return links.toSorted((a, b) => Number(a.url === "") - Number(b.url === "") || b.clicks - a.clicks);
}
