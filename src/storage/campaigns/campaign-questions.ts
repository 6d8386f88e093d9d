// The table `campaign_questions`: the questions of surveys, by campaign and survey.

import { questionKey, type SurveyQuestion } from "../../campaign/survey-question.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

/** The questions of a campaign by {@link questionKey}. */
export type CampaignQuestions = ReadonlyMap<string, string>;

const upsertQuestions = upsertInto("campaign_questions");

/**
 * Adds the questions of a campaign, or replaces those of the same surveys.
 *
 * @param questions without duplicates
 * @returns whether something changed
 */
export async function saveQuestions(
  scope: Scope,
  campaignId: number,
  questions: readonly SurveyQuestion[],
): Promise<boolean> {
  const known = (await findQuestions(scope, [campaignId])).get(campaignId);
  const changed = questions.filter((each) => known?.get(questionKey(each)) !== each.question);
  const rows = changed.map((each) => ({
    campaign_id: campaignId,
    survey: questionKey(each),
    question: each.question,
  }));
  await upsertQuestions(scope, rows);
  return changed.length > 0;
}

/** The questions of each campaign, by its id. Campaigns without questions are missing. */
export async function findQuestions(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<Map<number, CampaignQuestions>> {
  const rows = await scope
    .from("campaign_questions", { campaign_id: campaignIds })
    .select(["campaign_id", "survey", "question"])
    .execute();
  const found = new Map<number, Map<string, string>>();
  for (const { campaign_id, survey, question } of rows) {
    const questions = found.get(campaign_id) ?? new Map<string, string>();
    found.set(campaign_id, questions.set(survey, question));
  }
  return found;
}
