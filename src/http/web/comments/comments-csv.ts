// The comments of a request as CSV: all of them, in the order of the page.

import type { CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { paths } from "../../../paths.ts";
import { chunks } from "../../../storage/queries/database.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import { numberColumn, timeColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import type { PageColumn } from "../ui/lists/table.ts";
import { surveyTitle } from "../ui/texts/survey-name.ts";
import { type FoundComments, findComments, ratingOf, readCommented } from "./find-comments.ts";
import { readRating } from "./rating-filter.ts";

/** Rows per turn of the event loop: writing them takes a few milliseconds. */
const batchSize = 1_000;

export function commentsFile(context: WebContext, reader: LatestCommentsReader): Page {
  return {
    path: paths.web.commentsCsv,
    role: "viewer",
    async show(session, request) {
      const { locale } = session;
      const rating = readRating(locale, request.query);
      const { found: filtered, content } = await filteredCampaigns(context, session, request, {
        path: paths.web.comments,
        isFile: true,
        search: locale.t("comments.search"),
        read: (scope, { filter }) => readCommented(scope, session, filter),
      });
      const { search, period } = filtered.page.filters;
      const found = await findComments(context, reader, session, content, { rating, search });
      const file = csvFileName("comments", { period });
      return csvFile(file, columnsOf(session, found), chunks(found.comments, batchSize));
    },
  };
}

/** A rating is on the scale of the eNPS. What other surveys got is an answer, also if it is a number. */
function columnsOf(session: WebSession, { questions, teams }: FoundComments): PageColumn<CampaignComment>[] {
  const { locale } = session;
  const { t } = locale;
  return [
    {
      title: t("comments.file.question"),
      csv: (comment) => surveyTitle(locale, comment, questions.get(comment.campaignId)),
    },
    { title: t("comments.file.comment"), csv: ({ text }) => text },
    numberColumn(locale, t("comments.file.rating"), "mean", (comment) => ratingOf(comment) ?? null),
    {
      title: t("comments.file.answer"),
      csv: (comment) => (ratingOf(comment) === undefined ? comment.reaction : null),
    },
    { title: t("comments.file.campaignId"), csv: ({ campaignId }) => campaignId },
    { title: t("comments.file.campaign"), csv: (comment) => plainSubject(locale, comment) },
    { title: t("campaigns.columns.team"), csv: ({ campaignId }) => teams.get(campaignId) },
    timeColumn(session, t("comments.file.campaignSent"), ({ sentAt }) => sentAt),
  ];
}
