// Details of a counted campaign that its record does not have: links, and answers to surveys. They take seconds for a
// large campaign, so one campaign is read at a time, concurrent callers share a read, and the result is cached.

import { AppError } from "../../errors.ts";
import { limitFairly } from "../../limits/limit-fairly.ts";
import { findLinksOfCampaigns } from "../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { CampaignCache, findRevisionId } from "./campaign-cache.ts";
import { type LinkClicks, mergeLinks } from "./merge-links.ts";
import { readSurveyAnswers, type SurveyResults } from "./survey-answers.ts";

export interface CampaignDetails {
  links: LinkClicks[];
  surveys: SurveyResults;
}

/** The limit in characters of JSON has room for several pages of the largest size. */
const cacheLimits = {
  sizeOf: (details: CampaignDetails) => JSON.stringify(details).length,
  maxSize: 16 * 1024 * 1024,
};

export class CampaignDetailsReader {
  readonly #database: Database;
  readonly #cache: CampaignCache<CampaignDetails>;
  readonly #signal: AbortSignal | undefined;
  /** With a longer queue the last caller would wait for minutes. */
  readonly #limit = limitFairly({
    concurrency: 1,
    maxWaiting: 20,
    fullMessage: "Too many campaigns are loading right now. Try again in a moment.",
  });

  /** @param signal aborts reads when the server shuts down */
  constructor(database: Database, signal?: AbortSignal) {
    this.#database = database;
    this.#signal = signal;
    this.#cache = new CampaignCache(database, cacheLimits);
  }

  /**
   * @returns undefined if the campaign's numbers were imported
   * @throws AppError `unavailable` if too many reads are waiting, or if the server is shutting down
   */
  async read(organization: Organization, stored: StoredCampaign): Promise<CampaignDetails | undefined> {
    if (stored.counting === null) return undefined;
    const { id: organizationId, minAnswers } = organization;
    const { campaign } = stored;
    const revisionId = await findRevisionId(this.#database, organizationId, campaign.id);
    const state = { organizationId, campaign, revisionId, minAnswers };
    const caller = { key: String(organizationId), isKnown: true };
    return this.#cache.get(state, () => this.#limit(caller, () => this.#readNow(organization, stored)));
  }

  async #readNow(organization: Organization, stored: StoredCampaign): Promise<CampaignDetails> {
    try {
      this.#signal?.throwIfAborted();
      const links = await this.#database.queryOf(organization.id, (scope) =>
        findLinksOfCampaigns(scope, [stored.campaign.id]),
      );
      return {
        links: mergeLinks(links),
        surveys: await readSurveyAnswers(this.#database, organization, stored, this.#signal),
      };
    } catch (error) {
      if (this.#signal?.aborted) throw new AppError("unavailable", "The service is shutting down.");
      throw error;
    }
  }
}
