// The page of one link: the campaigns that have it, by its clicks.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import type { Campaign } from "../../../campaign/campaign.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import type { WebSession } from "../frame/page.ts";
import { dataTable, numberCell, withBar } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import type { ClicksInCampaign } from "./read-links.ts";

/** Null if the sender has stated no recipients. */
export function per100Recipients(clicks: number, { recipientCount }: Campaign): number | null {
  return recipientCount ? (100 * clicks) / recipientCount : null;
}

/** To one decimal, as rates. */
const rounded = (value: number | null) => value && Math.round(10 * value) / 10;

interface LinkTable {
  /** Of all campaigns, sorted. */
  clicks: readonly ClicksInCampaign[];
  /** Those of the page. */
  shown: readonly ClicksInCampaign[];
  /** The campaigns of the page. */
  campaigns: readonly StoredCampaign[];
  traffic: TrafficFilter;
  /** The query string of the list of all campaigns that match. */
  list: URLSearchParams;
}

export function linkTable(
  { locale, organization }: WebSession,
  caption: string,
  { clicks, shown, campaigns, traffic, list }: LinkTable,
): Html {
  const { t, format } = locale;
  const total = clicks.reduce((sum, each) => sum + each[traffic], 0);
  const most = clicks[0]?.[traffic] || 1;
  const byId = new Map(campaigns.map((stored) => [stored.campaign.id, stored.campaign]));
  const rows = shown.flatMap((each) => {
    const stored = byId.get(each.campaignId);
    if (!stored) return [];
    const url = campaignUrl(stored.id, organization, { tab: "links", traffic, list });
    const count = each[traffic];
    return [
      [
        html`<a href="${url}">${subjectOf(locale, stored)}</a>`,
        format.date(dateAt(stored.sentAt, organization.timeZone)),
        withBar(count / most, format.count(count)),
        numberOrDash(locale, "mean", rounded(per100Recipients(count, stored))),
        numberOrDash(locale, "rate", total > 0 ? count / total : null),
      ],
    ];
  });
  const about = [t("links.campaign"), t("campaigns.columns.sent_at"), t("links.clicks")];
  const titles = [...about, t("links.clicksPer100"), t("links.shareOfLink")];
  const classes = ["text", "time", "number bar", "number", "number"];
  const footer = html`<tr><th scope="row" colspan="2">${t("campaigns.total", { count: clicks.length })}</th>${numberCell(locale, total, t("links.clicks"))}<td></td><td></td></tr>`;
  const options = { isStacked: "slim" as const, footer };
  return html`<div class="list-table">${dataTable(caption, titles, rows, { ...options, classes })}</div>`;
}
