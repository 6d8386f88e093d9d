// The links page at `/links`: the most clicked links of the campaigns that match the filters, or one link and its campaigns.

import { findReleased } from "../../../listing/find-released.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import { type FilteredCampaigns, filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import { linkOf } from "../filters/link-url.ts";
import { breadcrumb } from "../frame/layout.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { isLinkable, urlText, urlTitle } from "../ui/texts/outside-link.ts";
import { linkTable } from "./link-campaigns.ts";
import { linksFile } from "./links-csv.ts";
import { linksTable } from "./links-table.ts";
import { type FoundLink, type FoundLinks, readLink, readLinks } from "./read-links.ts";

/** Campaigns of one link. */
const pageSize = 50;

/** The page, and its links as CSV. */
export function linksPages(context: WebContext): Page[] {
  return [linksPage(context), linksFile(context)];
}

function linksPage(context: WebContext): Page {
  return {
    path: paths.web.links,
    role: "viewer",
    async show(session, request) {
      const { user, locale } = session;
      const url = linkOf(request.query);
      const own: Record<string, string> = url === "" ? {} : { link: url };
      const { found, content } = await filteredCampaigns(context, session, request, {
        path: paths.web.links,
        own,
        read: (scope, filtered): Promise<FoundLinks | OneLink> =>
          url === "" ? readLinks(scope, filtered) : readOne(scope, { session, request, url }, filtered),
      });
      if (found.isEmpty) return { title: locale.t("links.title"), body: gettingStarted(locale, user.role) };
      return "url" in content ? showLink(session, found, content) : showLinks(session, found, content);
    },
  };
}

interface OneLink extends FoundLink {
  url: string;
  /** The campaigns on the page of the list, and the links to its other pages. */
  campaigns: StoredCampaign[];
  pagination: HtmlValue;
}

async function readOne(
  scope: Scope,
  { session, request, url }: { session: WebSession; request: PageRequest; url: string },
  found: FilteredCampaigns,
): Promise<OneLink> {
  const { organization, locale } = session;
  const read = await readLink(scope, found, url);
  const options = { page: request.query.get("page"), pageSize, what: locale.t("links.campaigns") };
  const { shown, links } = paginate(locale, read.clicks, { ...options, query: found.page.queryOf({}) });
  const ids = shown.map(({ campaignId }) => campaignId);
  return { ...read, url, campaigns: await findReleased(scope, organization, ids), pagination: links };
}

function showLinks(session: WebSession, found: FilteredCampaigns, links: FoundLinks): PageContent {
  const { locale } = session;
  const { t } = locale;
  const content =
    links.links.length === 0
      ? emptyState({ icon: "links", title: t("links.none"), text: t("links.noneHint") })
      : linksTable(locale, found.page, links);
  const about = { title: t("links.title"), lead: t("links.lead"), csv: csvUrl(found) };
  const summary = t("links.caption", { links: links.links.length });
  return filteredPage(session, found, { ...about, summary }, content);
}

function showLink(session: WebSession, found: FilteredCampaigns, link: OneLink): PageContent {
  const { locale } = session;
  const { t } = locale;
  const { url, clicks, ids, of } = link;
  const summary = t("links.inCampaigns", { campaigns: clicks.length, counted: ids.length });
  const content =
    clicks.length === 0
      ? emptyState({ icon: "links", title: t("links.notFound"), text: t("links.noneHint") })
      : html`${linkTable(session, summary, found.page, link)}${ids.length < of && html`<p class="soft small">${t("links.scope", { read: ids.length, of, isPartial: true })}</p>`}${link.pagination}`;
  const all = found.page.queryOf({});
  all.delete("link");
  const about = {
    title: urlTitle(url),
    heading: urlText(url),
    csv: csvUrl(found),
    summary,
    breadcrumb: breadcrumb(locale, [{ url: urlWithQuery(paths.web.links, all), name: t("links.title") }]),
    headingLink:
      isLinkable(url) &&
      html`<a class="button second" href="${url}" rel="noopener noreferrer nofollow">${t("links.open")}</a>`,
  };
  return filteredPage(session, found, about, content);
}

const csvUrl = ({ page }: FilteredCampaigns) => urlWithQuery(paths.web.linksCsv, page.queryOf({}));
