// The campaigns page at `/campaigns`: filters, search by subject, and pagination.

import { AppError } from "../../../errors.ts";
import { html } from "../../html.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { campaignsStrings } from "../strings/campaigns.ts";
import type { WebContext } from "../web-context.ts";
import { campaignsList } from "./campaigns-list.ts";
import { parseCampaignsRequest, readSubject } from "./campaigns-url.ts";
import { filterForm, findFilterOptions } from "./filter-form.ts";
import { type FilterFields, parseFilters, readFilterFields } from "./filters.ts";
import { gettingStarted } from "./getting-started.ts";

const path = "/campaigns";

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
        const list = await campaignsList(context, organization, timeline, { filters, request, now });
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
