// Adds up the answers to surveys by the month of sending. The eNPS is of all campaigns that were counted here, also closed ones;
// the answers to other surveys are those of open campaigns, because closing deletes single answers.

import { divide, startsOf } from "../../../campaign/calendar/buckets.ts";
import { daysBetween } from "../../../campaign/calendar/calendar-date.ts";
import type { DateSpan } from "../../../campaign/calendar/period.ts";
import type { SpreadSums } from "../../../campaign/rate-ranges.ts";
import { questionKey } from "../../../campaign/survey-question.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { type AnsweredSurvey, chooseCommented } from "../../../listing/reports/latest-comments.ts";
import { spanOf } from "../../../listing/sums/overview-numbers.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import { type CampaignQuestions, findQuestions } from "../../../storage/campaigns/campaign-questions.ts";
import { isStillCounting } from "../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findCommented, findSumsByPeriod, findTotals } from "../../../storage/sums/sum-queries.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";

/** The same limits as for comments, because the first reading of answers takes time. */
const limits = { limit: 500, maxAnswers: 60_000 };

/** A question of one or more campaigns, other than the eNPS. */
export interface AskedQuestion {
  survey: Pick<AnsweredSurvey, "kind" | "surveyId">;
  /** Undefined if the senders stated none. */
  text: string | undefined;
  /** The most frequent answers first. */
  answers: (string | number)[];
  /** How often each answer was given, by the index of the month. */
  months: ReadonlyMap<number, ReadonlyMap<string | number, number>>;
  /** How many more answers campaigns have that are still counting. */
  counting: number;
}

export interface FoundSurveys {
  /** Months or, for long periods, years. */
  spans: DateSpan[];
  unit: "month" | "year";
  /** The sums of all campaigns, with the spread of the eNPS. */
  total: SpreadSums;
  /** Maps the index of each month to its sums. */
  months: ReadonlyMap<number, SpreadSums>;
  questions: AskedQuestion[];
  /** Ratings of campaigns that are still counting. */
  ratingsCounting: number;
  /** The question of the eNPS, if all campaigns have the same. */
  enpsQuestion: string | undefined;
  /** Campaigns whose answers are withheld, and those that would take too long to read. */
  withheld: number;
  leftOut: number;
}

/** Longer periods are divided into years. */
const maxDays = 5 * 366;

/** Campaigns with surveys, without the answers. */
type Surveyed = Awaited<ReturnType<typeof readSurveyed>>;

export async function readSurveyed(
  scope: Scope,
  { filter, page: { filters, defaults }, organization }: FilteredCampaigns,
) {
  const { timeZone } = organization;
  const totals = await findTotals(scope, filter, ["enpsIndex"]);
  const sent = spanOf(totals, timeZone);
  const today = todayOf(defaults);
  const span = filters.period.span ?? sent;
  const unit: FoundSurveys["unit"] = span && daysBetween(span.first, span.last) > maxDays ? "year" : "month";
  const buckets = sent && span ? divide(unit === "year" ? sent : span, today, unit) : { unit, spans: [] };
  const starts = startsOf(buckets.spans, timeZone);
  const commented = await findCommented(scope, filter, "answers");
  const ids = chooseCommented(commented, limits);
  return {
    total: totals.sums,
    spans: buckets.spans,
    unit,
    starts,
    months: await findSumsByPeriod(scope, filter, starts, ["enpsIndex"]),
    campaigns: await findReleased(scope, organization, ids),
    texts: await findQuestions(scope, ids),
    leftOut: commented.length - ids.length,
  };
}

export async function readSurveys(
  { comments, shutdownSignal }: WebContext,
  { organization }: WebSession,
  { campaigns: found, texts, starts, ...numbers }: Surveyed,
): Promise<FoundSurveys> {
  const counting = new Set(found.filter(isStillCounting).map(({ campaign }) => campaign.id));
  const surveys = await comments.readSurveys(organization, found, shutdownSignal);
  const isCounting = ({ campaignId }: AnsweredSurvey) => counting.has(campaignId);
  const settled = surveys.filter((survey) => !isCounting(survey));
  const [ratings = [], others = []] = [true, false].map((isEnps) =>
    surveys.filter(({ kind, counts }) => counts && (kind === "enps") === isEnps),
  );
  const asked = new Set(settled.filter(({ kind }) => kind === "enps").map((survey) => textOf(survey, texts)));
  return {
    ...numbers,
    questions: addUp(others, { starts, texts, isCounting }),
    ratingsCounting: answersOf(ratings.filter(isCounting)),
    enpsQuestion: asked.size === 1 ? [...asked][0] : undefined,
    withheld: new Set(settled.filter(({ counts }) => !counts).map(({ campaignId }) => campaignId)).size,
  };
}

/** How many there are. */
function answersOf(surveys: readonly Pick<AnsweredSurvey, "counts">[]): number {
  let total = 0;
  for (const { counts } of surveys) for (const count of counts?.values() ?? []) total += count;
  return total;
}

type Texts = ReadonlyMap<number, CampaignQuestions>;

const textOf = (survey: AnsweredSurvey, texts: Texts) =>
  texts.get(survey.campaignId)?.get(questionKey(survey));

/** The same question, also if its surveys have different ids; without a question, the same survey. */
function addUp(
  surveys: readonly AnsweredSurvey[],
  {
    starts,
    texts,
    isCounting,
  }: { starts: readonly number[]; texts: Texts; isCounting: (survey: AnsweredSurvey) => boolean },
): AskedQuestion[] {
  const keyOf = (survey: AnsweredSurvey) => textOf(survey, texts) ?? `\0${questionKey(survey)}`;
  const questions = [...Map.groupBy(surveys, keyOf).values()].map((same) => {
    const sums = new Map<string | number, number>();
    const months = new Map<number, Map<string | number, number>>();
    for (const { sentAt, counts = [] } of same.filter((survey) => !isCounting(survey))) {
      const month = starts.findLastIndex((start) => start <= sentAt);
      const own = months.get(month) ?? new Map<string | number, number>();
      months.set(month, own);
      for (const [answer, count] of counts) {
        own.set(answer, (own.get(answer) ?? 0) + count);
        sums.set(answer, (sums.get(answer) ?? 0) + count);
      }
    }
    const answers = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([answer]) => answer);
    const [first] = same as [AnsweredSurvey];
    return {
      survey: first,
      text: textOf(first, texts),
      answers,
      months,
      counting: answersOf(same.filter(isCounting)),
      total: answersOf(same),
    };
  });
  return questions.sort((a, b) => b.total - a.total);
}
