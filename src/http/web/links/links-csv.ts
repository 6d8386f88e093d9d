// The links of a request as CSV, or the campaigns of one link, in the order of the page.

import { readReleased } from "../../../listing/find-released.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { paths } from "../../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { type FilteredCampaigns, filteredCampaigns, requireFilters } from "../filters/filtered-campaigns.ts";
import { linkOf } from "../filters/link-url.ts";
import { csvFile, csvNumber, csvTime, csvTitle, csvUnits } from "../frame/csv-file.ts";
import type { FileContent, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { per100Recipients } from "./link-campaigns.ts";
import { type ClicksInCampaign, type FoundLink, type FoundLinks, readLink, readLinks } from "./read-links.ts";

export function linksFile(context: WebContext): Page {
  return {
    path: paths.web.linksCsv,
    role: "viewer",
    async show(session, request) {
      const url = linkOf(request.query);
      const { found, content } = await filteredCampaigns(context, session, request, {
        path: paths.web.links,
        read: (scope, filtered): Promise<FoundLinks | FoundLink> =>
          url === "" ? readLinks(scope, filtered) : readLink(scope, filtered, url),
      });
      requireFilters(found);
      return "links" in content
        ? linksCsv(session, found, content)
        : linkCsv(context, session, found, content.clicks);
    },
  };
}

function linksCsv(
  { locale }: WebSession,
  { page: { filters } }: FilteredCampaigns,
  { links, total }: FoundLinks,
): FileContent {
  const rows = links.map((each) => [
    each.url,
    each[filters.traffic],
    shareOf(each[filters.traffic], total[filters.traffic]),
    each.campaigns,
  ]);
  const header = [
    locale.t("links.link"),
    locale.t("links.clicks"),
    csvTitle(locale.t("links.share"), csvUnits.rate),
    locale.t("links.campaigns"),
  ];
  return csvFile(csvFileName("links", filters), header, [rows]);
}

/** In percent. */
const shareOf = (clicks: number, total: number) => csvNumber("rate", total > 0 ? clicks / total : null);

/** @param clicks in each campaign that has the link */
function linkCsv(
  context: WebContext,
  session: WebSession,
  { page: { filters } }: FilteredCampaigns,
  clicks: readonly ClicksInCampaign[],
): FileContent {
  const { locale, organization } = session;
  const header = [
    ...[
      locale.t("campaigns.id"),
      locale.t("links.campaign"),
      csvTitle(locale.t("campaigns.columns.sent_at"), organization.timeZone),
    ],
    ...[
      locale.t("links.clicks"),
      locale.t("links.clicksPer100"),
      csvTitle(locale.t("links.shareOfLink"), csvUnits.rate),
    ],
  ];
  const counted = clicks.map((each) => ({ id: each.campaignId, count: each[filters.traffic] }));
  return csvFile(csvFileName("link", filters), header, linkRows(context, session, counted));
}

async function* linkRows(
  { database, shutdownSignal }: WebContext,
  { locale, organization }: WebSession,
  clicks: readonly { id: number; count: number }[],
): AsyncGenerator<unknown[][]> {
  const total = clicks.reduce((sum, { count }) => sum + count, 0);
  const counts = new Map(clicks.map(({ id, count }) => [id, count]));
  for await (const campaigns of readReleased(database, organization, [...counts.keys()], shutdownSignal)) {
    yield campaigns.map(({ campaign }) => {
      const count = counts.get(campaign.id) ?? 0;
      return [
        ...[campaign.id, plainSubject(locale, campaign), csvTime(campaign.sentAt, organization.timeZone)],
        ...[count, per100Recipients(count, campaign), shareOf(count, total)],
      ];
    });
  }
}
