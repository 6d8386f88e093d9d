// The campaigns that have a link, by its clicks: the columns of its page and of its file.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { type Html, html } from "../../../locale/html.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { listQuery } from "../filters/filters.ts";
import { barColumn, numberColumn, timeColumn } from "../frame/columns.ts";
import type { WebSession } from "../frame/page.ts";
import { columnsTable, numberCell, type PageColumn } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import type { FoundLink } from "./read-links.ts";

/** The table has one decimal, as for rates. */
const rounded = (value: number | null) => value && Math.round(10 * value) / 10;

/** The columns of {@link linkTable}, whose rows are campaigns. */
export function campaignColumns(
  session: WebSession,
  { filters, defaults }: FilteredPage,
  { clicks, total }: FoundLink,
): PageColumn<StoredCampaign>[] {
  const { locale, organization } = session;
  const { t, format } = locale;
  const { traffic } = filters;
  const list = listQuery(filters, defaults);
  const counts = new Map(clicks.map((each) => [each.campaignId, each[traffic]]));
  const clicksIn = ({ campaign }: StoredCampaign) => counts.get(campaign.id) ?? 0;
  /** Is null if the sender has stated no recipients. */
  const per100 = (stored: StoredCampaign) => {
    const { recipientCount } = stored.campaign;
    return recipientCount ? (100 * clicksIn(stored)) / recipientCount : null;
  };
  return [
    { title: t("campaigns.id"), csv: ({ campaign }) => campaign.id, cell: false },
    {
      title: t("links.campaign"),
      csv: ({ campaign }) => plainSubject(locale, campaign),
      className: "text",
      cell: ({ campaign }) =>
        html`<a href="${campaignUrl(campaign.id, organization, { tab: "links", traffic, list })}">${subjectOf(locale, campaign)}</a>`,
    },
    {
      ...timeColumn(session, t("campaigns.columns.sent_at"), ({ campaign }) => campaign.sentAt),
      className: "time",
      cell: ({ campaign }) => format.date(dateAt(campaign.sentAt, organization.timeZone)),
    },
    barColumn(locale, t("links.clicks"), clicks[0]?.[traffic], clicksIn),
    {
      title: t("links.clicksPer100"),
      csv: per100,
      className: "number",
      cell: (stored) => numberOrDash(locale, "mean", rounded(per100(stored))),
    },
    numberColumn(locale, t("links.shareOfLink"), "rate", (stored) =>
      total > 0 ? clicksIn(stored) / total : null,
    ),
  ];
}

/** @param link with the campaigns of the page */
export function linkTable(
  session: WebSession,
  caption: string,
  page: FilteredPage,
  link: FoundLink & { campaigns: readonly StoredCampaign[] },
): Html {
  const { locale } = session;
  const { t } = locale;
  const footer = html`<tr><th scope="row" colspan="2">${t("campaigns.total", { count: link.clicks.length })}</th>${numberCell(locale, link.total, t("links.clicks"))}<td></td><td></td></tr>`;
  const columns = campaignColumns(session, page, link);
  return html`<div class="list-table">${columnsTable(locale, caption, columns, link.campaigns, { isStacked: "slim", footer })}</div>`;
}
