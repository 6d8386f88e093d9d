// The overview: what became of the campaigns of a time, in figures and charts.

import { AppError } from "../../../errors.ts";
import { MonthlySumsCache } from "../../../listing/reports/monthly-sums-cache.ts";
import { html } from "../../html.ts";
import { addressOf, filterForm, findChoices } from "../campaigns/filter-form.ts";
import { type Filters, fieldsOf, parseFilters, toQuery } from "../campaigns/filters.ts";
import { firstSteps } from "../campaigns/first-steps.ts";
import type { Page, PageContent, PageRequest, Visitor } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { chartsOf, keyFigures } from "./overview-charts.ts";
import { periodsOf, totalOf } from "./periods.ts";

const rangeDefault = "12-months";

export function overviewPage(door: WebContext): Page {
  const summaries = new MonthlySumsCache(door.database);
  return {
    path: "/",
    role: "viewer",
    async show({ organization, user }: Visitor, { query }: PageRequest): Promise<PageContent> {
      const title = "Overview";
      const now = door.now();
      const timeline = await door.timelines.current(organization);
      if (timeline.size === 0) return { title, body: firstSteps(user.role) };
      const choices = await findChoices(door.database, organization.id);
      const formOf = (fields: Filters["fields"]) => filterForm("/", fields, choices);
      let filters: Filters;
      try {
        filters = parseFilters(query, { timeZone: organization.timeZone, now, rangeDefault });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const body = html`<p class="problem" role="alert">${error.message}</p>${formOf(fieldsOf(query))}`;
        return { title, body, status: 400 };
      }
      const monthly = await summaries.get(organization, timeline, filters, now);
      const form = formOf(filters.fields);
      const total = totalOf(monthly);
      if (total.campaigns === 0) return { title, body: html`${form}${nothingFound}` };
      const campaigns = addressOf("/campaigns", toQuery(filters.fields));
      return {
        title,
        beside: html`<a href="${campaigns}">These campaigns, one by one</a>`,
        body: html`${form}${keyFigures(total)}${chartsOf(periodsOf(monthly, filters.months), total)}
<p class="soft small">${scopeOf(organization)}</p>`,
      };
    },
  };
}

const nothingFound = html`<p class="card">No campaign was sent that fits. Choose a longer time, or other tags, or
<a href="/?range=all">look at all campaigns</a>.</p>`;

function scopeOf({ countedTraffic, timeZone }: Visitor["organization"]): string {
  const traffic =
    countedTraffic === "people"
      ? "Opens and clicks are those of people."
      : "All traffic is counted, machines too.";
  return `${traffic} Rates weigh each campaign by its recipients. Months are those of ${timeZone}.`;
}
