// An LRU cache of what a process knows about organizations, each at a revision. It catches up with changes instead of
// reloading.

import { AppError } from "../errors.ts";
import { singleFlight } from "../limits/single-flight.ts";

/** Immutable: a change makes a new one. */
interface CachedState {
  /** Identifies the revision that it shows. */
  revisionId: number;
  /** Whether it may lack changes of that revision. Such a value is not cached. */
  isBehind: boolean;
  /** Approximate memory. It may grow while cached. */
  bytes: number;
}

/** How the values of a cache come from the database. */
export interface CatchUpSource<Value extends CachedState> {
  /**
   * Loads batch by batch, without one long transaction, so the value is behind. Changes during the load must be part of
   * the changes that it lacks.
   */
  load(organizationId: number): Promise<Value>;
  /**
   * The value after further changes. If it is behind, very many changes take several calls: loading again would find as
   * many. Otherwise undefined if loading is faster; always if the changes are unknown.
   */
  catchUp(organizationId: number, value: Value): Promise<Value | undefined>;
}

/** Loads, and calls to catch up. During each, more campaigns would have to change than one call takes. */
const maxSteps = 200;

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
    let value = this.#values.get(id);
    for (let step = 0; step < maxSteps; step++) {
      value = await (value ? this.#source.catchUp(id, value) : this.#source.load(id));
      if (value && !value.isBehind) {
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
