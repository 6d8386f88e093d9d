// The list on the campaigns page, with its pagination.

import type { ReportFilter } from "../../../listing/reports/monthly-sums.ts";
import {
  listCampaigns,
  type SearchContext,
  searchCampaigns,
} from "../../../listing/reports/search-campaigns.ts";
import { excludeScheduled } from "../../../listing/timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../../../listing/timeline/timeline.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { campaignsStrings } from "../strings/campaigns.ts";
import type { WebContext } from "../web-context.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { type CampaignsRequest, campaignsQuery } from "./campaigns-url.ts";
import { urlWithQuery } from "./filter-form.ts";
import type { Filters } from "./filters.ts";

const path = "/campaigns";
const perPage = 25;

export async function campaignsList(
  { database }: WebContext,
  organization: Organization,
  timeline: Timeline,
  { filters, request, now }: ListOptions,
): Promise<Html> {
  const searched = { database, organizationId: organization.id, timeline };
  const filter = { selection: excludeScheduled(filters.selection, now), team: filters.team };
  const { subject, order } = request;
  const urlOf: UrlOf = (change) =>
    urlWithQuery(path, campaignsQuery(filters.fields, { subject, order, ...change }));
  // The timeline knows dates and tags. Subjects and teams need a search, which does not know the total.
  const { campaigns, caption, links, empty } =
    subject !== "" || filter.team !== undefined
      ? await findMatchingCampaigns(searched, filter, request, urlOf)
      : await findCampaignsPage(searched, filter.selection, request, urlOf);
  const reverseUrl = urlOf({ order: order === "latest" ? "earliest" : "latest" });
  const table = campaignsTable(campaigns, organization, { caption, order, reverseUrl });
  return html`${campaigns.length > 0 ? table : html`<p class="card">${empty}</p>`}${pagination(links)}`;
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
  searched: SearchContext,
  filter: ReportFilter,
  { subject, order, after }: CampaignsRequest,
  urlOf: UrlOf,
): Promise<CampaignList> {
  const { olderCampaigns, newerCampaigns, backToStart, noMatchesYet, noMoreMatches } = campaignsStrings;
  const options = { ...filter, subject, order, after, limit: perPage };
  const { campaigns, last } = await searchCampaigns(searched, options);
  return {
    campaigns,
    caption: campaignsStrings.searchCaption(subject, after !== undefined, order),
    links: [
      after && linkTo(urlOf({}), backToStart),
      last && linkTo(urlOf({ after: last }), order === "latest" ? olderCampaigns : newerCampaigns),
    ],
    empty: last ? noMatchesYet(order) : after ? noMoreMatches : noMatches,
  };
}

async function findCampaignsPage(
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
    caption: campaignsStrings.listCaption(total, order),
    links: [
      page > 1 && linkTo(urlOf({ page: previous }), campaignsStrings.previousPage),
      page < last && linkTo(urlOf({ page: page + 1 }), campaignsStrings.nextPage),
      page <= last && html`<span class="soft">${campaignsStrings.pageOf(page, last)}</span>`,
    ],
    empty: total > 0 ? campaignsStrings.noSuchPage(page) : noMatches,
  };
}

function linkTo(url: string, name: string): Html {
  return html`<a href="${url}">${name}</a>`;
}

function pagination(links: readonly HtmlValue[]): Html | false {
  return (
    links.some(Boolean) && html`<nav class="pages" aria-label="${campaignsStrings.pagination}">${links}</nav>`
  );
}

const noMatches = html`${campaignsStrings.noMatches}
<a href="${path}">${campaignsStrings.viewAll}</a>.`;
