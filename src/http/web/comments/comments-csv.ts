// The comments of a request as CSV: all of them, in the order and groups of the page.

import type { CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { paths } from "../../../paths.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns, requireFilters } from "../filters/filtered-campaigns.ts";
import { csvFile, csvTime, csvTitle, csvUnits } from "../frame/csv-file.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { surveyTitle } from "../ui/texts/survey-name.ts";
import { readChoices } from "./comments-url.ts";
import { type FoundComments, findComments, ratingOf, readCommented } from "./find-comments.ts";

/** Rows per turn of the event loop: writing them takes a few milliseconds. */
const batchSize = 1_000;

export function commentsFile(context: WebContext, reader: LatestCommentsReader): Page {
  return {
    path: paths.web.commentsCsv,
    role: "viewer",
    async show(session, request) {
      const { locale } = session;
      const chosen = readChoices(locale, request.query);
      const { found: filtered, content } = await filteredCampaigns(context, session, request, {
        path: paths.web.comments,
        search: locale.t("comments.search"),
        read: (scope, { filter }) => readCommented(scope, session, filter),
      });
      requireFilters(filtered);
      const { search, period } = filtered.page.filters;
      const found = await findComments(context, reader, session, content, { chosen, search });
      const file = csvFileName("comments", { period });
      return csvFile(file, headerOf(session), rowBatches(session, found));
    },
  };
}

function headerOf({ locale: { t }, organization }: WebSession): string[] {
  return [
    ...[
      t("comments.file.question"),
      t("comments.file.comment"),
      csvTitle(t("comments.file.rating"), csvUnits.mean),
      t("comments.file.answer"),
    ],
    ...[t("comments.file.campaignId"), t("comments.file.campaign"), t("campaigns.columns.team")],
    csvTitle(t("comments.file.campaignSent"), organization.timeZone),
  ];
}

function* rowBatches(session: WebSession, { groups, ...about }: FoundComments): Generator<unknown[][]> {
  for (const { comments } of groups) {
    for (let from = 0; from < comments.length; from += batchSize) {
      yield comments.slice(from, from + batchSize).map((comment) => rowOf(session, comment, about));
    }
  }
}

/** A rating is on the scale of the eNPS. What other surveys got is an answer, also if it is a number. */
function rowOf(
  { locale, organization }: WebSession,
  comment: CampaignComment,
  { questions, teams }: Pick<FoundComments, "questions" | "teams">,
): unknown[] {
  const { text, reaction, sentAt, campaignId } = comment;
  const question = surveyTitle(locale, comment, questions.get(campaignId));
  const rating = ratingOf(comment) ?? null;
  return [
    ...[question, text, rating, rating === null ? (reaction ?? null) : null],
    ...[campaignId, plainSubject(locale, comment), teams.get(campaignId) ?? null],
    csvTime(sentAt, organization.timeZone),
  ];
}
