// An LRU cache of what takes long to compute for one campaign. Its key has the revision id of the campaign, and what the caller
// read of it before: that may be older.

import { LRUCache } from "lru-cache";
import type { Campaign } from "../../campaign/campaign.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import type { Database } from "../../storage/queries/database.ts";

interface CacheLimits<Value> {
  /** The size of a value, in the unit of `maxSize`. */
  sizeOf(value: Value): number;
  maxSize: number;
}

/** A campaign as it was when the caller read it. */
interface CampaignState {
  organizationId: number;
  campaign: Campaign;
  /** The revision id of the last change of the campaign; undefined before it is published. */
  revisionId: number | undefined;
  /** The setting of the organization as the caller read it, which may be older than the campaign. */
  minAnswers: number;
}

export class CampaignCache<Value extends object> {
  readonly #database: Database;
  readonly #values: LRUCache<string, Value>;
  readonly #inFlight = new Map<string, Promise<Value>>();

  constructor(database: Database, { sizeOf, maxSize }: CacheLimits<Value>) {
    this.#database = database;
    // The library rejects a size of 0.
    this.#values = new LRUCache({ maxSize, sizeCalculation: (value) => Math.max(sizeOf(value), 1) });
  }

  /** The cached value, or a new one. Concurrent callers share one call of `compute`. */
  get(state: CampaignState, compute: () => Promise<Value>): Promise<Value> {
    const { organizationId, campaign, revisionId, minAnswers } = state;
    const { id, subject, sentAt, trackingType } = campaign;
    const key = JSON.stringify([organizationId, id, revisionId, minAnswers, subject, sentAt, trackingType]);
    const cached = this.#values.get(key);
    if (cached) return Promise.resolve(cached);
    const inFlight = this.#inFlight.get(key) ?? this.#compute(key, state, compute);
    this.#inFlight.set(key, inFlight);
    return inFlight;
  }

  async #compute(key: string, state: CampaignState, compute: () => Promise<Value>): Promise<Value> {
    try {
      const value = await compute();
      // If the campaign changed during the computation, the value may mix two states.
      const current = await findRevisionId(this.#database, state.organizationId, state.campaign.id);
      if (current !== undefined && current === state.revisionId) {
        this.#values.set(key, value);
      }
      return value;
    } finally {
      this.#inFlight.delete(key);
    }
  }
}

export async function findRevisionId(
  database: Database,
  organizationId: number,
  campaignId: number,
): Promise<number | undefined> {
  const changes = await database.queryOf(organizationId, (scope) => findChangesOf(scope, [campaignId]));
  return changes.get(campaignId)?.revisionId;
}
