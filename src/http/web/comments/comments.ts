// The comments page at `/comments`: what recipients wrote with their answers to surveys, in the campaigns that match.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { campaignUrl, type Kept } from "../campaigns/campaign-url.ts";
import { gettingStarted } from "../campaigns/list/getting-started.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { filteredCampaigns, filteredPage } from "../filters/filtered-campaigns.ts";
import { listQuery } from "../filters/filters.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { reactionBadge } from "../ui/texts/badge.ts";
import { type CommentCard, commentList } from "../ui/texts/comment-list.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import { surveyName } from "../ui/texts/survey-name.ts";
import { commentsFile } from "./comments-csv.ts";
import { type CommentsChoices, choicesQuery, readChoices } from "./comments-url.ts";
import {
  averageRating,
  type CommentGroup,
  type FoundComments,
  findComments,
  readCommented,
} from "./find-comments.ts";
import { doneMark, markAction } from "./mark-done.ts";
import { viewControls } from "./view-controls.ts";

const path = paths.web.comments;
const pageSize = 25;

/** The page, and its comments as CSV. */
export function commentsPages(context: WebContext): Page[] {
  const reader = new LatestCommentsReader(context.database);
  return [commentsPage(context, reader), commentsFile(context, reader)];
}

function commentsPage(context: WebContext, reader: LatestCommentsReader): Page {
  return {
    path,
    role: "viewer",
    actionRole: "admin",
    async show(session, request) {
      const { user, locale } = session;
      const { t } = locale;
      const chosen = readChoices(locale, request.query);
      const { found: filtered, content: commented } = await filteredCampaigns(context, session, request, {
        path,
        own: choicesQuery(chosen),
        search: t("comments.search"),
        hasTraffic: false,
        read: (scope, { filter }) => readCommented(scope, session, filter),
      });
      if (filtered.isEmpty) return { title: t("comments.title"), body: gettingStarted(locale, user.role) };
      const { page } = filtered;
      const { search } = page.filters;
      const found = await findComments(context, reader, session, commented, { chosen, search });
      const summary = countText(locale, found, chosen);
      const toolbar = html`${filtered.toolbar}
<div class="list-head"><h2>${summary}</h2>${viewControls(locale, page, chosen, found)}</div>`;
      const number = request.query.get("page");
      const shown = { ...filtered, toolbar };
      const about = {
        title: t("comments.title"),
        summary,
        lead: t("comments.lead", { answers: session.organization.minAnswers }),
        csv: urlWithQuery(paths.web.commentsCsv, page.queryOf({})),
      };
      const content =
        found.total === 0 ? nothing(locale, page) : pageOfGroups(session, found, { page, chosen, number });
      return filteredPage(session, shown, about, content, missingNotes(locale, found));
    },
    actions: { done: markAction(context, reader, true), open: markAction(context, reader, false) },
  };
}

function countText(
  { t }: Locale,
  { total, groups }: { total: number; groups: readonly CommentGroup[] },
  { by }: CommentsChoices,
): string {
  const comments = t("campaign.commentCount", { count: total });
  return by === "campaign" && total > 0
    ? t("comments.inCampaigns", { comments, groups: groups.length })
    : comments;
}

/** Which comments are not on the page, and why. */
function missingNotes({ t }: Locale, { leftOut, withoutText }: FoundComments): HtmlValue {
  const { reported, closed } = withoutText;
  const notes = [
    reported > 0 && t("comments.importedOnly", { comments: reported }),
    closed > 0 && t("comments.closedOnly", { comments: closed }),
    leftOut > 0 && t("comments.leftOut", { campaigns: leftOut }),
  ].filter((note) => note !== false);
  return notes.length > 0 && html`<p class="soft small section">${notes.join(" ")}</p>`;
}

/** A page of the comments of all groups, one after another. */
function pageOfGroups(
  session: WebSession,
  { groups, questions, isDone }: FoundComments,
  { page, chosen, number }: { page: FilteredPage; chosen: CommentsChoices; number: string | null },
): Html {
  const { locale } = session;
  const members = groups.flatMap((group) => group.comments.map((comment) => ({ group, comment })));
  const options = { page: number, pageSize, what: locale.t("comments.title"), query: page.queryOf({}) };
  const { shown, page: current, links } = paginate(locale, members, options);
  // The search is for comments.
  const list = listQuery({ ...page.filters, search: "" }, page.defaults);
  const card = { by: chosen.by, kept: { traffic: page.filters.traffic, list }, questions, isDone };
  const sections = [...Map.groupBy(shown, ({ group }) => group)].map(([group, on]) => {
    const comments = on.map(({ comment }) => comment);
    const count = countOnPage(locale, group, comments, current);
    const head = groupHead(session, group, { ...card, count, shown: comments.length });
    return html`${head}${commentList(comments.map((comment) => toCard(session, comment, card)))}`;
  });
  return html`${sections}${links}`;
}

