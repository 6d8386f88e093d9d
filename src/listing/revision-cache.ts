// An LRU cache of expensive results. Each is cached under the revision id of its organization, so it is never stale.

import { LRUCache } from "lru-cache";
import type { Database } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";

interface CacheLimits<Value> {
  /** The size of a value, in the unit of `maxSize`. */
  sizeOf(value: Value): number;
  maxSize: number;
  maxEntries: number;
}

export class RevisionCache<Value extends object> {
  readonly #database: Database;
  readonly #values: LRUCache<string, Value>;
  readonly #inFlight = new Map<string, Promise<Value>>();

  constructor(database: Database, { sizeOf, maxSize, maxEntries }: CacheLimits<Value>) {
    this.#database = database;
    this.#values = new LRUCache({
      max: maxEntries,
      maxSize,
      // The library rejects a size of 0.
      sizeCalculation: (value) => Math.max(sizeOf(value), 1),
    });
  }

  /**
   * The cached value, or a new one. Concurrent callers share one call of `compute`.
   *
   * @param name identifies the value within the organization
   */
  async get(organization: Organization, name: string, compute: () => Promise<Value>): Promise<Value> {
    const key = JSON.stringify([organization.id, organization.revisionId, name]);
    const cached = this.#values.get(key);
    if (cached) return cached;
    const inFlight = this.#inFlight.get(key) ?? this.#compute(key, organization, compute);
    this.#inFlight.set(key, inFlight);
    return inFlight;
  }

  async #compute(
    key: string,
    { id, revisionId }: Organization,
    compute: () => Promise<Value>,
  ): Promise<Value> {
    try {
      const value = await compute();
      const current = await this.#database.query((queries) => findOrganization(queries, id));
      // If the organization changed during the computation, the value may mix two revisions.
      if (current?.revisionId === revisionId) this.#values.set(key, value);
      return value;
    } finally {
      this.#inFlight.delete(key);
    }
  }
}
