// The comments page at `/comments`: what recipients wrote with their answers to surveys, in the campaigns that match.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { chunks } from "../../../storage/queries/database.ts";
import { campaignUrl, type Kept } from "../campaigns/campaign-url.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { type FilteredCampaigns, filteredFile, filteredPage } from "../filters/filtered-campaigns.ts";
import { listQuery } from "../filters/filters.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { paginate } from "../ui/lists/list-pagination.ts";
import { reactionBadge } from "../ui/texts/badge.ts";
import { commentList } from "../ui/texts/comment-list.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import { surveyName } from "../ui/texts/survey-name.ts";
import { batchSize, commentColumns } from "./comment-columns.ts";
import { type FoundComments, findComments, readCommented } from "./find-comments.ts";
import { ratingLinks, ratingQuery, readRating } from "./rating-filter.ts";

const path = webPaths.comments;
const pageSize = 25;

/** The page, and its comments as CSV. */
export function commentsPages(context: WebContext): Page[] {
  const shared = {
    ask: readRating,
    own: ratingQuery,
    search: ({ t }: Locale) => t("comments.search"),
    searchesItself: true,
    hasTraffic: false,
    read: readCommented,
  };
  return [
    filteredPage({
      ...shared,
      path,
      csv: webPaths.commentsCsv,
      async show({ content, ...filtered }) {
        const { asked: rating, page, t } = filtered;
        const found = await findComments(context, filtered, content);
        const { length: count } = found.comments;
        const summary = t("campaign.commentCount", { count });
        return {
          title: t("pages.comments"),
          summary,
          hasFile: count > 0,
          lead: t("comments.lead", { answers: filtered.organization.minAnswers }),
          toolbar: html`
<div class="list-head"><h2>${summary}</h2>${(count > 0 || rating !== "any") && ratingLinks(filtered, page, rating)}</div>`,
          results: [
            count === 0 ? nothing(filtered, page) : pageOf(filtered, found),
            missingNotes(filtered, found),
          ],
        };
      },
    }),
    filteredFile({
      ...shared,
      path: webPaths.commentsCsv,
      async show({ content, ...filtered }) {
        const found = await findComments(context, filtered, content);
        const { period } = filtered.page.filters;
        return csvFile(
          csvFileName("comments", { period }),
          commentColumns(filtered, found),
          chunks(found.comments, batchSize),
        );
      },
    }),
  ];
}

/** Which comments are not on the page, and why. */
function missingNotes({ t }: Locale, { leftOut, withoutText }: FoundComments): HtmlValue {
  const { reported, closed } = withoutText;
  const notes = [
    reported > 0 && t("comments.importedOnly", { comments: reported }),
    closed > 0 && t("comments.closedOnly", { comments: closed }),
    leftOut > 0 && t("comments.leftOut", { campaigns: leftOut }),
  ].filter(Boolean);
  return notes.length > 0 && html`<p class="soft small section">${notes.join(" ")}</p>`;
}

function pageOf(found: FilteredCampaigns, { comments, questions }: FoundComments): Html {
  const { page } = found;
  const { shown, links } = paginate(found, comments, {
    page: found.parameters.get("page"),
    pageSize,
    what: found.t("pages.comments"),
    query: page.queryOf({}),
  });
  // The search is for comments.
  const list = listQuery({ ...page.filters, search: "" }, page.defaults);
  const kept = { traffic: page.filters.traffic, list };
  const cards = shown.map((comment) => ({
    text: comment.text,
    reaction: reactionBadge(found, comment.kind, comment.reaction),
    question: surveyName(found, comment, questions.get(comment.campaignId)),
    campaign: campaignOf(found, comment, kept),
    source: dateOf(found, comment),
  }));
  return html`${commentList(cards)}${links}`;
}

function campaignOf(session: WebSession, comment: CampaignComment, kept: Kept) {
  return {
    url: campaignUrl(comment.campaignId, session.organization, kept),
    subject: subjectOf(session, comment),
  };
}

function dateOf({ organization, format }: WebSession, { sentAt }: CampaignComment): Html {
  return html`<span class="time">${format.date(dateAt(sentAt, organization.timeZone))}</span>`;
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
