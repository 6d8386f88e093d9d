// The comments page at `/comments`: what recipients wrote with their answers to surveys, in the campaigns that match.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { foldCase } from "../../../campaign/fold-case.ts";
import { quote } from "../../../campaign/quote.ts";
import { newestCommented } from "../../../listing/numbers/newest.ts";
import type { Selection } from "../../../listing/numbers/select.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { answersForComments } from "../../../listing/reports/survey-summary.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { inOrder } from "../campaigns/campaigns-list.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import { type FilteredPage, urlWithQuery } from "../filters/filter-bar.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Locale } from "../locale.ts";
import type { Page, WebSession } from "../page.ts";
import { reactionBadge } from "../ui/badge.ts";
import { commentList } from "../ui/comment-list.ts";
import { emptyState } from "../ui/empty-state.ts";
import { paginate } from "../ui/list-pagination.ts";
import { switchLinks } from "../ui/menu.ts";
import { results } from "../ui/results.ts";
import type { WebContext } from "../web-context.ts";

const pageSize = 50;

/** Reading the answers of a thousand recipients takes up to three milliseconds, and each campaign a query. */
const limits = { limit: 500, maxOpeners: 30_000 };

/** Which eNPS ratings a page shows, by the value of `rating` in the URL. */
const ratings = {
  any: () => true,
  low: (rating) => rating <= 6,
  middle: (rating) => rating === 7 || rating === 8,
  high: (rating) => rating >= 9,
} as const satisfies Record<string, (rating: number) => boolean>;
type Rating = keyof typeof ratings;
const ratingNames = Object.keys(ratings) as Rating[];

export function commentsPage(context: WebContext): Page {
  const reader = new LatestCommentsReader(context.database);
  return {
    path: paths.web.comments,
    role: "viewer",
    async show(session, request) {
      const { user, locale } = session;
      const { strings } = locale;
      const { title, lead, search } = strings.comments;
      const wanted = request.query.get("rating") || "any";
      const known = ratingNames.find((name) => name === wanted);
      const rating = known ?? "any";
      const own: Record<string, string> = rating === "any" ? {} : { rating };
      const found = await filteredCampaigns(context, session, request, {
        ...{ path: paths.web.comments, own, search },
        hasTraffic: false,
      });
      if (found.isEmpty) return { title, body: gettingStarted(locale, user.role) };
      const invalid = () =>
        strings.filters.invalidValue(strings.comments.rating, quote(wanted), ratingNames.join(", "));
      const problem = found.problem ?? (known ? undefined : invalid());
      const { comments, leftOut } = await readComments(context, reader, session, found.selection);
      const matching = comments.filter(matcherOf(rating, found.page.filters.search));
      const page = request.query.get("page");
      const options = { page, pageSize, what: title, query: found.page.queryOf({}) };
      const { shown, links } = paginate(locale, matching, options);
      const count = strings.campaign.commentCount(matching.length);
      return {
        title,
        lead: lead(answersForComments),
        printedScope: found.printedScope,
        hasResults: true,
        body: html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}${found.toolbar}
<div class="list-head"><h2>${count}</h2>${ratingSwitch(locale, found.page, rating)}</div>
${results(count, matching.length === 0 ? nothing(locale) : cards(session, shown, found.page.filters.traffic))}
${leftOut > 0 && html`<p class="soft small">${strings.comments.leftOut(leftOut)}</p>`}${links}`,
        ...(problem !== undefined && { status: 400 }),
      };
    },
  };
}

function ratingSwitch({ strings }: Locale, { path, queryOf }: FilteredPage, current: Rating): Html {
  const links = ratingNames.map((name) => {
    const query = queryOf({});
    query.delete("rating");
    if (name !== "any") query.set("rating", name);
    return {
      url: urlWithQuery(path, query),
      name: strings.comments.ratings[name],
      isCurrent: name === current,
    };
  });
  return switchLinks("rating", strings.comments.rating, links);
}

/** All comments of the selected campaigns, and how many campaigns with comments were left out. */
async function readComments(
  { database, shutdownSignal: signal }: WebContext,
  reader: LatestCommentsReader,
  { organization }: WebSession,
  selection: Selection,
): Promise<{ comments: readonly CampaignComment[]; leftOut: number }> {
  const { ids, of } = newestCommented(selection, limits);
  const found = await database.query((queries) => findCampaigns(queries, organization.id, ids));
  const comments = await reader.read(organization, inOrder(found, ids), { signal });
  return { comments, leftOut: of - ids.length };
}

/** @param search part of the comment or of the subject, in any letter case */
function matcherOf(rating: Rating, search: string): (comment: CampaignComment) => boolean {
  const part = foldCase(search);
  return ({ kind, reaction, text, subject }) => {
    const isRated =
      rating === "any" || (kind === "enps" && typeof reaction === "number" && ratings[rating](reaction));
    return isRated && (part === "" || foldCase(text).includes(part) || foldCase(subject).includes(part));
  };
}

function cards(
  { locale, organization }: WebSession,
  comments: readonly CampaignComment[],
  traffic: TrafficFilter,
): Html {
  const { strings, format } = locale;
  return commentList(
    comments.map(({ campaignId, subject, sentAt, text, kind, reaction }) => ({
      text,
      reaction: reactionBadge(locale, kind, reaction),
      campaign: {
        url: campaignUrl(campaignId, organization, { traffic }),
        subject: subject.trim() || strings.campaign.untitled,
      },
      source: html`<span class="time">${format.date(dateAt(sentAt, organization.timeZone))}</span>`,
    })),
  );
}

function nothing({ strings }: Locale): HtmlValue {
  const { none, noneHint } = strings.comments;
  return emptyState({ icon: "comments", title: none, text: noneHint });
}
