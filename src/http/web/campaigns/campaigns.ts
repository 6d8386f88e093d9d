// The campaigns page at `/campaigns`: filters, search by subject, and pagination.

import { AppError } from "../../../errors.ts";
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
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { campaignsStrings } from "../strings/campaigns.ts";
import type { WebContext } from "../web-context.ts";
import {
  type CampaignsRequest,
  campaignsQuery,
  parseCampaignsRequest,
  readSubject,
} from "./campaigns-query.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { filterForm, findFilterOptions, urlWithQuery } from "./filter-form.ts";
import { type FilterFields, type Filters, parseFilters, readFilterFields } from "./filters.ts";
import { gettingStarted } from "./getting-started.ts";

const path = "/campaigns";
const perPage = 25;

export function campaignsPage(context: WebContext): Page {
  const { title } = campaignsStrings;
  return {
    path,
    role: "viewer",
    async show({ organization, user }: WebSession, { query }: PageRequest): Promise<PageContent> {
      const now = context.now();
      const timeline = await context.timelines.current(organization);
      if (timeline.size === 0) return { title, body: gettingStarted(user.role) };
      const options = await findFilterOptions(context.database, organization.id);
      const renderForm = (fields: FilterFields, order: string) =>
        filterForm(path, fields, options, searchFields(readSubject(query), order));
      try {
        const filters = parseFilters(query, { timeZone: organization.timeZone, now, defaultRange: "all" });
        const request = parseCampaignsRequest(query);
        const list = await renderList(context, organization, timeline, { filters, request, now });
        return { title, body: html`${renderForm(filters.fields, request.order)}${list}` };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
        const problem = html`<p class="problem" role="alert">${error.message}</p>`;
        return { title, body: html`${problem}${renderForm(readFilterFields(query), "")}`, status: 400 };
      }
    },
  };
}

/** The search field, and the parameters that the links to time ranges keep. */
function searchFields(subject: string, order: string): Parameters<typeof filterForm>[3] {
  const kept: [string, string][] = [];
  if (subject !== "") kept.push(["subject", subject]);
  if (order === "earliest") kept.push(["order", order]);
  return {
    kept,
    content: html`${order === "earliest" && html`<input type="hidden" name="order" value="${order}">`}
<div class="field"><label for="subject">${campaignsStrings.subject}</label>
<input type="search" id="subject" name="subject" value="${subject}" maxlength="1000"></div>`,
  };
}

interface ListOptions {
  filters: Filters;
  request: CampaignsRequest;
  now: number;
}

async function renderList(
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
  const { olderCampaigns, newerCampaigns, backToStart, noneInBatch } = campaignsStrings;
  const options = { ...filter, subject, order, after, limit: perPage };
  const { campaigns, last } = await searchCampaigns(searched, options);
  return {
    campaigns,
    caption: campaignsStrings.searchCaption(subject, after !== undefined, order),
    links: [
      after && linkTo(urlOf({}), backToStart),
      last && linkTo(urlOf({ after: last }), order === "latest" ? olderCampaigns : newerCampaigns),
    ],
    empty: after || last ? noneInBatch : noMatches,
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
