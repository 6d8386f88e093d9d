// The comments on several campaigns. What a campaign adds is cached until it changes.

import { LRUCache } from "lru-cache";
import type { SurveyKind } from "../../campaign/events/event.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import { findRevisionIds } from "../../storage/campaigns/campaign-revisions.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { findLedgers } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { readSurveyAnswers } from "./survey-answers.ts";

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

/** The campaign may have another subject by now. */
type CachedComment = Omit<CampaignComment, "subject" | "sentAt">;

/** The comments on a campaign, in one state of its answers. */
interface CachedComments {
  state: string;
  comments: CachedComment[];
}

/** Of a campaign in a state. */
interface CommentsRequest {
  organizationId: number;
  stored: StoredCampaign;
  state: string;
  limit: number;
  signal: AbortSignal | undefined;
}

/** In bytes, roughly: room for 100,000 comments of two lines. */
const maxBytes = 32 * 1024 * 1024;

function sizeOf({ comments }: CachedComments): number {
  return comments.reduce((size, { text }) => size + 100 + text.length, 200);
}

export class LatestCommentsReader {
  readonly #database: Database;
  /** By organization, campaign and limit. */
  readonly #cache = new LRUCache<string, CachedComments>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  /** Requests that need the same comments share one read. */
  readonly #readOnce = singleFlight(keyOf, (request) => this.#readCampaign(request));

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The comments on the newest campaign first, and its newest first. Without names, and without those that are withheld
   * because few recipients answered. What a campaign adds is cached until it changes or one of its recipients is
   * forgotten.
   *
   * @param campaigns newest first; reads the answers of all until there are enough comments
   * @param options.limit all by default
   */
  async read(
    { id: organizationId }: Pick<Organization, "id">,
    campaigns: readonly StoredCampaign[],
    { limit = Infinity, signal }: { limit?: number; signal: AbortSignal | undefined },
  ): Promise<CampaignComment[]> {
    const stateOf = await this.#findStates(organizationId, campaigns);
    const comments: CampaignComment[] = [];
    for (const stored of campaigns) {
      if (comments.length >= limit) break;
      const request = { organizationId, stored, state: stateOf(stored), limit, signal };
      const { subject, sentAt } = stored.campaign;
      const own = this.#find(request) ?? (await this.#readOnce(request));
      comments.push(...own.map((comment) => ({ ...comment, subject, sentAt })));
    }
    return comments.slice(0, limit);
  }

  /** Forgetting a recipient deletes comments, and changes no record. */
  async #findStates(
    organizationId: number,
    campaigns: readonly StoredCampaign[],
  ): Promise<(stored: StoredCampaign) => string> {
    const ids = campaigns.map(({ campaign }) => campaign.id);
    const ledgerIds = campaigns.flatMap(({ counting }) => counting?.ledgerId ?? []);
    const [revisionIds, ledgers] = await this.#database.query(async (queries) => [
      await findRevisionIds(queries, organizationId, ids),
      await findLedgers(queries, organizationId, ledgerIds),
    ]);
    return ({ campaign, counting }) => {
      const forgotten = ledgers.get(counting?.ledgerId ?? 0)?.forgottenCount;
      return JSON.stringify([revisionIds.get(campaign.id), forgotten]);
    };
  }

  #find(request: CommentsRequest): CachedComment[] | undefined {
    const cached = this.#cache.get(keyOf(request));
    return cached?.state === request.state ? cached.comments : undefined;
  }

  async #readCampaign(request: CommentsRequest): Promise<CachedComment[]> {
    const { organizationId, stored, state, limit, signal } = request;
    const found = this.#find(request);
    if (found) return found;
    const options = { signal, maxComments: limit };
    const { surveys } = await readSurveyAnswers(this.#database, organizationId, stored, options);
    const { id: campaignId } = stored.campaign;
    const comments = surveys.flatMap(({ kind, id: surveyId, comments: own }) =>
      own.map(({ text, reaction }) => ({ campaignId, kind, surveyId, text, reaction })),
    );
    this.#cache.set(keyOf(request), { state, comments });
    return comments;
  }
}

function keyOf({ organizationId, stored, limit }: CommentsRequest): string {
  return JSON.stringify([organizationId, stored.campaign.id, limit]);
}