interface CardContext {
  questions: FoundComments["questions"];
  isDone: FoundComments["isDone"];
  by: CommentsChoices["by"];
  kept: Kept;
}

/**
 * How many comments a group has, and where others are if the page shows only a part of them.
 *
 * @param page its number
 */
function countOnPage(
  { t }: Locale,
  { comments }: CommentGroup,
  shown: readonly CampaignComment[],
  page: number,
): string {
  if (shown.length === comments.length) return t("campaign.commentCount", { count: comments.length });
  const isContinued = shown.at(-1) !== comments.at(-1);
  return t("comments.partOfGroup", {
    shown: shown.length,
    total: comments.length,
    page: isContinued ? page + 1 : page - 1,
  });
}

function groupHead(
  session: WebSession,
  { comments }: CommentGroup,
  { by, kept, questions, count, shown }: CardContext & { count: string; shown: number },
): HtmlValue {
  const [first] = comments;
  if (by === "none" || !first) return false;
  const { locale } = session;
  if (by === "question") {
    const average = averageText(locale, comments, shown);
    return head(questionOf(locale, first, questions), html`${count}${average && ` · ${average}`}`);
  }
  const { url, subject } = campaignOf(session, first, kept);
  return head(html`<a href="${url}">${subject}</a>`, html`${dateOf(session, first)} · ${count}`);
}

/**
 * The average of all comments of a group. Not their eNPS index, which would read as that of everyone who answered.
 *
 * @param shown how many of them are on the page
 */
function averageText(
  { t, format }: Locale,
  comments: readonly CampaignComment[],
  shown: number,
): string | false {
  const mean = averageRating(comments);
  if (mean === undefined) return false;
  return shown === comments.length
    ? t("comments.averageRating.ofThese", { mean: format.mean(mean) })
    : t("comments.averageRating.ofAll", { mean: format.mean(mean), total: comments.length });
}

function head(name: Html, note: HtmlValue): Html {
  return html`<div class="section card-head"><h3>${name}</h3><span class="soft">${note}</span></div>
`;
}

/** Leaves out what the heading of the group says. */
function toCard(
  session: WebSession,
  comment: CampaignComment,
  { by, kept, questions, isDone }: CardContext,
): CommentCard {
  const { text, kind, reaction } = comment;
  return {
    text,
    mark: doneMark(session, comment, isDone(comment)),
    reaction: reactionBadge(session.locale, kind, reaction),
    ...(by !== "question" && { question: questionOf(session.locale, comment, questions) }),
    ...(by !== "campaign" && {
      campaign: campaignOf(session, comment, kept),
      source: dateOf(session, comment),
    }),
  };
}

function questionOf(locale: Locale, comment: CampaignComment, questions: CardContext["questions"]): Html {
  return surveyName(locale, comment, questions.get(comment.campaignId));
}

function campaignOf(
  { locale, organization }: WebSession,
  comment: CampaignComment,
  kept: Kept,
): NonNullable<CommentCard["campaign"]> {
  const url = campaignUrl(comment.campaignId, organization, kept);
  return { url, subject: subjectOf(locale, comment) };
}

function dateOf({ locale, organization }: WebSession, { sentAt }: CampaignComment): Html {
  return html`<span class="time">${locale.format.date(dateAt(sentAt, organization.timeZone))}</span>`;
}

function nothing(locale: Locale, { filters, queryOf }: FilteredPage): HtmlValue {
  if (filters.search !== "") {
    return emptyState({
      icon: "search",
      title: locale.t("ui.noResultsFor", { search: quoted(locale, filters.search) }),
      actions: html`<a class="button" href="${urlWithQuery(path, queryOf({ search: "" }))}">${locale.t("ui.clearSearch")}</a>`,
    });
  }
  return emptyState({
    icon: "comments",
    title: locale.t("comments.none"),
    text: locale.t("comments.noneHint"),
  });
}
