// What takes long to make, and is remembered between requests: each under the revision of the organization it is of, so
// that nothing is ever stale. Whoever asks for what is just being made shares it.

import type { Database } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";

export interface CacheLimits<Value> {
  /** What a value takes; the unit is the caller's. */
  sizeOf(value: Value): number;
  sizeMax: number;
  entriesMax: number;
}

export class RevisionCache<Value> {
  readonly #database: Database;
  readonly #bounds: CacheLimits<Value>;
  /** Those that were asked for last at the end. */
  readonly #known = new Map<string, { value: Value; size: number }>();
  readonly #underWay = new Map<string, Promise<Value>>();
  #size = 0;

  constructor(database: Database, bounds: CacheLimits<Value>) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /**
   * The value as it is now, or was when the organization was read.
   *
   * @param name tells it from all others of the organization
   */
  async get(organization: Organization, name: string, make: () => Promise<Value>): Promise<Value> {
    const key = JSON.stringify([organization.id, organization.revision, name]);
    const known = this.#known.get(key);
    if (known) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known.value;
    }
    const underWay = this.#underWay.get(key) ?? this.#make(key, organization, make);
    this.#underWay.set(key, underWay);
    return underWay;
  }

  async #make(key: string, { id, revision }: Organization, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await make();
      const now = await this.#database.query((queries) => findOrganization(queries, id));
      // What was changed while it was read is of no one state.
      if (now?.revision === revision) this.#keep(key, value);
      return value;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #keep(key: string, value: Value): void {
    const { sizeOf, sizeMax, entriesMax } = this.#bounds;
    const size = sizeOf(value);
    this.#known.set(key, { value, size });
    this.#size += size;
    for (const [oldest, entry] of this.#known) {
      if (this.#size <= sizeMax && this.#known.size <= entriesMax) return;
      this.#known.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
