// The surveys of one campaign: eNPS, how ratings and answers are distributed, and comments.

import { campaignRate, sumsOfCampaign } from "../../../../campaign/campaign-rates.ts";
import { enpsKindOf } from "../../../../campaign/events/tally.ts";
import { metricsOf } from "../../../../campaign/metrics.ts";
import { hasNames } from "../../../../campaign/release-answers.ts";
import type { Sums } from "../../../../campaign/sums.ts";
import { questionKey } from "../../../../campaign/survey-question.ts";
import { commentsShown, type SurveyAnswers } from "../../../../listing/reports/survey-summary.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { barRows } from "../../ui/lists/table.ts";
import { keyMetrics } from "../../ui/numbers/key-metrics.ts";
import { withheldText } from "../../ui/numbers/number-or-dash.ts";
import { shareWithRange } from "../../ui/numbers/rate-with-range.ts";
import { reactionBadge } from "../../ui/texts/badge.ts";
import { type CommentCard, commentList } from "../../ui/texts/comment-list.ts";
import { surveyLabel, surveyName } from "../../ui/texts/survey-name.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

export function surveysTab(view: CampaignView): Html {
  const { stored, details, t } = view;
  const { surveys, others } = details?.surveys ?? { surveys: [], others: 0 };
  const sums = sumsOfCampaign(shownCampaign(view));
  const metrics = metricsOf(stored.numbers, stored.campaign.recipientCount, view.traffic);
  const given = [metrics.enps_score_average, metrics.enps_reactions_count, metrics.survey_reactions_count];
  if (!given.some(Boolean) && surveys.length === 0) {
    return emptyState({ icon: "comments", title: t("pages.surveys"), text: noAnswersText(view) });
  }
  const note = (text: string) => html`<p class="soft small">${text}</p>`;
  return html`${surveyMetrics(view, sums)}
${sums.ratings > 0 && sums.indexed === 0 && note(t("campaign.indexUnknown"))}
${stored.counting?.ledgerId === null && note(t("campaign.surveysClosed"))}
${stepsNote(view)}
${others > 0 && note(t("campaign.moreSurveys", { shown: surveys.length, others }))}
${surveys.map((survey) => surveySection(view, survey))}
${namesNote(view)}`;
}

/** Says that answers without names count in steps. */
function stepsNote({ stored, organization, t }: CampaignView): HtmlValue {
  if (!stored.counting || hasNames(stored.campaign)) return false;
  return html`<p class="soft small">${t("campaign.answerSteps", { min: organization.minAnswers })}</p>`;
}

/** Why no ratings and answers are shown. */
function noAnswersText(view: CampaignView): string {
  const { campaign, numbers } = view.stored;
  const { organization, t } = view;
  const isWithheld =
    numbers.withheldBelow !== undefined || view.details?.surveys.surveys.some((each) => each.isWithheld);
  if (isWithheld || (campaign.surveysCount && stepsNote(view)))
    return t("campaign.fewerAnswers", { min: organization.minAnswers });
  if (campaign.surveysCount === 0) return view.t("campaign.noSurvey");
  if (campaign.surveysCount === null) return view.t("campaign.surveyUnknown");
  const metrics = metricsOf(numbers, campaign.recipientCount, view.traffic);
  return [metrics.enps_reactions_count, metrics.survey_reactions_count].includes(null)
    ? view.t("campaign.answersUnknown")
    : view.t("campaign.noAnswers");
}

function surveyMetrics(view: CampaignView, { ratings: count }: Sums): Html {
  const { stored, traffic, t, format } = view;
  const metrics = metricsOf(stored.numbers, stored.campaign.recipientCount, traffic);
  const campaign = shownCampaign(view);
  const [index, mean] = [campaignRate(campaign, "enpsIndex"), campaignRate(campaign, "enpsMean")];
  const withheld = withheldText(view, stored, "enpsIndex");
  const ratings = metrics.enps_reactions_count ?? 0;
  const names = { index: t("numbers.enpsIndex"), mean: t("numbers.enpsMean") };
  const counted = (name: string, count: number | null) =>
    count !== null && count > 0 && { name, value: format.count(count) };
  return keyMetrics([
    withheld !== undefined && {
      name: names.index,
      value: withheld,
      isText: true,
      note: t("campaign.ratings", { ratings }),
    },
    index !== null && { name: names.index, value: format.index(index), note: t("campaign.enpsIndex") },
    mean !== null && {
      name: names.mean,
      value: format.mean(mean),
      note: count > 0 && t("campaign.ratings", { ratings: count }),
    },
    counted(t("campaign.enpsComments"), metrics.enps_comments_count),
    counted(t("campaign.surveyAnswers"), metrics.survey_reactions_count),
    counted(t("campaign.surveyComments"), metrics.survey_reactions_comments_count),
  ]);
}

