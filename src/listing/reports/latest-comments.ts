// The comments on several campaigns. Those of a campaign are cached until it changes.

import { createHash } from "node:crypto";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { type AnswerCounts, releasedSurveys } from "../../campaign/release-answers.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { CampaignCache } from "./campaign-cache.ts";
import { countAnswer, readAnswers } from "./survey-answers.ts";

export interface CampaignComment {
  campaignId: number;
  /** Identifies it within the campaign. A hash: the ID of its event would say when it was written. */
  key: string;
  subject: string;
  sentAt: number;
  text: string;
  /** The survey that it answers: its kind, and its id within the campaign. */
  kind: SurveyKind;
  surveyId: string;
  /** The score or answer that the comment belongs to. */
  reaction: string | number | undefined;
}

/** In characters, with some for the other properties of each. */
const cacheLimits = {
  sizeOf: (comments: CampaignComment[]) => comments.reduce((size, { text }) => size + text.length + 200, 0),
  maxSize: 32 * 1024 * 1024,
};

/** In characters of base64url: 96 bits. */
const keyLength = 16;

/** More would make other requests wait for a connection to the database. */
const readsAtOnce = 3;

export class LatestCommentsReader {
  readonly #database: Database;
  readonly #cache: CampaignCache<CampaignComment[]>;

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
    organization: Pick<Organization, "id" | "minAnswers">,
    campaigns: readonly StoredCampaign[],
    { limit = Infinity, signal }: { limit?: number; signal: AbortSignal | undefined },
  ): Promise<CampaignComment[]> {
    const { id: organizationId, minAnswers } = organization;
    const ids = campaigns.map(({ campaign }) => campaign.id);
    const changes = await this.#database.query((queries) => findChangesOf(queries, organizationId, ids));
    const comments: CampaignComment[] = [];
    for (let from = 0; from < campaigns.length && comments.length < limit; from += readsAtOnce) {
      const some = campaigns.slice(from, from + readsAtOnce).map((stored) => {
        const { id: campaignId } = stored.campaign;
        const revisionId = changes.get(campaignId)?.revisionId;
        const state = { organizationId, campaignId, revisionId, minAnswers };
        return this.#cache.get(state, () => readComments(this.#database, organization, stored, signal));
      });
      for (const own of await Promise.all(some)) for (const comment of own) comments.push(comment);
    }
    return comments.slice(0, limit);
  }
}

/** Of an open campaign: closing it deletes the texts. */
async function readComments(
  database: Database,
  { id: organizationId, minAnswers }: Pick<Organization, "id" | "minAnswers">,
  { campaign, counting }: StoredCampaign,
  signal: AbortSignal | undefined,
): Promise<CampaignComment[]> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null) return [];
  const { id: campaignId, subject, sentAt } = campaign;
  const counts = new Map<string, AnswerCounts>();
  const found: { comment: CampaignComment; survey: string; at: number; id: string }[] = [];
  const ledger = { ledgerId, hasNames: false };
  for await (const { survey, answer } of readAnswers(database, organizationId, ledger, signal)) {
    countAnswer(counts, survey, answer);
    if (!answer.comment || answer.comment[0] === "") continue;
    const [text, at, id] = answer.comment;
    const key = createHash("sha256").update(`${survey} ${id}`).digest("base64url").slice(0, keyLength);
    const about = { campaignId, key, subject, sentAt, ...surveyOf(survey) };
    found.push({ comment: { ...about, text, reaction: answer.reaction?.[0] }, survey, at, id });
  }
  const released = releasedSurveys(campaign, counts, minAnswers);
  return (
    found
      .filter(({ survey }) => released.has(survey))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      // Without the time, which could reveal who wrote a comment.
      .map(({ comment }) => comment)
  );
}

/** @param survey its kind and id, separated by a space */
function surveyOf(survey: string): Pick<CampaignComment, "kind" | "surveyId"> {
  const space = survey.indexOf(" ");
  return { kind: survey.slice(0, space) as SurveyKind, surveyId: survey.slice(space + 1) };
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
