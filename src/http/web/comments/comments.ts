// The comments page at `/comments`: what recipients wrote with their answers to surveys, in the campaigns that match.

import { hasPermission } from "../../../access/role.ts";
import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { AppError } from "../../../errors.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { addDoneComment, deleteDoneComment } from "../../../storage/campaigns/done-comments.ts";
import type { Queries } from "../../../storage/database.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { campaignUrl, type Kept } from "../campaigns/campaign-url.ts";
import { gettingStarted } from "../campaigns/getting-started.ts";
import { type FilteredPage, urlWithQuery } from "../filters/filter-bar.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import { listQuery } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, WebSession } from "../page.ts";
import { quoted } from "../quoted.ts";
import { badge, reactionBadge } from "../ui/badge.ts";
import { type CommentCard, commentList } from "../ui/comment-list.ts";
import { downloadAction } from "../ui/download-link.ts";
import { emptyState } from "../ui/empty-state.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { fold, menu, menuLinks, moreActions, switchLinks } from "../ui/menu.ts";
import { results } from "../ui/results.ts";
import { subjectOf } from "../ui/subject.ts";
import { surveyName } from "../ui/survey-name.ts";
import type { WebContext } from "../web-context.ts";
import { commentsFile } from "./comments-csv.ts";
import { type CommentsChoices, choices, choicesQuery, readChoices } from "./comments-url.ts";
import { averageRating, type CommentGroup, type FoundComments, findComments } from "./find-comments.ts";

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
    async show(session, request) {
      const { user, locale } = session;
      const { t } = locale;
      const { chosen, problem: badChoice } = readChoices(locale, request.query);
      const options = { path, own: choicesQuery(chosen), search: t("comments.search"), hasTraffic: false };
      const filtered = await filteredCampaigns(context, session, request, options);
      if (filtered.isEmpty) return { title: t("comments.title"), body: gettingStarted(locale, user.role) };
      const { page, filter } = filtered;
      const found = await findComments(context, reader, session, {
        ...{ filter, chosen, search: page.filters.search },
      });
      const problem = filtered.problem ?? badChoice;
      const count = countText(locale, found, chosen);
      return {
        title: t("comments.title"),
        lead: t("comments.lead", { answers: session.organization.minAnswers }),
        headingLink: moreActions(locale, [downloadAction(locale, fileUrl(page))]),
        printedScope: filtered.printedScope,
        hasResults: true,
        body: html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}${filtered.toolbar}
<div class="list-head"><h2>${count}</h2>${viewControls(locale, page, chosen, found)}</div>
${found.total === 0 ? results(count, nothing(locale, page)) : pageOfGroups(session, found, { count, page, chosen, number: request.query.get("page") })}
${missingNotes(locale, found)}`,
        ...(problem !== undefined && { status: 400 }),
      };
    },
    actions: { done: markAction(context, reader, true), open: markAction(context, reader, false) },
  };
}

/** Marks a comment as done, or as not done. Comments that are withheld or deleted cannot be marked. */
function markAction({ database }: WebContext, reader: LatestCommentsReader, isDone: boolean): Action {
  return {
    role: "admin",
    async run({ organization, transaction, record, locale }, form) {
      const reference = { campaignId: Number(form.get("campaign")), key: form.get("comment") ?? "" };
      const { campaignId, key } = reference;
      const isId = Number.isSafeInteger(campaignId);
      const find = (queries: Queries) => findReleased(queries, organization, isId ? [campaignId] : []);
      const comments = await reader.read(organization, await database.query(find), { signal: undefined });
      await transaction(async (queries) => {
        const isKnown = comments.some((comment) => comment.key === key) && (await find(queries)).length > 0;
        if (!isKnown) throw new AppError("not_found", locale.t("comments.gone"));
        const mark = isDone ? addDoneComment : deleteDoneComment;
        await mark(queries, organization.id, reference);
        await record(queries, isDone ? "comment.done" : "comment.open", `campaign ${campaignId}`);
      });
      return { notice: locale.t(isDone ? "comments.markedDone" : "comments.markedOpen") };
    },
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

/** Nothing without comments, unless other ratings may have some. */
function viewControls(
  locale: Locale,
  page: FilteredPage,
  chosen: CommentsChoices,
  { total }: FoundComments,
): HtmlValue {
  if (total === 0 && chosen.rating === "any" && chosen.status === "all") return false;
  return html`${ratingSwitch(locale, page, chosen)}
${viewMenus(locale, page, chosen)}`;
}

function ratingSwitch({ t }: Locale, page: FilteredPage, chosen: CommentsChoices): Html {
  const links = choices.rating.map((rating) => ({
    url: choiceUrl(page, { ...chosen, rating }),
    name: t(`comments.ratings.${rating}`),
    isCurrent: rating === chosen.rating,
  }));
  return switchLinks("rating", t("comments.rating"), links);
}

/** The order and groups; on phones in a sheet. */
function viewMenus(locale: Locale, page: FilteredPage, chosen: CommentsChoices): Html {
  const names = ["sort", "by", "status"] as const;
  const active = names.filter((name) => chosen[name] !== choices[name][0]).length;
  return fold(
    locale,
    { id: "view", icon: "columns", name: locale.t("campaigns.view"), active },
    names.map((name) => choiceMenu(locale, page, chosen, name)),
  );
}

const choiceTexts = { sort: "orders", by: "groupings", status: "statuses" } as const;
const choiceIcons = { sort: "descending", by: "columns", status: "check" } as const;

function choiceMenu(
  { t, texts }: Locale,
  page: FilteredPage,
  chosen: CommentsChoices,
  what: "sort" | "by" | "status",
): Html {
  const names: Record<string, string> = texts(`comments.${choiceTexts[what]}`);
  const links = choices[what].map((choice) => ({
    url: choiceUrl(page, { ...chosen, [what]: choice }),
    name: names[choice],
    isCurrent: choice === chosen[what],
  }));
  const titles = { sort: t("campaigns.sort"), by: t("comments.by"), status: t("comments.status") };
  const label = html`<span class="visually-hidden">${titles[what]}: </span>${names[chosen[what]]}`;
  const isActive = chosen[what] !== choices[what][0];
  return menu({ id: `menu-${what}`, label, icon: choiceIcons[what], isActive }, menuLinks(links));
}

function choiceUrl({ queryOf }: FilteredPage, chosen: CommentsChoices): string {
  const query = queryOf({});
  for (const name of Object.keys(choices)) query.delete(name);
  for (const [name, value] of Object.entries(choicesQuery(chosen))) query.set(name, value);
  return urlWithQuery(path, query);
}

function fileUrl({ queryOf }: FilteredPage): string {
  return urlWithQuery(paths.web.commentsCsv, queryOf({}));
}

/** A page of the comments of all groups, one after another. */
function pageOfGroups(
  session: WebSession,
  { groups, questions, isDone }: FoundComments,
  {
    count,
    page,
    chosen,
    number,
  }: { count: string; page: FilteredPage; chosen: CommentsChoices; number: string | null },
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
  return html`${results(count, sections)}${links}`;
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

/** The button for admins; viewers see whether a comment is done. */
function doneMark(session: WebSession, { campaignId, key }: CampaignComment, isDone: boolean): HtmlValue {
  const { t } = session.locale;
  const chip = isDone && badge(t("comments.done"), "good");
  if (!hasPermission(session.user.role, "admin")) return chip;
  const fields = html`<input type="hidden" name="campaign" value="${campaignId}"><input type="hidden" name="comment" value="${key}">`;
  const button = html`<button class="plain small">${isDone ? t("comments.reopen") : t("comments.markDone")}</button>`;
  return html`${chip}${actionForm(session, { action: isDone ? "open" : "done" }, fields, button)}`;
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