/** @param survey one of the campaign's */
function surveySection(view: CampaignView, survey: SurveyAnswers): Html {
  const { t } = view;
  const { id, kind, answers, otherAnswers, isWithheld, commentsInAll } = survey;
  const comments = survey.comments.slice(0, commentsShown);
  const { surveys, others } = view.details?.surveys ?? { surveys: [], others: 0 };
  const isOnlyEnps =
    kind === "enps" && others === 0 && surveys.filter((each) => each.kind === kind).length === 1;
  const named = { kind, surveyId: id };
  const isKnown = view.questions?.has(questionKey(named));
  const heading = isOnlyEnps && !isKnown ? t("campaign.enps") : surveyName(view, named, view.questions);
  return html`<section><div class="section card-head"><h2>${heading}</h2><span class="soft">${isKnown && html`${surveyLabel(view, named)} · `}${t("campaign.answered", { recipients: answers })}</span></div>
${
  isWithheld
    ? html`<p class="soft">${t("campaign.answersWithheld", { kind, min: view.organization.minAnswers })}</p>`
    : html`<div class="card">${kind === "enps" ? scoreRows(view, survey) : answerRows(view, survey)}
${otherAnswers > 0 && html`<p class="soft small">${t("campaign.otherAnswers", { count: otherAnswers })}</p>`}</div>`
}
${
  comments.length > 0 &&
  html`<div class="list-head with-comments"><h3>${countText(view, commentsInAll, comments.length)}</h3></div>
${commentList(commentCards(view, { ...survey, comments }))}`
}</section>`;
}

const countText = ({ t }: Locale, total: number, shown: number): string =>
  shown === total
    ? t("campaign.commentCount", { count: total })
    : t("campaign.latestComments", { total, shown });

/**
 * How readers rated a campaign: the kinds of its eNPS ratings, or the answers to its first other survey. Undefined without
 * ratings and answers, or if only their mean is known.
 */
export function ratingsChart(view: CampaignView, sums: Sums): Html | undefined {
  const { details, questions } = view;
  if (sums.indexed > 0) return html`<h2>${view.t("campaign.ratingsTitle")}</h2>${kindRows(view, sums)}`;
  const [pulse] = (details?.surveys.surveys ?? []).filter(({ distribution }) => distribution.length > 0);
  if (!pulse) return undefined;
  return html`<div class="card-head"><h2>${surveyName(view, { ...pulse, surveyId: pulse.id }, questions)}</h2><span class="soft small">${view.t("campaign.answered", { recipients: pulse.answers })}</span></div>${answerRows(view, pulse)}`;
}

/** The eNPS scores, and how many are of each kind. */
function scoreRows({ t, format }: Locale, { distribution, answers }: SurveyAnswers): Html {
  const counts = Array.from({ length: 11 }, (_, score) => countOf(distribution, score));
  const kinds = (["promoter", "passive", "detractor"] as const).map((kind) => {
    const count = counts.reduce((sum, each, score) => sum + (enpsKindOf(score) === kind ? each : 0), 0);
    return t(`campaign.scores.${kind}s`, { count: format.count(count), share: format.rate(count / answers) });
  });
  const rows = counts.map((count, score) => ({
    name: String(score),
    share: count / answers,
    text: format.count(count),
  }));
  return html`<p class="soft small">${kinds.join(" · ")}</p>${barRows(rows.toReversed())}`;
}

function countOf(distribution: SurveyAnswers["distribution"], score: number): number {
  return distribution.find(({ answer }) => answer === score)?.count ?? 0;
}

function kindRows(locale: Locale, { promoters, detractors, indexed }: Sums): Html {
  const { t } = locale;
  const row = (name: string, count: number) => ({
    name,
    share: count / indexed,
    text: shareWithRange(locale, count, indexed),
  });
  return barRows([
    row(t("campaign.kinds.detractors"), detractors),
    row(t("campaign.kinds.passives"), indexed - promoters - detractors),
    row(t("campaign.kinds.promoters"), promoters),
  ]);
}

function answerRows({ t, format }: Locale, { distribution, answers }: SurveyAnswers): Html {
  return barRows(
    distribution.map(({ answer, count }) => ({
      name: answer === "" ? t("campaign.forgottenAnswer") : html`<span lang="" dir="auto">${answer}</span>`,
      share: count / answers,
      text: format.count(count),
    })),
  );
}

/** The comments of a survey; admins see who wrote them, if that is known. */
export function commentCards(
  view: CampaignView,
  { kind, comments }: Pick<SurveyAnswers, "kind" | "comments">,
): CommentCard[] {
  return comments.map(({ text, reaction, name }) => ({
    text,
    reaction: reactionBadge(view, kind, reaction),
    source: view.isAdmin && name !== undefined && html`<bdi>${name}</bdi>`,
  }));
}

/** Says that only admins see names, if a comment has one. */
export function namesNote({ details, t }: CampaignView): HtmlValue {
  const comments = details?.surveys.surveys.flatMap((survey) => survey.comments) ?? [];
  if (comments.every(({ name }) => name === undefined)) return false;
  return html`<p class="soft small section with-comments">${t("campaign.namesForAdmins")}</p>`;
}
