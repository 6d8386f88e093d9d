// The list on the campaigns page, with its pagination.

import {
  listCampaigns,
  type ReportFilter,
  type SearchContext,
  searchCampaigns,
} from "../../../listing/reports/search-campaigns.ts";
import type { SortOrder } from "../../../listing/timeline/batches.ts";
import { excludeScheduled } from "../../../listing/timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../../../listing/timeline/timeline.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import type { Strings } from "../strings/en.ts";
import type { WebContext } from "../web-context.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { type CampaignsRequest, campaignsQuery } from "./campaigns-url.ts";
import { urlWithQuery } from "./filter-form.ts";
import type { Filters } from "./filters.ts";

const path = "/campaigns";
const perPage = 25;

export async function campaignsList(
  { database }: WebContext,
  session: WebSession,
  timeline: Timeline,
  { filters, request, now }: ListOptions,
): Promise<Html> {
  const { organization, locale } = session;
  const searched = { database, organizationId: organization.id, timeline };
  const filter = { selection: excludeScheduled(filters.selection, now), team: filters.team };
  const { subject, order } = request;
  const urlOf: UrlOf = (change) =>
    urlWithQuery(path, campaignsQuery(filters.fields, { subject, order, ...change }));
  // The timeline knows dates and tags. Subjects and teams need a search, which does not know the total.
  const { campaigns, caption, links, empty } =
    subject !== "" || filter.team !== undefined
      ? await findMatchingCampaigns(locale, searched, filter, request, urlOf)
      : await findCampaignsPage(locale, searched, filter.selection, request, urlOf);
  const reverseUrl = urlOf({ order: order === "latest" ? "earliest" : "latest" });
  const table = campaignsTable(campaigns, session, { caption, order, reverseUrl });
  return html`${campaigns.length > 0 ? table : html`<p class="card">${empty}</p>`}${pagination(locale, links)}`;
}

interface ListOptions {
  filters: Filters;
  request: CampaignsRequest;
  now: number;
}

/** The URL of the same list with some parameters changed. */
type UrlOf = (change: Partial<CampaignsRequest>) => string;

interface CampaignList {
  campaigns: StoredCampaign[];
  caption: string;
  links: HtmlValue[];
  /** Shown if there are no campaigns. */
  empty: HtmlValue;
}

async function findMatchingCampaigns(
  { strings }: Locale,
  searched: SearchContext,
  filter: ReportFilter,
  { subject, order, after }: CampaignsRequest,
  urlOf: UrlOf,
): Promise<CampaignList> {
  const { olderCampaigns, newerCampaigns, backToStart } = strings.campaigns;
  const { noMatches, noMatchesYet, noMoreMatches } = strings.campaigns;
  const options = { ...filter, subject, order, after, limit: perPage };
  const { campaigns, last } = await searchCampaigns(searched, options);
  return {
    campaigns,
    caption: searchCaption(strings, { subject, order, isContinued: after !== undefined }),
    links: [
      after && linkTo(urlOf({}), backToStart),
      last && linkTo(urlOf({ after: last }), order === "latest" ? olderCampaigns : newerCampaigns),
    ],
    empty: last ? noMatchesYet[order] : after ? noMoreMatches : noMatches(path),
  };
}

async function findCampaignsPage(
  { strings }: Locale,
  searched: SearchContext,
  selection: TimelineSelection,
  { order, page }: CampaignsRequest,
  urlOf: UrlOf,
): Promise<CampaignList> {
  const range = { order, offset: (page - 1) * perPage, limit: perPage };
  const { campaigns, total } = await listCampaigns(searched, selection, range);
  const last = Math.ceil(total / perPage);
  const previous = Math.max(Math.min(page - 1, last), 1);
  return {
    campaigns,
    caption: strings.campaigns.listCaption(total, strings.campaigns.orders[order]),
    links: [
      page > 1 && linkTo(urlOf({ page: previous }), strings.campaigns.previousPage),
      page < last && linkTo(urlOf({ page: page + 1 }), strings.campaigns.nextPage),
      page <= last && html`<span class="soft">${strings.campaigns.pageOf(page, last)}</span>`,
    ],
    empty: total > 0 ? strings.campaigns.noSuchPage(page) : strings.campaigns.noMatches(path),
  };
}

function linkTo(url: string, name: string): Html {
  return html`<a href="${url}">${name}</a>`;
}

function pagination({ strings }: Locale, links: readonly HtmlValue[]): Html | false {
  return (
    links.some(Boolean) &&
    html`<nav class="pages" aria-label="${strings.campaigns.pagination}">${links}</nav>`
  );
}

function searchCaption(
  { campaigns }: Strings,
  { subject, order, isContinued }: { subject: string; order: SortOrder; isContinued: boolean },
): string {
  const {
    filteredCaption,
    moreFilteredCaption,
    searchCaption: ofSearch,
    moreSearchCaption,
    orders,
  } = campaigns;
  if (subject === "") return (isContinued ? moreFilteredCaption : filteredCaption)(orders[order]);
  return (isContinued ? moreSearchCaption : ofSearch)(truncate(subject), orders[order]);
}

function truncate(subject: string): string {
  const characters = [...subject];
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : subject;
}
