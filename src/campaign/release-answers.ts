// Withholds survey results from few answers where recipients have no names. Every interface shows the campaigns and the
// surveys that these functions release.

import type { Campaign } from "./campaign.ts";
import type { Recipient, SurveyAnswer } from "./events/recipient.ts";
import type { Numbers } from "./metrics.ts";

/** The answers from which results are released: what an organization can choose, and the default. */
export const minAnswersLimits = { min: 1, max: 50, default: 5 } as const;

type TrackedCampaign = Pick<Campaign, "trackingType">;

/** Whether its recipients have names. An import may have any other tracking type, or none. */
export function hasNames({ trackingType }: TrackedCampaign): boolean {
  return trackingType !== "Anonymous" && trackingType !== "Overall";
}

/** The number of ratings from which their average is released. */
export function minRatingsOf(campaign: TrackedCampaign, minAnswers: number): number {
  return hasNames(campaign) ? 1 : minAnswers;
}

/**
 * The campaign without the average, promoters and detractors of its eNPS ratings if these are fewer than `minAnswers`.
 * Counts stay. Of an import whose number of ratings is unknown, the average stays as given.
 */
export function releaseAnswers<Stored extends { campaign: TrackedCampaign; numbers: Numbers }>(
  stored: Stored,
  minAnswers: number,
): Stored {
  const { campaign, numbers } = stored;
  const minRatings = minRatingsOf(campaign, minAnswers);
  if (minRatings === 1) return stored;
  if ("tallies" in numbers) {
    const { people, all } = numbers.tallies;
    if (people.enpsReactions === 0 || people.enpsReactions >= minRatings) return stored;
    const hidden = { enpsScores: 0, enpsPromoters: 0, enpsDetractors: 0 };
    const tallies = { people: { ...people, ...hidden }, all: { ...all, ...hidden } };
    return { ...stored, numbers: { tallies, withheldBelow: minAnswers } };
  }
  const { enps_reactions_count: ratings, enps_score_average: average } = numbers.reported;
  if (ratings === null || ratings >= minRatings || (ratings === 0 && !average)) return stored;
  const reported = { ...numbers.reported, enps_score_average: null };
  return { ...stored, numbers: { reported, withheldBelow: minAnswers } };
}

/**
 * Which held answers are enough to count: each step changes the results of a survey by the answers of `minAnswers` recipients or
 * more, so no one learns a single answer by comparing before and after. Comments alone do not hide a score.
 *
 * @param recipients all with held answers in a campaign
 */
export function enoughHeld(
  recipients: readonly Pick<Recipient, "held">[],
  minAnswers: number,
): (survey: string, answer: SurveyAnswer) => boolean {
  const keyOf = (survey: string, { reaction }: SurveyAnswer) =>
    `${reaction ? "reaction" : "comment"} ${survey}`;
  const counts = new Map<string, number>();
  for (const [survey, answer] of recipients.flatMap(({ held = {} }) => Object.entries(held))) {
    const key = keyOf(survey, answer);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (survey, answer) => (counts.get(keyOf(survey, answer)) ?? 0) >= minAnswers;
}

/** How many recipients answered a survey. Some may have sent a comment without a score or a text. */
export interface AnswerCounts {
  answers: number;
  reactions: number;
}

/**
 * The surveys of a campaign whose distribution and comments are released. A few scores or texts withhold the survey, also
 * among more comments. A small eNPS survey withholds the other ones too: the average is of all ratings, so the difference
 * would be those of the small one.
 *
 * @param surveys all that have answers, by their kinds and ids: `enps s-1`
 */
export function releasedSurveys(
  campaign: TrackedCampaign,
  surveys: ReadonlyMap<string, AnswerCounts>,
  minAnswers: number,
): ReadonlySet<string> {
  const counted = [...surveys].map(([survey, { answers, reactions }]) => ({
    survey,
    isRated: survey.startsWith("enps ") && reactions > 0,
    isSmall: !hasNames(campaign) && (reactions || answers) < minAnswers,
  }));
  const hidesRatings = counted.some(({ isRated, isSmall }) => isRated && isSmall);
  const released = counted.filter(({ isRated, isSmall }) => !isSmall && !(isRated && hidesRatings));
  return new Set(released.map(({ survey }) => survey));
}
