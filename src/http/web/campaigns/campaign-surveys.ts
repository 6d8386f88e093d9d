// The surveys of one campaign: eNPS, the distribution of answers, and comments.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import type { ReportedMetrics } from "../../../campaign/metrics.ts";
import { enpsIndexOf } from "../../../campaign/sum-rates.ts";
import { addCampaign, emptySums } from "../../../campaign/sums.ts";
import type { SurveyResults } from "../../../listing/reports/survey-answers.ts";
import { answersForComments, type SurveyAnswers } from "../../../listing/reports/survey-summary.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { campaignStrings } from "../strings/campaign.ts";
import { formatCount, formatIndex, formatMean } from "../ui/number-format.ts";
import { numberCell, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

interface SurveyOptions {
  countedTraffic: TrafficFilter;
  results: SurveyResults | undefined;
  /** Whether comments show who wrote them. */
  showsNames: boolean;
}

/** Empty if the campaign has no survey. */
export function surveysSection(
  stored: StoredCampaign,
  metrics: ReportedMetrics,
  { countedTraffic, results, showsNames }: SurveyOptions,
): HtmlValue {
  const { campaign, numbers, counting } = stored;
  const { surveys, others } = results ?? { surveys: [], others: 0 };
  const { enps_reactions_count: ratings, survey_reactions_count: reactions } = metrics;
  const average = ratings === 0 ? null : metrics.enps_score_average;
  const hasAnswers = [campaign.surveysCount, ratings, reactions].some((number) => (number ?? 0) > 0);
  if (!hasAnswers && average === null && surveys.length === 0) return false;
  const sums = emptySums();
  addCampaign(sums, { recipientCount: campaign.recipientCount, numbers }, countedTraffic);
  const index = enpsIndexOf(sums);
  const { averageOf, enpsIndex, indexUnknown, surveysClosed, moreSurveys } = campaignStrings;
  const metric = (value: string, label: string) => html`<li><b>${value}</b> ${label}</li>`;
  const note = (text: string) => html`<p class="soft small">${text}</p>`;
  return html`<section class="card"><h2>${campaignStrings.surveys}</h2>
<ul class="metrics">
${average !== null && metric(formatMean(average), averageOf(ratings))}
${index !== null && metric(formatIndex(index), enpsIndex)}
${metric(formatCount(metrics.enps_comments_count), campaignStrings.enpsComments)}
${metric(formatCount(reactions), campaignStrings.surveyAnswers)}
${metric(formatCount(metrics.survey_reactions_comments_count), campaignStrings.surveyComments)}
</ul>
${average !== null && index === null && note(indexUnknown)}
${counting && counting.ledgerId === null && note(surveysClosed)}
${others > 0 && note(moreSurveys(surveys.length, others))}
${surveys.map((survey) => renderSurvey(survey, showsNames))}</section>`;
}

function renderSurvey(survey: SurveyAnswers, showsNames: boolean): Html {
  const { id, kind, answers, distribution, otherAnswers } = survey;
  const isEnps = kind === "enps";
  const rows = (isEnps ? withAllScores(distribution) : distribution).map(({ answer, count }) => {
    const shown = answer === "" ? campaignStrings.forgottenAnswer : answer;
    return html`<tr><th scope="row" class="text">${shown}</th>${numberCell(count)}</tr>\n`;
  });
  const { ratingsCaption, answersCaption, rating, answer, count } = campaignStrings;
  const caption = isEnps ? ratingsCaption(nameOf(survey)) : answersCaption(nameOf(survey));
  const headers = [textColumnHeader(isEnps ? rating : answer), numberColumnHeader(count)];
  return html`<h3>${isEnps ? campaignStrings.enps : campaignStrings.survey} <span class="code">${id}</span></h3>
<p>${campaignStrings.answered(answers)}</p>
${rows.length > 0 && renderTable(caption, headers, rows)}
${otherAnswers > 0 && html`<p class="soft small">${campaignStrings.otherAnswers(otherAnswers)}</p>`}
${renderComments(survey, showsNames)}`;
}

/** The eNPS scores from 0 to 10, including those without ratings. */
function withAllScores(distribution: SurveyAnswers["distribution"]): SurveyAnswers["distribution"] {
  if (distribution.length === 0) return [];
  const counts = new Map(distribution.map(({ answer, count }) => [answer, count]));
  return Array.from({ length: 11 }, (_, answer) => ({ answer, count: counts.get(answer) ?? 0 }));
}

/** Two surveys of different kinds may have the same id. */
const nameOf = ({ id, kind }: SurveyAnswers): string => campaignStrings.surveyName(kind === "enps", id);

function renderComments(survey: SurveyAnswers, showsNames: boolean): HtmlValue {
  const { comments, commentsInAll, isWithheld } = survey;
  if (isWithheld) return html`<p class="soft">${campaignStrings.commentsWithheld(answersForComments)}</p>`;
  if (comments.length === 0) return false;
  const hasNames = showsNames && comments.some(({ name }) => name !== undefined);
  const rows = comments.map(({ text, reaction, name }) => {
    const from = hasNames && html`<td class="text">${name}</td>`;
    return html`<tr><td class="text">${withLineBreaks(text)}</td><td class="text">${reaction}</td>${from}</tr>\n`;
  });
  const { comment, withAnswer, commentFrom, commentsCaption } = campaignStrings;
  const headers = [
    textColumnHeader(comment),
    textColumnHeader(withAnswer),
    hasNames && textColumnHeader(commentFrom),
  ];
  return renderTable(commentsCaption(commentsInAll, comments.length, nameOf(survey)), headers, rows);
}

function withLineBreaks(text: string): HtmlValue {
  return text.split("\n").map((line, index) => [index > 0 && html`<br>`, line]);
}
