// The recipients of a campaign with Individual tracking, and what each did: a page and a CSV file, for admins only. Each
// view and download is logged with the user and the campaign.

import { normalizeRecipient } from "../../../campaign/events/parse-event.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import { quote } from "../../../campaign/quote.ts";
import { AppError } from "../../../errors.ts";
import {
  findRecipientActivity,
  type RecipientFilter,
  type RecipientQuery,
  recipientFilters,
} from "../../../listing/reports/recipient-activity.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { countRecipients } from "../../../storage/recipients.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Page, WebSession } from "../page.ts";
import type { WebContext } from "../web-context.ts";
import { urlWithQuery } from "./filter-form.ts";
import { findCampaign } from "./find-campaign.ts";
import { recipientsCsv } from "./recipients-csv.ts";
import { recipientsTable } from "./recipients-table.ts";

const perPage = 50;

/** Beyond so many known recipients, the page does not say how many it cannot name: counting them takes too long. */
const maxCounted = 20_000;

export function recipientsPages(context: WebContext): Page[] {
  return [recipientsPage(context), recipientsFile(context)];
}

function recipientsPage(context: WebContext): Page {
  const { database, shutdownSignal: signal } = context;
  return {
    path: "/campaigns/:id/recipients",
    role: "admin",
    async show(session, request) {
      const stored = await findCampaign(database, session, request);
      const { organization, locale } = session;
      const { strings } = locale;
      const { id, subject } = stored.campaign;
      const title = strings.recipients.title(subject.trim() || strings.campaign.untitled);
      const headingLink = html`<a href="/campaigns/${id}">${strings.recipients.backToCampaign}</a>`;
      const reason = reasonForNoList(locale, stored);
      if (reason !== undefined) return { title, headingLink, body: html`<p class="card">${reason}</p>` };
      const query = parseQuery(session, stored, request.query);
      logLook(context, session, stored, "viewed");
      const found = await findRecipientActivity(database, organization.id, query, { limit: perPage, signal });
      const limits = { ledgerId: query.ledgerId, limit: maxCounted };
      const known = await database.query((queries) => countRecipients(queries, organization.id, limits));
      const path = `/campaigns/${id}/recipients`;
      return {
        title,
        headingLink,
        body: html`<p>${coverage(session, stored, known)}</p>
${filterForm(locale, path, query)}
${query.filter === "not_opened" && html`<p class="soft">${strings.recipients.notOpenedNote}</p>`}
${found.recipients.length > 0 ? recipientsTable(session, found.recipients) : html`<p class="card">${found.next === undefined ? strings.recipients.noMatches : strings.recipients.noMatchesYet}</p>`}
${pagination(locale, path, query, found.next)}
<p><a href="${urlWithQuery(`${path}.csv`, filterQuery({ ...query, after: "" }))}">${strings.recipients.download}</a></p>
<p class="soft small">${strings.recipients.note}</p>`,
      };
    },
  };
}

function recipientsFile(context: WebContext): Page {
  const { database, shutdownSignal } = context;
  return {
    path: "/campaigns/:id/recipients.csv",
    role: "admin",
    async show(session, request) {
      const stored = await findCampaign(database, session, request);
      const reason = reasonForNoList(session.locale, stored);
      if (reason !== undefined) throw new AppError("not_found", reason);
      const query = parseQuery(session, stored, request.query);
      logLook(context, session, stored, "downloaded");
      const body = recipientsCsv(database, session.organization.id, query, shutdownSignal);
      return { file: `recipients-${stored.campaign.id}.csv`, type: "text/csv; charset=utf-8", body };
    },
  };
}

/** Who saw the names of which campaign's recipients. The names themselves are never logged. */
function logLook(
  { log }: WebContext,
  { organization, user }: WebSession,
  { campaign }: StoredCampaign,
  how: "viewed" | "downloaded",
): void {
  const facts = { organization: organization.id, user: user.id, campaign: campaign.id };
  log.info(facts, `the recipients of a campaign were ${how}`);
}

/** Undefined if the campaign has a list. */
function reasonForNoList({ strings }: Locale, { campaign, counting }: StoredCampaign): string | undefined {
  const { reasons } = strings.recipients;
  if (counting === null) return reasons.imported;
  if (campaign.trackingType === "Anonymous" || campaign.trackingType === "Overall") {
    return reasons[campaign.trackingType];
  }
  return counting.ledgerId === null ? reasons.closed : undefined;
}

/** @throws AppError `bad_request` if the filter is unknown */
function parseQuery(
  { organization, locale }: WebSession,
  { counting }: StoredCampaign,
  parameters: URLSearchParams,
): RecipientQuery {
  const text = parameters.get("filter") || "all";
  const filter = recipientFilters.find((each) => each === text);
  if (!filter) {
    throw new AppError(
      "bad_request",
      locale.strings.recipients.invalidFilter(quote(text), recipientFilters.join(", ")),
    );
  }
  return {
    ledgerId: counting?.ledgerId ?? 0,
    traffic: organization.countedTraffic,
    filter,
    prefix: normalizeRecipient((parameters.get("q") ?? "").slice(0, 500).toWellFormed()),
    after: (parameters.get("after") ?? "").slice(0, 2_000).toWellFormed(),
  };
}

function filterQuery({ filter, prefix, after }: Omit<RecipientQuery, "ledgerId" | "traffic">) {
  const query = new URLSearchParams();
  if (filter !== "all") query.set("filter", filter);
  if (prefix !== "") query.set("q", prefix);
  if (after !== "") query.set("after", after);
  return query;
}

/** How many opened, and how many recipients no list can name. */
function coverage(
  { organization, locale }: WebSession,
  { campaign, numbers }: StoredCampaign,
  known: number,
): string {
  const { opened, unknown } = locale.strings.recipients;
  const recipients = campaign.recipientCount ?? 0;
  const metrics = metricsOf(numbers, recipients, organization.countedTraffic);
  const sentence = opened(metrics.unique_opens ?? 0, recipients);
  const missing = recipients - known;
  return known < maxCounted && missing > 0 ? `${sentence} ${unknown(missing)}` : sentence;
}

function filterForm({ strings }: Locale, path: string, query: RecipientQuery): Html {
  const { filters, filterLabel, search, find } = strings.recipients;
  const link = (filter: RecipientFilter) => {
    const current = filter === query.filter && html` aria-current="true"`;
    return html`<a href="${urlWithQuery(path, filterQuery({ ...query, filter, after: "" }))}"${current}>${filters[filter]}</a>`;
  };
  return html`<nav class="ranges" aria-label="${filterLabel}">${recipientFilters.map(link)}</nav>
<form class="row" role="search" action="${path}">
${query.filter !== "all" && html`<input type="hidden" name="filter" value="${query.filter}">`}
<label>${search} <input type="search" name="q" value="${query.prefix}" autocomplete="off" spellcheck="false"></label>
<button class="second">${find}</button></form>`;
}

function pagination(
  { strings }: Locale,
  path: string,
  query: RecipientQuery,
  next: string | undefined,
): HtmlValue {
  const { backToStart, nextPage, pages } = strings.recipients;
  if (query.after === "" && next === undefined) return false;
  const link = (after: string, text: string) =>
    html`<a href="${urlWithQuery(path, filterQuery({ ...query, after }))}">${text}</a>`;
  return html`<nav class="pages" aria-label="${pages}">${query.after !== "" && link("", backToStart)}${next !== undefined && link(next, nextPage)}</nav>`;
}
