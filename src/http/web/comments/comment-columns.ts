// The columns of the file of comments.

import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import { plainSubject } from "../../../locale/subject-text.ts";
import { numberColumn, timeColumn } from "../frame/columns.ts";
import type { WebSession } from "../frame/page.ts";
import type { PageColumn } from "../ui/lists/table.ts";
import { surveyTitle } from "../ui/texts/survey-name.ts";
import { type FoundComments, ratingOf } from "./find-comments.ts";

/** Rows per turn of the event loop: writing them takes a few milliseconds. */
export const batchSize = 1_000;

/** A rating is on the scale of the eNPS. What other surveys got is an answer, also if it is a number. */
export function commentColumns(
  session: WebSession,
  { questions, teams }: FoundComments,
): PageColumn<CampaignComment>[] {
  const { t } = session;
  return [
    {
      title: t("comments.file.question"),
      csv: (comment) => surveyTitle(session, comment, questions.get(comment.campaignId)),
    },
    { title: t("comments.file.comment"), csv: ({ text }) => text },
    numberColumn(session, t("comments.rating"), "mean", (comment) => ratingOf(comment) ?? null),
    {
      title: t("comments.file.answer"),
      csv: (comment) => (ratingOf(comment) === undefined ? comment.reaction : null),
    },
    { title: t("comments.file.campaignId"), csv: ({ campaignId }) => campaignId },
    { title: t("comments.file.campaign"), csv: (comment) => plainSubject(session, comment) },
    { title: t("campaigns.columns.team"), csv: ({ campaignId }) => teams.get(campaignId) },
    timeColumn(session, t("comments.file.campaignSent"), ({ sentAt }) => sentAt),
  ];
}
