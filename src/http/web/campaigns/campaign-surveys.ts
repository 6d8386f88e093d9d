// The surveys of one campaign: eNPS, the distribution of answers, and comments.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import type { ReportedMetrics } from "../../../campaign/metrics.ts";
import { enpsIndexOf } from "../../../campaign/sum-rates.ts";
import { addCampaign, emptySums, ofTraffic } from "../../../campaign/sums.ts";
import type { SurveyResults } from "../../../listing/reports/survey-answers.ts";
import { answersForComments, type SurveyAnswers } from "../../../listing/reports/survey-summary.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { type KeyMetric, keyMetrics } from "../ui/key-metrics.ts";
import { numberCell, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

interface SurveyOptions {
  countedTraffic: TrafficFilter;
  results: SurveyResults | undefined;
  /** Whether comments show who wrote them. */
  showsNames: boolean;
}

/** Empty if the campaign has no survey. */
export function surveysSection(
  locale: Locale,
  stored: StoredCampaign,
  metrics: ReportedMetrics,
  { countedTraffic, results, showsNames }: SurveyOptions,
): HtmlValue {
  const { strings, format } = locale;
  const { campaign, numbers, counting } = stored;
  const { surveys, others } = results ?? { surveys: [], others: 0 };
  const { enps_reactions_count: ratings, survey_reactions_count: reactions } = metrics;
  const average = ratings === 0 ? null : metrics.enps_score_average;
  const hasAnswers = [campaign.surveysCount, ratings, reactions].some((number) => (number ?? 0) > 0);
  if (!hasAnswers && average === null && surveys.length === 0) return false;
  const sums = emptySums();
  addCampaign(sums, { ...campaign, numbers: ofTraffic(numbers, countedTraffic) });
  const index = enpsIndexOf(sums);
  const {
    average: averageRating,
    averageOf,
    enpsIndex,
    indexUnknown,
    surveysClosed,
    moreSurveys,
  } = strings.campaign;
  const metric = (value: string, name: string): KeyMetric => ({ name, value });
  const note = (text: string) => html`<p class="soft small">${text}</p>`;
  return html`<section class="card"><h2>${strings.campaign.surveys}</h2>
${keyMetrics([
  ...(average === null
    ? []
    : [metric(format.mean(average), ratings === null ? averageRating : averageOf(ratings))]),
  ...(index === null ? [] : [metric(format.index(index), enpsIndex)]),
  metric(format.count(metrics.enps_comments_count), strings.campaign.enpsComments),
  metric(format.count(reactions), strings.campaign.surveyAnswers),
  metric(format.count(metrics.survey_reactions_comments_count), strings.campaign.surveyComments),
])}
${average !== null && index === null && note(indexUnknown)}
${counting && counting.ledgerId === null && note(surveysClosed)}
${others > 0 && note(moreSurveys(surveys.length, others))}
${surveys.map((survey) => renderSurvey(locale, survey, showsNames))}</section>`;
}

function renderSurvey(locale: Locale, survey: SurveyAnswers, showsNames: boolean): Html {
  const { strings } = locale;
  const { id, kind, answers, distribution, otherAnswers } = survey;
  const isEnps = kind === "enps";
  const rows = (isEnps ? withAllScores(distribution) : distribution).map(({ answer, count }) => {
    const shown = answer === "" ? strings.campaign.forgottenAnswer : answer;
    return html`<tr><th scope="row" class="text">${shown}</th>${numberCell(locale, count)}</tr>\n`;
  });
  const { ratingsCaption, answersCaption, rating, answer, count } = strings.campaign;
  const caption = isEnps ? ratingsCaption(nameOf(locale, survey)) : answersCaption(nameOf(locale, survey));
  const headers = [textColumnHeader(isEnps ? rating : answer), numberColumnHeader(count)];
  return html`<h3>${isEnps ? strings.campaign.enps : strings.campaign.survey} <span class="code">${id}</span></h3>
<p>${strings.campaign.answered(answers)}</p>
${rows.length > 0 && renderTable(caption, headers, rows)}
${otherAnswers > 0 && html`<p class="soft small">${strings.campaign.otherAnswers(otherAnswers)}</p>`}
${renderComments(locale, survey, showsNames)}`;
}

/** The eNPS scores from 0 to 10, including those without ratings. */
function withAllScores(distribution: SurveyAnswers["distribution"]): SurveyAnswers["distribution"] {
  if (distribution.length === 0) return [];
  const counts = new Map(distribution.map(({ answer, count }) => [answer, count]));
  return Array.from({ length: 11 }, (_, answer) => ({ answer, count: counts.get(answer) ?? 0 }));
}

/** Two surveys of different kinds may have the same id. */
function nameOf({ strings }: Locale, { id, kind }: SurveyAnswers): string {
  const { enps, surveyNamed } = strings.campaign;
  return kind === "enps" ? `${enps} ${id}` : surveyNamed(id);
}

function renderComments(locale: Locale, survey: SurveyAnswers, showsNames: boolean): HtmlValue {
  const { strings } = locale;
  const { comments, commentsInAll, isWithheld } = survey;
  if (isWithheld) return html`<p class="soft">${strings.campaign.commentsWithheld(answersForComments)}</p>`;
  if (comments.length === 0) return false;
  const hasNames = showsNames && comments.some(({ name }) => name !== undefined);
  const rows = comments.map(({ text, reaction, name }) => {
    const from = hasNames && html`<td class="text">${name}</td>`;
    return html`<tr><td class="text">${withLineBreaks(text)}</td><td class="text">${reaction}</td>${from}</tr>\n`;
  });
  const { comment, withAnswer, commentFrom, commentsCaption, latestCommentsCaption } = strings.campaign;
  const headers = [
    textColumnHeader(comment),
    textColumnHeader(withAnswer),
    hasNames && textColumnHeader(commentFrom),
  ];
  const [total, shown, of] = [commentsInAll, comments.length, nameOf(locale, survey)];
  const caption = total > shown ? latestCommentsCaption(total, shown, of) : commentsCaption(total, of);
  return renderTable(caption, headers, rows);
}

function withLineBreaks(text: string): HtmlValue {
  return text.split("\n").map((line, index) => [index > 0 && html`<br>`, line]);
}
