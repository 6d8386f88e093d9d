// The surveys of one campaign, as people read them: eNPS, how the answers are distributed, and comments.

import type { CountedTraffic } from "../../../campaign/events/traffic.ts";
import type { ReportedMetrics } from "../../../campaign/metrics.ts";
import { addCampaign, emptySums, enpsIndexOf } from "../../../campaign/sums.ts";
import {
  answersForComments,
  type SurveyAnswers,
  type SurveyResults,
} from "../../../listing/reports/survey-answers.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { countedWords, formatCount, formatIndex, formatMean } from "../ui/number-format.ts";
import { numberCell, numberHead, tableOf, wordsHead } from "../ui/table.ts";

/** Nothing where there is no survey. */
export function surveysOf(
  { campaign, numbers, counting }: StoredCampaign,
  metrics: ReportedMetrics,
  {
    countedTraffic,
    results,
    showsNames,
  }: { countedTraffic: CountedTraffic; results: SurveyResults | undefined; showsNames: boolean },
): HtmlValue {
  const { surveys, others } = results ?? { surveys: [], others: 0 };
  const { enps_reactions_count: ratings, survey_reactions_count: reactions } = metrics;
  const mean = ratings === 0 ? null : metrics.enps_score_average;
  const isAny = [campaign.surveysCount, ratings, reactions].some((number) => (number ?? 0) > 0);
  if (!isAny && mean === null && surveys.length === 0) return false;
  const sums = emptySums();
  addCampaign(sums, { recipientCount: campaign.recipientCount, numbers }, countedTraffic);
  const index = enpsIndexOf(sums);
  const figure = (value: string, words: string) => html`<li><b>${value}</b> ${words}</li>`;
  const note = (words: string) => html`<p class="soft small">${words}</p>`;
  return html`<section class="card"><h2>Surveys</h2>
<ul class="figures">
${mean !== null && figure(formatMean(mean), `mean of ${ratings === null ? "the eNPS ratings" : countedWords(ratings, "eNPS rating")}`)}
${index !== null && figure(formatIndex(index), "eNPS index: the share of 9 and 10 less that of 0 to 6")}
${figure(formatCount(metrics.enps_comments_count), "eNPS ratings with words")}
${figure(formatCount(reactions), "answers to other surveys")}
${figure(formatCount(metrics.survey_reactions_comments_count), "of them with words")}
</ul>
${mean !== null && index === null && note("The eNPS index is not known: a reported campaign has only the mean of its ratings.")}
${counting && counting.ledgerId === null && note("The campaign is closed. Single answers and comments are gone.")}
${others > 0 && note(`These are the ${formatCount(surveys.length)} surveys with the most answers. There are ${formatCount(others)} more.`)}
${surveys.map((survey) => surveyOf(survey, showsNames))}</section>`;
}

function surveyOf(survey: SurveyAnswers, showsNames: boolean): Html {
  const { id, kind, answers, distribution, otherAnswers } = survey;
  const isRating = kind === "enps";
  const rows = (isRating ? allScores(distribution) : distribution).map(({ answer, count: times }) => {
    const shown = answer === "" ? "Forgotten" : answer;
    return html`<tr><th scope="row" class="words">${shown}</th>${numberCell(times)}</tr>\n`;
  });
  const caption = `How often each ${isRating ? "rating" : "answer"} was given: ${nameOf(survey)}`;
  const heads = [wordsHead(isRating ? "Rating" : "Answer"), numberHead("Times")];
  return html`<h3>${isRating ? "eNPS" : "Survey"} <span class="code">${id}</span></h3>
<p>${formatCount(answers)} ${answers === 1 ? "recipient has" : "recipients have"} answered.</p>
${rows.length > 0 && tableOf(caption, heads, rows)}
${otherAnswers > 0 && html`<p class="soft small">Other answers: ${formatCount(otherAnswers)}.</p>`}
${commentsOf(survey, showsNames)}`;
}

/** Those that nobody gave as well. */
function allScores(distribution: SurveyAnswers["distribution"]): SurveyAnswers["distribution"] {
  if (distribution.length === 0) return [];
  const times = new Map(distribution.map(({ answer, count }) => [answer, count]));
  return Array.from({ length: 11 }, (_, answer) => ({ answer, count: times.get(answer) ?? 0 }));
}

/** Two surveys of different kinds may have the same id. */
const nameOf = ({ id, kind }: SurveyAnswers): string => `${kind === "enps" ? "eNPS" : "survey"} ${id}`;

function commentsOf(survey: SurveyAnswers, showsNames: boolean): HtmlValue {
  const { comments, commentsInAll, isWithheld } = survey;
  if (isWithheld) {
    return html`<p class="soft">There are comments. They are shown once ${answersForComments} recipients have answered.</p>`;
  }
  if (comments.length === 0) return false;
  const hasNames = showsNames && comments.some(({ name }) => name !== undefined);
  const rows = comments.map(({ text, reaction, name }) => {
    const from = hasNames && html`<td class="words">${name}</td>`;
    return html`<tr><td class="words">${linesOf(text)}</td><td class="words">${reaction}</td>${from}</tr>\n`;
  });
  const rest =
    commentsInAll > comments.length ? `, of which these are the latest ${formatCount(comments.length)}` : "";
  const caption = `${formatCount(commentsInAll)} ${commentsInAll === 1 ? "comment" : "comments"}${rest}: ${nameOf(survey)}`;
  const heads = [wordsHead("Comment"), wordsHead("With the answer"), hasNames && wordsHead("From")];
  return tableOf(caption, heads, rows);
}

function linesOf(text: string): HtmlValue {
  return text.split("\n").map((line, place) => [place > 0 && html`<br>`, line]);
}
