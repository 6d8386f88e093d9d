// The comments on several campaigns.

import type { SurveyKind } from "../../campaign/events/event.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { RevisionCache } from "../revision-cache.ts";
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

/** In bytes, roughly: room for 100,000 comments of two lines. Comments on a campaign share its subject. */
const cacheLimits = {
  sizeOf: (comments: CampaignComment[]) => comments.reduce((size, { text }) => size + 100 + text.length, 0),
  maxSize: 32 * 1024 * 1024,
  maxEntries: 500,
};

export class LatestCommentsReader {
  readonly #database: Database;
  readonly #cache: RevisionCache<CampaignComment[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new RevisionCache(database, cacheLimits);
  }

  /**
   * The comments on the newest campaign first, and its newest first. Without names, and without those that are withheld
   * because few recipients answered.
   *
   * @param campaigns newest first; reads the answers of all until there are enough comments
   * @param options.limit all by default
   */
  read(
    organization: Organization,
    campaigns: readonly StoredCampaign[],
    { limit = Infinity, signal }: { limit?: number; signal: AbortSignal | undefined },
  ): Promise<CampaignComment[]> {
    const name = JSON.stringify([limit, ...campaigns.map(({ campaign }) => campaign.id)]);
    return this.#cache.get(organization, name, async () => {
      const comments: CampaignComment[] = [];
      for (const stored of campaigns) {
        if (comments.length >= limit) break;
        const options = { signal, maxComments: limit };
        const { surveys } = await readSurveyAnswers(this.#database, organization.id, stored, options);
        const { id, subject, sentAt } = stored.campaign;
        for (const { kind, id: surveyId, comments: own } of surveys) {
          const campaign = { campaignId: id, subject, sentAt };
          comments.push(
            ...own.map(({ text, reaction }) => ({ ...campaign, kind, surveyId, text, reaction })),
          );
        }
      }
      return comments.slice(0, limit);
    });
  }
}
