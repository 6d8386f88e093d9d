// The page of campaigns: those of a time, a team or tags, and those whose subject has some words in it.

import { AppError } from "../../../errors.ts";
import type { ReportFilter } from "../../../listing/reports/monthly-sums.ts";
import { listCampaigns, type SearchContext, searchCampaigns } from "../../../listing/reports/search.ts";
import { excludeScheduled } from "../../../listing/timeline/batches.ts";
import type { Timeline, TimelineSelection } from "../../../listing/timeline/timeline.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Page, PageContent, PageRequest, Visitor } from "../page.ts";
import { countedWords, formatCount } from "../ui/number-format.ts";
import type { WebContext } from "../web-context.ts";
import {
  type CampaignsAsked,
  parseCampaignsAsked,
  queryOf,
  searchInWords,
  subjectOf,
} from "./campaigns-query.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { addressOf, filterForm, findChoices } from "./filter-form.ts";
import { type FilterFields, type Filters, fieldsOf, parseFilters } from "./filters.ts";
import { firstSteps } from "./first-steps.ts";

const path = "/campaigns";
const title = "Campaigns";
const perPage = 25;

export function campaignsPage(door: WebContext): Page {
  return {
    path,
    role: "viewer",
    async show({ organization, user }: Visitor, { query }: PageRequest): Promise<PageContent> {
      const now = door.now();
      const timeline = await door.timelines.current(organization);
      if (timeline.size === 0) return { title, body: firstSteps(user.role) };
      const choices = await findChoices(door.database, organization.id);
      const formOf = (fields: FilterFields, order: string) =>
        filterForm(path, fields, choices, searchOf(subjectOf(query), order));
      try {
        const filters = parseFilters(query, { timeZone: organization.timeZone, now, rangeDefault: "all" });
        const asked = parseCampaignsAsked(query);
        const listed = await list(door, organization, timeline, { filters, asked, now });
        return { title, body: html`${formOf(filters.fields, asked.order)}${listed}` };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "bad_request") throw error;
        const problem = html`<p class="problem" role="alert">${error.message}</p>`;
        return { title, body: html`${problem}${formOf(fieldsOf(query), "")}`, status: 400 };
      }
    },
  };
}

/** What the form has besides the filters, and what its links keep. */
function searchOf(subject: string, order: string): Parameters<typeof filterForm>[3] {
  const kept: [string, string][] = [];
  if (subject !== "") kept.push(["subject", subject]);
  if (order === "earliest") kept.push(["order", order]);
  return {
    kept,
    content: html`${order === "earliest" && html`<input type="hidden" name="order" value="${order}">`}
<div class="field"><label for="subject">Subject</label>
<input type="search" id="subject" name="subject" value="${subject}" maxlength="1000"></div>`,
  };
}

interface Wanted {
  filters: Filters;
  asked: CampaignsAsked;
  now: number;
}

/** What is looked for is found from one end on; else each page is at hand. */
async function list(
  { database }: WebContext,
  organization: Organization,
  timeline: Timeline,
  { filters, asked, now }: Wanted,
): Promise<Html> {
  const searched = { database, organizationId: organization.id, timeline };
  const filter = { selection: excludeScheduled(filters.selection, now), team: filters.team };
  const { subject, order } = asked;
  const address: Address = (other) => addressOf(path, queryOf(filters.fields, { subject, order, ...other }));
  const { campaigns, caption, links, missing } =
    subject !== "" || filter.team !== undefined
      ? await listMatches(searched, filter, asked, address)
      : await listPage(searched, filter.selection, asked, address);
  const turned = { order, address: address({ order: order === "latest" ? "earliest" : "latest" }) };
  const table = campaignsTable(campaigns, organization, { caption, turned });
  return html`${campaigns.length > 0 ? table : html`<p class="card">${missing}</p>`}${pages(links)}`;
}

type Address = (other: Partial<CampaignsAsked>) => string;

interface List {
  campaigns: StoredCampaign[];
  caption: string;
  links: HtmlValue[];
  /** What is said where there are none. */
  missing: HtmlValue;
}

async function listMatches(
  searched: SearchContext,
  filter: ReportFilter,
  { subject, order, after }: CampaignsAsked,
  address: Address,
): Promise<List> {
  const wanted = { ...filter, subject, order, after, limit: perPage };
  const { campaigns, last } = await searchCampaigns(searched, wanted);
  const further = order === "latest" ? "Earlier ones" : "Later ones";
  return {
    campaigns,
    caption: `${after ? "Further campaigns" : "Campaigns"} ${searchInWords(subject)}, the ${order} first`,
    links: [
      after && linkTo(address({}), "To the first ones"),
      last && linkTo(address({ after: last }), further),
    ],
    missing: after || last ? "None of the campaigns that were looked at fits." : nothingFits,
  };
}

async function listPage(
  searched: SearchContext,
  choice: TimelineSelection,
  { order, page }: CampaignsAsked,
  address: Address,
): Promise<List> {
  const range = { order, offset: (page - 1) * perPage, limit: perPage };
  const { campaigns, total } = await listCampaigns(searched, choice, range);
  const last = Math.ceil(total / perPage);
  return {
    campaigns,
    caption: `${countedWords(total, "campaign")}, the ${order} first`,
    links: [
      page > 1 && linkTo(address({ page: Math.max(Math.min(page - 1, last), 1) }), "Previous page"),
      page < last && linkTo(address({ page: page + 1 }), "Next page"),
      page <= last && html`<span class="soft">Page ${formatCount(page)} of ${formatCount(last)}</span>`,
    ],
    missing: total > 0 ? `There is no page ${formatCount(page)}.` : nothingFits,
  };
}

function linkTo(address: string, name: string): Html {
  return html`<a href="${address}">${name}</a>`;
}

function pages(links: readonly HtmlValue[]): Html | false {
  return links.some(Boolean) && html`<nav class="pages" aria-label="More campaigns">${links}</nav>`;
}

const nothingFits = html`No campaign fits. Choose other words, a longer time or other tags, or
<a href="${path}">look at all campaigns</a>.`;
