// The overview page at `/`: key metrics and charts of the campaigns that match the filters.

import { AppError } from "../../../errors.ts";
import { selectCampaigns } from "../../../listing/numbers/select.ts";
import { sumByMonth } from "../../../listing/numbers/sum-by-month.ts";
import { excludeScheduled } from "../../../listing/timeline/batches.ts";
import { html } from "../../html.ts";
import { filterForm, findFilterOptions, urlWithQuery } from "../campaigns/filter-form.ts";
import { type Filters, filterQuery, parseFilters, readFilterFields } from "../campaigns/filters.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { overviewCharts, overviewMetrics } from "./overview-charts.ts";
import { groupByPeriod, totalSums } from "./periods.ts";

const defaultRange = "12-months";

export function overviewPage(context: WebContext): Page {
  return {
    path: "/",
    role: "viewer",
    async show({ organization, user, locale }: WebSession, { query }: PageRequest): Promise<PageContent> {
      const { strings } = locale;
      const { title, noMatches, viewCampaigns } = strings.overview;
      const now = context.now();
      const numbers = await context.numbers.current(organization);
      if (numbers.size === 0) return { title, body: gettingStarted(locale, user.role) };
      const options = await findFilterOptions(context.database, organization.id);
      const renderForm = (fields: Filters["fields"]) => filterForm(locale, "/", fields, options);
      let filters: Filters;
      try {
        filters = parseFilters(locale, query, { timeZone: organization.timeZone, now, defaultRange });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const body = html`<p class="problem" role="alert">${error.message}</p>${renderForm(readFilterFields(query))}`;
        return { title, body, status: 400 };
      }
      const { team, selection } = filters;
      const selected = selectCampaigns(numbers, { ...excludeScheduled(selection, now), team });
      const monthly = sumByMonth(selected, organization.countedTraffic, organization.timeZone);
      const form = renderForm(filters.fields);
      const total = totalSums(monthly);
      if (total.campaigns === 0)
        return { title, body: html`${form}<p class="card">${noMatches("/?range=all")}</p>` };
      const campaigns = urlWithQuery("/campaigns", filterQuery(filters.fields));
      return {
        title,
        headingLink: html`<a href="${campaigns}">${viewCampaigns}</a>`,
        body: html`${form}${overviewMetrics(locale, total)}${overviewCharts(locale, groupByPeriod(locale.format, monthly, filters.months), total)}
<p class="soft small">${describeScope(locale, organization)}</p>`,
      };
    },
  };
}

function describeScope(
  { strings }: Locale,
  { countedTraffic, timeZone }: WebSession["organization"],
): string {
  const { countedTraffic: traffic, scope } = strings.overview;
  return `${traffic[countedTraffic]} ${scope(timeZone)}`;
}
