// The comments on several campaigns, and how often each answer was given. Those of a campaign are cached until it changes.

import type { SurveyKind } from "../../campaign/events/event.ts";
import { type AnswerCounts, releasedSurveys } from "../../campaign/release-answers.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { CampaignCache } from "./campaign-cache.ts";
import { countAnswer, maxSurveysCounted, readAnswers } from "./survey-answers.ts";
import { surveyOf } from "./survey-summary.ts";

export interface CampaignComment {
  campaignId: number;
  subject: string;
  sentAt: number;
  text: string;
  /** The survey that it answers: its kind, and its id within the campaign. */
  kind: SurveyKind;
  surveyId: string;
  /** The score or answer that the comment belongs to. */
  reaction: string | number | undefined;
}

/** The answers to a survey of a campaign. */
export interface AnsweredSurvey {
  campaignId: number;
  sentAt: number;
  kind: SurveyKind;
  surveyId: string;
  /** How often each score or answer was given; undefined while they are withheld. */
  counts: ReadonlyMap<string | number, number> | undefined;
}

interface CampaignAnswers {
  comments: CampaignComment[];
  surveys: AnsweredSurvey[];
}

/** The limit in characters, with some for the other properties of each comment and survey. */
const cacheLimits = {
  sizeOf: ({ comments, surveys }: CampaignAnswers) =>
    comments.reduce((size, { text }) => size + text.length + 200, 0) +
    surveys.reduce((size, { counts }) => size + 200 + 100 * (counts?.size ?? 0), 0),
  maxSize: 16 * 1024 * 1024,
};

/** More reads at once would make other requests wait for a connection to the database. */
const readsAtOnce = 3;

type Answered = Pick<Organization, "id" | "minAnswers">;

export class LatestCommentsReader {
  readonly #database: Database;
  readonly #cache: CampaignCache<CampaignAnswers>;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new CampaignCache(database, cacheLimits);
  }

  /**
   * The comments on the newest campaign first, and its newest first. Without names, and without those of surveys that are
   * withheld.
   *
   * @param campaigns newest first; reads the answers of all
   * @param options.limit all by default
   */
  async read(
    organization: Answered,
    campaigns: readonly StoredCampaign[],
    { limit = Infinity, signal }: { limit?: number; signal: AbortSignal | undefined },
  ): Promise<CampaignComment[]> {
    const comments: CampaignComment[] = [];
    for await (const answers of this.#readEach(organization, campaigns, signal)) {
      for (const comment of answers.comments) comments.push(comment);
      if (comments.length >= limit) break;
    }
    return comments.slice(0, limit);
  }

  /** The answers to the surveys of campaigns, also those without comments. */
  async readSurveys(
    organization: Answered,
    campaigns: readonly StoredCampaign[],
    signal: AbortSignal | undefined,
  ): Promise<AnsweredSurvey[]> {
    const surveys: AnsweredSurvey[] = [];
    for await (const answers of this.#readEach(organization, campaigns, signal))
      surveys.push(...answers.surveys);
    return surveys;
  }

  async *#readEach(
    organization: Answered,
    campaigns: readonly StoredCampaign[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<CampaignAnswers> {
    const { id: organizationId, minAnswers } = organization;
    const ids = campaigns.map(({ campaign }) => campaign.id);
    const changes = await this.#database.queryOf(organizationId, (scope) => findChangesOf(scope, ids));
    for (let from = 0; from < campaigns.length; from += readsAtOnce) {
      const some = campaigns.slice(from, from + readsAtOnce).map((stored) => {
        const { campaign } = stored;
        const revisionId = changes.get(campaign.id)?.revisionId;
        const state = { organizationId, campaign, revisionId, minAnswers };
        return this.#cache.get(state, () => readCampaign(this.#database, organization, stored, signal));
      });
      yield* await Promise.all(some);
    }
  }
}

/** Different answers to a survey that are counted: senders may let recipients write any text. */
const maxDifferent = 100;

/** Reads an open campaign only, because closing it deletes the texts. */
async function readCampaign(
  database: Database,
  { id: organizationId, minAnswers }: Answered,
  { campaign, counting }: StoredCampaign,
  signal: AbortSignal | undefined,
): Promise<CampaignAnswers> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null) return { comments: [], surveys: [] };
  const { id: campaignId, subject, sentAt } = campaign;
  const counts = new Map<string, AnswerCounts>();
  const given = new Map<string, Map<string | number, number>>();
  const unsorted: { comment: CampaignComment; survey: string; at: number; id: string }[] = [];
  const ledger = { ledgerId, isIndividual: false };
  for await (const { survey, answer } of readAnswers(database, organizationId, ledger, signal)) {
    if (!counts.has(survey) && counts.size >= maxSurveysCounted) continue;
    countAnswer(counts, survey, answer);
    const of = given.get(survey) ?? new Map<string | number, number>();
    given.set(survey, of);
    const [value] = answer.reaction ?? [];
    if (value !== undefined && (of.has(value) || of.size < maxDifferent))
      of.set(value, (of.get(value) ?? 0) + 1);
    if (!answer.comment || answer.comment[0] === "") continue;
    const [text, at, id] = answer.comment;
    const about = { campaignId, subject, sentAt, ...surveyOf(survey) };
    unsorted.push({ comment: { ...about, text, reaction: answer.reaction?.[0] }, survey, at, id });
  }
  const released = releasedSurveys(campaign, counts, minAnswers);
  const comments = unsorted
    .filter(({ survey }) => released.has(survey))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    // Leaves out the time, which could reveal who wrote a comment.
    .map(({ comment }) => comment);
  const surveys = [...given].map(([survey, own]) => ({
    campaignId,
    sentAt,
    ...surveyOf(survey),
    counts: released.has(survey) ? own : undefined,
  }));
  return { comments, surveys };
}

/**
 * The campaigns whose comments are read: reading takes time and memory for each answer, so campaigns with more answers than
 * are left are skipped.
 *
 * @param campaigns newest first
 * @param maxAnswers of all of them together
 */
export function chooseCommented(
  campaigns: readonly { id: number; answers: number }[],
  { limit, maxAnswers }: { limit: number; maxAnswers: number },
): number[] {
  const ids: number[] = [];
  let left = maxAnswers;
  for (const { id, answers } of campaigns) {
    if (ids.length === limit || answers > left) continue;
    left -= answers;
    ids.push(id);
  }
  return ids;
}
