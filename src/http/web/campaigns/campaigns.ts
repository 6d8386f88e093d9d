// The campaigns page at `/campaigns`: filters, search by subject, and pagination.

import { AppError } from "../../../errors.ts";
import { html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { campaignsList } from "./campaigns-list.ts";
import { parseCampaignsRequest, readSubject } from "./campaigns-url.ts";
import { filterForm, findFilterOptions } from "./filter-form.ts";
import { type FilterFields, parseFilters, readFilterFields } from "./filters.ts";
import { gettingStarted } from "./getting-started.ts";

const path = "/campaigns";

export function campaignsPage(context: WebContext): Page {
  return {
    path,
    role: "viewer",
    async show(session: WebSession, { query }: PageRequest): Promise<PageContent> {
      const { organization, user, locale } = session;
      const { title } = locale.strings.campaigns;
      const now = context.now();
      const timeline = await context.timelines.current(organization);
      if (timeline.size === 0) return { title, body: gettingStarted(locale, user.role) };
      const options = await findFilterOptions(context.database, organization.id);
      const renderForm = (fields: FilterFields, order: string) =>
        filterForm(locale, path, fields, options, searchFields(locale, readSubject(query), order));
      try {
        const filters = parseFilters(locale, query, {
          timeZone: organization.timeZone,
          now,
          defaultRange: "all",
        });
        const request = parseCampaignsRequest(locale, query);
        const list = await campaignsList(context, session, timeline, { filters, request, now });
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
function searchFields({ strings }: Locale, subject: string, order: string): Parameters<typeof filterForm>[4] {
  const kept: [string, string][] = [];
  if (subject !== "") kept.push(["subject", subject]);
  if (order === "earliest") kept.push(["order", order]);
  return {
    kept,
    content: html`${order === "earliest" && html`<input type="hidden" name="order" value="${order}">`}
<div class="field"><label for="subject">${strings.campaigns.subject}</label>
<input type="search" id="subject" name="subject" value="${subject}" maxlength="1000"></div>`,
  };
}
