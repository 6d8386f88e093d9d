// The comments page at `/comments`: what recipients wrote with their answers to surveys, in the campaigns that match.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { quote } from "../../../campaign/quote.ts";
import { newestCommented } from "../../../listing/numbers/newest.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { answersForComments } from "../../../listing/reports/survey-summary.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import { type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import { type FilteredPage, urlWithQuery } from "../filters/filter-bar.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import { periodTitle } from "../filters/period-title.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageRequest, WebSession } from "../page.ts";
import { reactionBadge } from "../ui/badge.ts";
import { commentList } from "../ui/comment-list.ts";
import { emptyState } from "../ui/empty-state.ts";
import { switchLinks } from "../ui/menu.ts";
import type { WebContext } from "../web-context.ts";

/** Reading the answers of a thousand recipients takes a few milliseconds, so a page has few campaigns of limited size. */
const campaignsPerPage = 10;
const maxOpeners = 2_000;
const maxCommented = 10_000;
/** Up to 200 of each survey. */
const maxComments = 4_000;

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
      const { title, lead } = strings.comments;
      const wanted = request.query.get("rating") || "any";
      const rating = ratingNames.find((name) => name === wanted);
      const own: Record<string, string> = rating && rating !== "any" ? { rating } : {};
      const found = await filteredCampaigns(context, session, request, {
        path: paths.web.comments,
        own,
        hasTraffic: false,
      });
      if (found.isEmpty) return { title, body: gettingStarted(locale, user.role) };
      const problem =
        found.problem ??
        (rating ? undefined : strings.filters.invalidValue("rating", quote(wanted), ratingNames.join(", ")));
      const list = await readComments(context, reader, session, {
        ...found,
        request,
        rating: rating ?? "any",
      });
      return {
        title,
        lead: lead(answersForComments),
        printedScope: periodTitle(locale, found.page.filters.period),
        body: html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}${found.toolbar}
${ratingSwitch(locale, found.page, rating ?? "any")}
${list}`,
        ...(problem !== undefined && { status: 400 }),
      };
    },
  };
}

function ratingSwitch({ strings }: Locale, { path, queryOf }: FilteredPage, current: Rating): HtmlValue {
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
  return html`<div class="toolbar"><div>${switchLinks(strings.comments.rating, links)}</div></div>`;
}

interface CommentListOptions {
  selection: Parameters<typeof newestCommented>[0];
  page: FilteredPage;
  request: PageRequest;
  rating: Rating;
}

/** One page of campaigns with their comments. */
async function readComments(
  { database, shutdownSignal: signal }: WebContext,
  reader: LatestCommentsReader,
  { organization, locale }: WebSession,
  { selection, page, request, rating }: CommentListOptions,
): Promise<HtmlValue> {
  const ids = newestCommented(selection, { limit: maxCommented, maxOpeners });
  const last = Math.max(Math.ceil(ids.length / campaignsPerPage), 1);
  const asked = request.query.get("page") ?? "";
  const number = /^[1-9]\d{0,4}$/.test(asked) ? Math.min(Number(asked), last) : 1;
  const first = (number - 1) * campaignsPerPage;
  const shown = ids.slice(first, first + campaignsPerPage);
  const stored = await database.query((queries) => findCampaigns(queries, organization.id, shown));
  const byId = new Map(stored.map((each) => [each.campaign.id, each]));
  const campaigns = shown.flatMap((id) => byId.get(id) ?? []);
  const all = await reader.read(organization, campaigns, { limit: maxComments, signal });
  const comments = all.filter(
    ({ kind, reaction }) =>
      rating === "any" || (kind === "enps" && typeof reaction === "number" && ratings[rating](reaction)),
  );
  const skipped =
    newestCommented(selection, { limit: maxCommented, maxOpeners: Infinity }).length - ids.length;
  return [
    comments.length === 0
      ? nothing(locale, ids.length > campaignsPerPage)
      : cards(organization, locale, comments),
    skipped > 0 && html`<p class="soft small">${locale.strings.comments.skipped(skipped, maxOpeners)}</p>`,
    last > 1 && pagination(locale, page, { number, last, first, shown: shown.length, total: ids.length }),
  ];
}

function cards(
  { timeZone }: { timeZone: string },
  locale: Locale,
  comments: readonly CampaignComment[],
): HtmlValue {
  const { strings, format } = locale;
  return commentList(
    comments.map(({ campaignId, subject, sentAt, text, kind, reaction }) => ({
      text,
      reaction: reactionBadge(locale, kind, reaction),
      source: html`<a href="${paths.web.campaigns}/${campaignId}">${subject.trim() || strings.campaign.untitled}</a> <span class="time">${format.date(dateAt(sentAt, timeZone))}</span>`,
    })),
  );
}

function nothing({ strings }: Locale, hasMore: boolean): HtmlValue {
  const { none, noneHint, noneHere } = strings.comments;
  return emptyState({ icon: "comments", title: none, text: hasMore ? noneHere : noneHint });
}

function pagination(
  { strings }: Locale,
  { path, queryOf }: FilteredPage,
  {
    number,
    last,
    first,
    shown,
    total,
  }: { number: number; last: number; first: number; shown: number; total: number },
): HtmlValue {
  const linkTo = (target: number, name: string) => {
    const query = queryOf({});
    if (target > 1) query.set("page", String(target));
    return html`<a class="button second small" href="${urlWithQuery(path, query)}">${name}</a>`;
  };
  return html`<nav class="pages" aria-label="${strings.ui.paginationLabel(strings.comments.title)}"><span>${strings.comments.range(first + 1, first + shown, total)}</span>
${number > 1 && linkTo(number - 1, strings.ui.previousPage)}
${number < last && linkTo(number + 1, strings.ui.nextPage)}</nav>`;
}
