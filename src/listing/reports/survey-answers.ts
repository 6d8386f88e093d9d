// The survey answers of a counted campaign, while it is open. Recipients have names only with Individual tracking; with
// another one, answers are withheld while there are few.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import type { SurveyAnswer } from "../../campaign/events/recipient.ts";
import { type AnswerCounts, releasedSurveys } from "../../campaign/release-answers.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { readRecipientsWithAnswers } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { type SurveyAnswers, SurveySummary } from "./survey-summary.ts";

export interface SurveyResults {
  /** The {@link surveysShown} surveys with the most answers, by kind and id. */
  surveys: SurveyAnswers[];
  /** How many surveys are left out. */
  others: number;
}

const surveysShown = 50;

/** Different survey ids that are counted; they come from senders, so there can be any number. */
export const maxSurveysCounted = 10_000;

/** Decoding so many does not block the event loop for long. */
const recipientsPerQuery = 1_000;

/**
 * Empty if the campaign is closed, or if its numbers were imported.
 *
 * @throws the signal's reason when it aborts
 */
export async function readSurveyAnswers(
  database: Database,
  { id: organizationId, minAnswers }: Pick<Organization, "id" | "minAnswers">,
  { campaign, counting }: StoredCampaign,
  signal?: AbortSignal,
): Promise<SurveyResults> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null) return { surveys: [], others: 0 };
  const isIndividual = campaign.trackingType === "Individual";
  const read = () => readAnswers(database, organizationId, { ledgerId, isIndividual }, signal);
  const counts = new Map<string, AnswerCounts>();
  let summaries = new Map<string, SurveySummary>();
  for await (const { survey, answer, name } of read()) {
    const isNew = !counts.has(survey);
    if (isNew && counts.size >= maxSurveysCounted) continue;
    countAnswer(counts, survey, answer);
    if (isNew && summaries.size < surveysShown) summaries.set(survey, new SurveySummary());
    summaries.get(survey)?.add(answer, name);
  }
  if (counts.size > surveysShown) {
    // Only now is it known which surveys have the most answers, so this takes a second pass.
    const most = [...counts]
      .sort(([a, x], [b, y]) => y.answers - x.answers || (a < b ? -1 : 1))
      .slice(0, surveysShown);
    summaries = new Map(most.map(([survey]) => [survey, new SurveySummary()]));
    for await (const { survey, answer, name } of read()) summaries.get(survey)?.add(answer, name);
  }
  const released = releasedSurveys(campaign, counts, minAnswers);
  const surveys = [...summaries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([survey, summary]) => summary.toAnswers(survey, released.has(survey)));
  return { surveys, others: counts.size - surveys.length };
}

/** Adds an answer to those of its survey. */
export function countAnswer(counts: Map<string, AnswerCounts>, survey: string, answer: SurveyAnswer): void {
  const count = counts.get(survey) ?? { answers: 0, reactions: 0 };
  counts.set(survey, count);
  count.answers += 1;
  if (answer.reaction) count.reactions += 1;
}

/** All answers of all recipients. `name` is undefined without names, and for forgotten recipients. */
export async function* readAnswers(
  database: Database,
  organizationId: number,
  { ledgerId, isIndividual }: { ledgerId: number; isIndividual: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<{ survey: string; answer: SurveyAnswer; name: string | undefined }> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    signal?.throwIfAborted();
    const page = { ledgerId, after, limit: recipientsPerQuery };
    const batch: Awaited<ReturnType<typeof readRecipientsWithAnswers>> = await database.queryOf(
      organizationId,
      (scope) => readRecipientsWithAnswers(scope, page),
    );
    for (const { name, state } of batch.answering) {
      const shownName = isIndividual && !isForgotten(name) ? name : undefined;
      for (const [survey, answer] of Object.entries(state.surveys ?? {})) {
        yield { survey, answer, name: shownName };
      }
    }
    after = batch.next;
    await nextTurn();
  }
}
