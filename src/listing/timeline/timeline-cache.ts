// An LRU cache of timelines, each at the revision of its organization. It catches up with changes instead of reloading.

import { AppError } from "../../errors.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import {
  findIndexEntriesChangedSince,
  findTaggedIndexEntries,
  type TaggedIndexEntry,
} from "../../storage/campaigns/index-entries.ts";
import { findDeletedSince } from "../../storage/campaigns/timeline-changes.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineChange, TimelineState } from "./timeline-change.ts";

/** Campaigns per batch: processing one blocks the event loop for a few milliseconds. */
const batchSize = 1_024;
/** With more changes than this, reloading the timeline is faster. */
const maxChanges = 2_000;
/** A timeline would have to change by more than {@link maxChanges} during each attempt. */
const maxAttempts = 10;

type TimelineKey = Pick<Organization, "id" | "timelineRevisionId">;

export class TimelineCache {
  readonly #database: Database;
  readonly #maxBytes: number;
  /** By organization, least recently used first. A timeline grows while it is cached, so its size is not fixed. */
  readonly #timelines = new Map<number, Timeline>();
  readonly #refresh: (id: number) => Promise<Timeline>;

  /** @param maxBytes of all timelines; the most recently used one stays even if it is larger */
  constructor(database: Database, maxBytes: number) {
    this.#database = database;
    this.#maxBytes = maxBytes;
    this.#refresh = singleFlight(
      (id: number) => id,
      (id) => this.#catchUp(id),
    );
  }

  /**
   * The timeline of an organization, at the given revision or a later one.
   *
   * @throws AppError `unavailable` if campaigns change faster than the timeline loads
   */
  async current({ id, timelineRevisionId }: TimelineKey): Promise<Timeline> {
    const cached = this.#timelines.get(id);
    if (cached?.revisionId !== timelineRevisionId) return this.#refresh(id);
    this.#timelines.delete(id);
    this.#timelines.set(id, cached);
    return cached;
  }

  /** Drops a timeline that no longer matches the database: a writer changed rows without raising its revision. */
  invalidate({ id }: Pick<TimelineKey, "id">): void {
    this.#timelines.delete(id);
  }

  /** Approximate memory of all cached timelines. */
  get bytes(): number {
    return [...this.#timelines.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #catchUp(id: number): Promise<Timeline> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const base = this.#timelines.get(id) ?? (await this.#load(id));
      const change = await this.#database.snapshot((queries) => findChange(queries, id, base));
      if (change) {
        const timeline = change.revisionId === base.revisionId ? base : await base.after(change);
        this.#set(id, timeline);
        return timeline;
      }
      this.#timelines.delete(id);
    }
    throw new AppError("unavailable", "Campaigns are changing faster than they can be read. Try again.");
  }

  /**
   * Loads batch by batch, without one long transaction. Changes during the load are part of the change since the
   * revision at its start.
   */
  async #load(id: number): Promise<Timeline> {
    const database = this.#database;
    const organization = await database.query((queries) => findOrganization(queries, id));
    async function* batches(): AsyncGenerator<TaggedIndexEntry[]> {
      for (let after: TaggedIndexEntry | undefined; ; ) {
        const range = { after, limit: batchSize };
        const batch = await database.query((queries) => findTaggedIndexEntries(queries, id, range));
        yield batch;
        if (batch.length < batchSize) return;
        after = batch.at(-1);
      }
    }
    return Timeline.load(stateOf(organization), batches());
  }

  #set(id: number, timeline: Timeline): void {
    this.#timelines.delete(id);
    this.#timelines.set(id, timeline);
    for (let bytes = this.bytes; bytes > this.#maxBytes && this.#timelines.size > 1; ) {
      const [leastRecentlyUsed] = this.#timelines as Iterable<[number, Timeline]>;
      if (!leastRecentlyUsed) return;
      this.#timelines.delete(leastRecentlyUsed[0]);
      bytes -= leastRecentlyUsed[1].bytes;
    }
  }
}

/** Consistent if `queries` is one transaction. Undefined if reloading is faster, or if the changes are unknown. */
async function findChange(
  queries: Queries,
  id: number,
  since: TimelineState,
): Promise<TimelineChange | undefined> {
  const state = stateOf(await findOrganization(queries, id));
  if (state.revisionId === since.revisionId) {
    return { ...state, deletedIds: [], deletedTagIds: [], changed: [] };
  }
  const { revision, revisionId } = since;
  const deleted = await findDeletedSince(queries, id, { revision, revisionId, limit: maxChanges });
  if (!deleted) return undefined;
  const range = { timelineRevision: revision, limit: maxChanges };
  const changed = await findIndexEntriesChangedSince(queries, id, range);
  if (changed.length === maxChanges) return undefined;
  return { ...state, deletedIds: deleted.campaignIds, deletedTagIds: deleted.tagIds, changed };
}

function stateOf(organization: Organization | undefined): TimelineState {
  return { revision: organization?.timelineRevision ?? 0, revisionId: organization?.timelineRevisionId ?? 0 };
}
