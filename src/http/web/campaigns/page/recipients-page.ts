// The recipients of a campaign with Individual tracking, and what each did: a page and a CSV file, for admins only. The
// audit log has each view and download with the user and the campaign.

import { numberOf } from "../../../../campaign/campaign-number.ts";
import { normalizeRecipient } from "../../../../campaign/events/parse-event.ts";
import { AppError } from "../../../../errors.ts";
import type { CampaignDetailsReader } from "../../../../listing/reports/campaign-details.ts";
import {
  findRecipientActivity,
  type RecipientQuery,
  recipientFilters,
} from "../../../../listing/reports/recipient-activity.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { urlWithQuery } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { countRecipients } from "../../../../storage/ledgers/recipients.ts";
import { listTags } from "../../../../storage/organizations/tags.ts";
import { hiddenFields } from "../../filters/filter-bar.ts";
import { parseChoice } from "../../filters/filters.ts";
import type { Page, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { searchButton } from "../../ui/forms/search-button.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { openEndedLinks } from "../../ui/lists/list-pagination.ts";
import { downloadAction, headActions, switchLinks } from "../../ui/lists/menu.ts";
import { columnsTable } from "../../ui/lists/table.ts";
import { keptQuery, recipientsPath } from "../campaign-url.ts";
import { readCampaign } from "../find-campaign.ts";
import { inCampaignFrame } from "./campaign-frame.ts";
import { type CampaignView, readRequested } from "./campaign-view.ts";
import { unknownOpensOf } from "./key-numbers.ts";
import { recipientColumns } from "./recipient-columns.ts";
import { recipientsCsv } from "./recipients-csv.ts";

const perPage = 50;

/** Beyond so many known recipients, the page does not say how many it cannot name: counting them takes too long. */
const maxCounted = 20_000;

export function recipientsPages(context: WebContext, reader: CampaignDetailsReader): Page[] {
  return [recipientsPage(context, reader), recipientsFile(context)];
}

function recipientsPage(context: WebContext, reader: CampaignDetailsReader): Page {
  const { database, shutdownSignal: signal } = context;
  return {
    path: "/campaigns/:id/recipients",
    role: "admin",
    async show(session, request) {
      const { organization, t } = session;
      const { allTags, ...requested } = await session.snapshot(async (scope) => ({
        ...(await readRequested(scope, session, request)),
        allTags: await listTags(scope),
      }));
      const { stored } = requested;
      const details = await reader.read(organization, stored);
      const view: CampaignView = {
        ...requested,
        details,
        questions: undefined,
        allTags,
        rejected: undefined,
      };
      const show = (content: Html) => inCampaignFrame(view, "recipients", content);
      const reason = reasonForNoList(session, stored);
      if (reason !== undefined) {
        return show(emptyState({ icon: "people", title: t("recipients.noList"), text: reason }));
      }
      const query = parseQuery(session, stored, request.query);
      const activity = await findRecipientActivity(database, organization.id, query, {
        limit: perPage,
        signal,
      });
      const limits = { ledgerId: query.ledgerId, limit: maxCounted };
      const known = await session.query((scope) => countRecipients(scope, limits));
      const content =
        show(html`<h2 class="visually-hidden">${t("campaign.tabs.recipients")}</h2>${toolbar(view, query)}
<div class="list-table">${columnsTable(session, captionOf(session, stored, { query, known }), recipientColumns(session), activity.recipients, { name: t("recipients.caption"), isStacked: true })}
${activity.recipients.length === 0 && html`<p class="empty">${activity.next === undefined ? t("recipients.noMatches") : t("recipients.noMatchesYet")}</p>`}</div>
${pagination(view, query, activity)}
<p class="soft small section">${t("recipients.note")}</p>`);
      return { ...content, audited: { action: "recipients.view", target: campaignTarget(stored) } };
    },
  };
}

function recipientsFile(context: WebContext): Page {
  return {
    path: "/campaigns/:id/recipients.csv",
    role: "admin",
    async show(session, request) {
      const stored = await readCampaign(session, request);
      const reason = reasonForNoList(session, stored);
      if (reason !== undefined) throw new AppError("not_found", reason);
      const file = recipientsCsv(context, session, {
        campaignId: stored.campaign.id,
        query: parseQuery(session, stored, request.query),
      });
      return { ...file, audited: { action: "recipients.export", target: campaignTarget(stored) } };
    },
  };
}

/** The search is left out: it may be the address of a recipient. */
const campaignTarget = ({ campaign }: StoredCampaign) => `campaign ${campaign.id}`;

/** Undefined if the campaign has a list. */
function reasonForNoList(
  { organization, t }: WebSession,
  { campaign, counting }: StoredCampaign,
): string | undefined {
  if (organization.persons === "refuse") return t("recipients.reasons.persons");
  if (counting === null) return t("recipients.reasons.imported");
  if (campaign.trackingType === "Anonymous" || campaign.trackingType === "Overall") {
    return t(`recipients.reasons.${campaign.trackingType}`);
  }
  return counting.ledgerId === null ? t("recipients.reasons.closed") : undefined;
}

/** @throws AppError `bad_request` if the filter is unknown */
function parseQuery(
  session: WebSession,
  { counting }: StoredCampaign,
  parameters: URLSearchParams,
): RecipientQuery {
  const { organization, t } = session;
  return {
    ledgerId: counting?.ledgerId ?? 0,
    traffic: organization.countedTraffic,
    filter:
      parseChoice(session, t("numbers.recipient_count"), parameters.get("filter") ?? "", recipientFilters) ??
      "all",
    prefix: normalizeRecipient((parameters.get("q") ?? "").slice(0, 500).toWellFormed()),
    after: (parameters.get("after") ?? "").slice(0, 2_000).toWellFormed(),
  };
}

function queryString(
  view: CampaignView,
  { filter, prefix, after }: Omit<RecipientQuery, "ledgerId" | "traffic">,
): URLSearchParams {
  const query = keptQuery(view.organization, view);
  if (filter !== "all") query.set("filter", filter);
  if (prefix !== "") query.set("q", prefix);
  if (after !== "") query.set("after", after);
  return query;
}

/** How many opened, and how many recipients no list can name. Others than the recipients may have opened, too. */
function captionOf(
  { t }: WebSession,
  stored: StoredCampaign,
  { query: { filter, traffic }, known }: { query: RecipientQuery; known: number },
): string {
  const recipients = stored.campaign.recipientCount ?? 0;
  const opens = numberOf(stored, traffic, "unique_opens") ?? 0;
  const unknown = unknownOpensOf({ stored, traffic });
  const notOpened = recipients - opens - unknown;
  const missing = recipients - known;
  return [
    opens > recipients
      ? `${t("campaign.openedMore", { opened: opens, recipients })}.`
      : t("recipients.opened", { opened: opens, recipients, unknown, notOpened }),
    ...(known < maxCounted && missing > 0
      ? [t("recipients.unknown", { unknown: missing, listed: Math.max(known - opens - unknown, 0) })]
      : []),
    ...(filter === "unknown" && unknown > 0 ? [t("campaign.openedUnknownNote", { unknown })] : []),
  ].join(" ");
}

/** Filters, search, and the file with all recipients that match. */
function toolbar(view: CampaignView, query: RecipientQuery): Html {
  const { t } = view;
  const path = recipientsPath(view.stored.campaign.id);
  const first = { ...query, after: "" };
  const links = recipientFilters.map((filter) => ({
    url: urlWithQuery(path, queryString(view, { ...first, filter })),
    name: t(`recipients.filters.${filter}`),
    isCurrent: filter === query.filter,
  }));
  return html`<div class="toolbar"><form class="search" role="search" id="search" action="${path}">${searchButton(view)}
${hiddenFields(queryString(view, { ...first, prefix: "" }))}
<input type="search" name="q" value="${query.prefix}" aria-label="${t("recipients.search")}" placeholder="${t("recipients.search")}" autocomplete="off" spellcheck="false"></form>
<span class="gap"></span>${headActions(downloadAction(view, urlWithQuery(`${path}.csv`, queryString(view, first))))}</div>
<div class="list-head">${switchLinks("filter", t("numbers.recipient_count"), links)}</div>`;
}

/** How many recipients the page has: their range is not known. */
function pagination(
  view: CampaignView,
  query: RecipientQuery,
  { recipients, next }: Awaited<ReturnType<typeof findRecipientActivity>>,
): HtmlValue {
  const urlOf = (after: string) =>
    urlWithQuery(recipientsPath(view.stored.campaign.id), queryString(view, { ...query, after }));
  return openEndedLinks(
    view,
    view.t("recipients.pages"),
    {
      start: query.after === "" ? undefined : urlOf(""),
      next: next === undefined ? undefined : urlOf(next),
    },
    view.t("recipients.onPage", { count: recipients.length }),
  );
}
