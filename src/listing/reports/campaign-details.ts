// What people see of one counted campaign beside its record: how opens and clicks came in, and the answers to its surveys.
// All recipients of the campaign are gone through for it, which takes seconds where they are many: it is done for one
// campaign at a time, once for all who ask, and remembered.

import { AppError } from "../../errors.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { RevisionCache } from "../revision-cache.ts";
import { type CampaignActivity, readActivity } from "./campaign-activity.ts";
import { readSurveyAnswers, type SurveyResults } from "./survey-answers.ts";

export interface CampaignDetails {
  activity: CampaignActivity;
  surveys: SurveyResults;
}

/** Characters: as many as a few pages with as much on them as there can be. */
const bounds = {
  sizeOf: (details: CampaignDetails) => JSON.stringify(details).length,
  sizeMax: 16 * 1024 * 1024,
  entriesMax: 200,
};

/** Whoever comes while so many wait is sent away: the last one would wait for minutes. */
const waitingMax = 20;

interface QueuedRead {
  organization: Organization;
  stored: StoredCampaign;
  turn: Promise<CampaignDetails>;
}

export class CampaignDetailsReader {
  readonly #database: Database;
  readonly #remembered: RevisionCache<CampaignDetails>;
  readonly #stopped: AbortSignal | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Those whose turn has not come: whoever asks meanwhile gets the same, as it is then. */
  readonly #waiting = new Map<string, QueuedRead>();

  /** @param stopped when nobody will hear of it any more: the server closes */
  constructor(database: Database, stopped?: AbortSignal) {
    this.#database = database;
    this.#stopped = stopped;
    this.#remembered = new RevisionCache(database, bounds);
  }

  /** @throws Refusal `unavailable` while too many campaigns wait for their turn, and when the server closes */
  read(organization: Organization, stored: StoredCampaign): Promise<CampaignDetails> {
    const { id, sentAt } = stored.campaign;
    const name = JSON.stringify([id, sentAt, stored.counting?.ledgerId]);
    return this.#remembered.get(organization, name, () => this.#queue(organization, stored));
  }

  async #queue(organization: Organization, stored: StoredCampaign): Promise<CampaignDetails> {
    const name = `${organization.id} ${stored.campaign.id}`;
    const known = this.#waiting.get(name);
    if (known) {
      Object.assign(known, { organization, stored });
      return known.turn;
    }
    if (this.#waiting.size >= waitingMax) {
      throw new AppError(
        "unavailable",
        "Too many campaigns are looked at at this moment. Try again shortly.",
      );
    }
    const turn = this.#last.then(() => {
      const current = this.#waiting.get(name) ?? { organization, stored };
      this.#waiting.delete(name);
      return this.#read(current.organization, current.stored);
    });
    this.#waiting.set(name, { organization, stored, turn });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #read(organization: Organization, stored: StoredCampaign): Promise<CampaignDetails> {
    try {
      const { campaign } = stored;
      return {
        activity: await readActivity(this.#database, organization, campaign, this.#stopped),
        surveys: await readSurveyAnswers(this.#database, organization.id, stored, this.#stopped),
      };
    } catch (error) {
      if (this.#stopped?.aborted) throw new AppError("unavailable", "The service is stopping.");
      throw error;
    }
  }
}
