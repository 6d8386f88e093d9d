// The overview page at `/`: key metrics and charts of the campaigns that match the filters.

import { AppError } from "../../../errors.ts";
import { MonthlySumsCache } from "../../../listing/reports/monthly-sums-cache.ts";
import { html } from "../../html.ts";
import { filterForm, findFilterOptions, urlWithQuery } from "../campaigns/filter-form.ts";
import { type Filters, filterQuery, parseFilters, readFilterFields } from "../campaigns/filters.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { overviewStrings } from "../strings/overview.ts";
import type { WebContext } from "../web-context.ts";
import { keyMetrics, overviewCharts } from "./overview-charts.ts";
import { groupByPeriod, totalSums } from "./periods.ts";

const defaultRange = "12-months";

export function overviewPage(context: WebContext): Page {
  const monthlySums = new MonthlySumsCache(context.database);
  return {
    path: "/",
    role: "viewer",
    async show({ organization, user }: WebSession, { query }: PageRequest): Promise<PageContent> {
      const { title } = overviewStrings;
      const now = context.now();
      const timeline = await context.timelines.current(organization);
      if (timeline.size === 0) return { title, body: gettingStarted(user.role) };
      const options = await findFilterOptions(context.database, organization.id);
      const renderForm = (fields: Filters["fields"]) => filterForm("/", fields, options);
      let filters: Filters;
      try {
        filters = parseFilters(query, { timeZone: organization.timeZone, now, defaultRange });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const body = html`<p class="problem" role="alert">${error.message}</p>${renderForm(readFilterFields(query))}`;
        return { title, body, status: 400 };
      }
      const monthly = await monthlySums.get(organization, timeline, filters, now);
      const form = renderForm(filters.fields);
      const total = totalSums(monthly);
      if (total.campaigns === 0) return { title, body: html`${form}${noMatches}` };
      const campaigns = urlWithQuery("/campaigns", filterQuery(filters.fields));
      return {
        title,
        headingLink: html`<a href="${campaigns}">${overviewStrings.viewCampaigns}</a>`,
        body: html`${form}${keyMetrics(total)}${overviewCharts(groupByPeriod(monthly, filters.months), total)}
<p class="soft small">${describeScope(organization)}</p>`,
      };
    },
  };
}

const noMatches = html`<p class="card">${overviewStrings.noMatches}
<a href="/?range=all">${overviewStrings.viewAll}</a>.</p>`;

function describeScope({ countedTraffic, timeZone }: WebSession["organization"]): string {
  const { humanTraffic, allTraffic, scope } = overviewStrings;
  return scope(countedTraffic === "people" ? humanTraffic : allTraffic, timeZone);
}
