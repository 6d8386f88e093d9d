// The links of a request as CSV, or the campaigns of one link, in the order of the page.

import { findReleased } from "../../../listing/find-released.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { paths } from "../../../paths.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { type FilteredCampaigns, filteredCampaigns, requireFilters } from "../filters/filtered-campaigns.ts";
import { linkOf } from "../filters/link-url.ts";
import { csvFile, csvNumber, csvTime, csvTitle, csvUnits } from "../frame/csv-file.ts";
import type { FileContent, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { per100Recipients } from "./link-campaigns.ts";
import { type ClicksInCampaign, type FoundLink, type FoundLinks, readLink, readLinks } from "./read-links.ts";

/** Campaigns per query: writing their lines takes a few milliseconds. */
const batchSize = 250;

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
  { database, shutdownSignal: signal }: WebContext,
  session: WebSession,
  clicks: readonly { id: number; count: number }[],
): AsyncGenerator<unknown[][]> {
  const total = clicks.reduce((sum, { count }) => sum + count, 0);
  for (let from = 0; from < clicks.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = clicks.slice(from, from + batchSize);
    const ids = batch.map(({ id }) => id);
    const found = await database.queryOf(session.organization.id, (scope) =>
      findReleased(scope, session.organization, ids),
    );
    const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
    yield batch.flatMap(({ id, count }) => {
      const stored = byId.get(id);
      return stored
        ? [
            [
              ...nameCells(session, stored),
              count,
              per100Recipients(count, stored.campaign),
              shareOf(count, total),
            ],
          ]
        : [];
    });
  }
}

function nameCells({ locale, organization }: WebSession, { campaign }: StoredCampaign): unknown[] {
  return [campaign.id, plainSubject(locale, campaign), csvTime(campaign.sentAt, organization.timeZone)];
}
