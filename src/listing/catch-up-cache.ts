// An LRU cache of what a process knows about organizations, each at a revision. It catches up with changes instead of
// reloading.

import { AppError } from "../errors.ts";
import { singleFlight } from "../limits/single-flight.ts";

/** Immutable: a change makes a new one. */
interface CachedState {
  /** Identifies the revision that it shows. */
  revisionId: number;
  /** Approximate memory. It may grow while cached. */
  bytes: number;
}

/** How the values of a cache come from the database. */
export interface CatchUpSource<Value extends CachedState> {
  /**
   * Loads batch by batch, without one long transaction. Changes during the load must be part of the changes since the
   * revision that the value names.
   */
  load(organizationId: number): Promise<Value>;
  /** The value after the changes since its revision. Undefined if reloading is faster, or if the changes are unknown. */
  catchUp(organizationId: number, value: Value): Promise<Value | undefined>;
}

/** A value would have to change too much to catch up during each attempt. */
const maxAttempts = 10;

export class CatchUpCache<Value extends CachedState> {
  readonly #source: CatchUpSource<Value>;
  readonly #maxBytes: number;
  /** By organization, least recently used first. */
  readonly #values = new Map<number, Value>();
  readonly #refresh: (organizationId: number) => Promise<Value>;

  /** @param maxBytes of all values; the most recently used one stays even if it is larger */
  constructor(source: CatchUpSource<Value>, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
    this.#refresh = singleFlight(
      (id: number) => id,
      (id) => this.#catchUp(id),
    );
  }

  /**
   * The value of an organization, at the given revision or a later one.
   *
   * @throws AppError `unavailable` if campaigns change faster than they load
   */
  async at(organizationId: number, revisionId: number): Promise<Value> {
    const cached = this.#values.get(organizationId);
    if (cached?.revisionId !== revisionId) return this.#refresh(organizationId);
    this.#values.delete(organizationId);
    this.#values.set(organizationId, cached);
    return cached;
  }

  /** Drops a value that no longer matches the database: a writer changed rows without raising the revision. */
  invalidate({ id }: { id: number }): void {
    this.#values.delete(id);
  }

  /** Approximate memory of all cached values. */
  get bytes(): number {
    return [...this.#values.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #catchUp(id: number): Promise<Value> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const base = this.#values.get(id) ?? (await this.#source.load(id));
      const value = await this.#source.catchUp(id, base);
      if (value) {
        this.#set(id, value);
        return value;
      }
      this.#values.delete(id);
    }
    throw new AppError("unavailable", "Campaigns are changing faster than they can be read. Try again.");
  }

  #set(id: number, value: Value): void {
    this.#values.delete(id);
    this.#values.set(id, value);
    for (let bytes = this.bytes; bytes > this.#maxBytes && this.#values.size > 1; ) {
      const [leastRecentlyUsed] = this.#values as Iterable<[number, Value]>;
      if (!leastRecentlyUsed) return;
      this.#values.delete(leastRecentlyUsed[0]);
      bytes -= leastRecentlyUsed[1].bytes;
    }
  }
}
