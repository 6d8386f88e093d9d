// The timelines that are remembered between requests, each under the revision it is of.

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
import type { TimelineChange } from "./timeline-change.ts";

/** Campaigns that are read at once: for some milliseconds nobody else is served. */
const batchSize = 1_024;
/** A timeline of which more has changed is read anew. */
const changesMax = 2_000;
/** That it is changed by so much again and again, while it is read, does not happen. */
const attemptsMax = 10;

type TimelineKey = Pick<Organization, "id" | "timelineRevision">;

export class TimelineCache {
  readonly #database: Database;
  readonly #bytesMax: number;
  /** By organization, those that were asked for last at the end. */
  readonly #known = new Map<number, Timeline>();
  readonly #renew: (id: number) => Promise<Timeline>;

  /** @param bytesMax of memory that they may take together; the one that was asked for last is always remembered */
  constructor(database: Database, bytesMax: number) {
    this.#database = database;
    this.#bytesMax = bytesMax;
    this.#renew = singleFlight(
      (id: number) => id,
      (id) => this.#catchUp(id),
    );
  }

  /** The timeline of an organization as it is now, or was when the organization was read: no older than that. */
  async current({ id, timelineRevision }: TimelineKey): Promise<Timeline> {
    const known = this.#known.get(id);
    if (known?.revision !== timelineRevision) return this.#renew(id);
    this.#known.delete(id);
    this.#known.set(id, known);
    return known;
  }

  /** It turned out not to be of the state that it says: whoever changed that state knows nothing of timelines. */
  invalidate({ id }: Pick<TimelineKey, "id">): void {
    this.#known.delete(id);
  }

  /** The memory that they take, about. */
  get bytes(): number {
    return [...this.#known.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #catchUp(id: number): Promise<Timeline> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const base = this.#known.get(id) ?? (await this.#read(id));
      const change = await this.#database.snapshot((queries) => findChange(queries, id, base.revision));
      if (change) {
        const timeline = change.revision === base.revision ? base : await base.after(change);
        this.#keep(id, timeline);
        return timeline;
      }
      this.#known.delete(id);
    }
    throw new AppError("unavailable", "The campaigns are being changed faster than they can be read.");
  }

  /**
   * Batch after batch, each of a state of its own, so that no transaction is open for long; what is changed meanwhile is in
   * the change since the revision at its beginning.
   */
  async #read(id: number): Promise<Timeline> {
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
    return Timeline.read(organization?.timelineRevision ?? 0, batches());
  }

  #keep(id: number, timeline: Timeline): void {
    this.#known.delete(id);
    this.#known.set(id, timeline);
    for (let bytes = this.bytes; bytes > this.#bytesMax && this.#known.size > 1; ) {
      const [oldest] = this.#known as Iterable<[number, Timeline]>;
      if (!oldest) return;
      this.#known.delete(oldest[0]);
      bytes -= oldest[1].bytes;
    }
  }
}

/** Of one state where `queries` is one transaction. Undefined where it is better to read all of it anew. */
async function findChange(queries: Queries, id: number, since: number): Promise<TimelineChange | undefined> {
  const organization = await findOrganization(queries, id);
  const revision = organization?.timelineRevision ?? 0;
  if (revision === since) return { revision, deletedIds: [], deletedTagIds: [], changed: [] };
  const range = { timelineRevision: since, limit: changesMax };
  const deleted = await findDeletedSince(queries, id, range);
  if (!deleted) return undefined;
  const changed = await findIndexEntriesChangedSince(queries, id, range);
  if (changed.length === changesMax) return undefined;
  return { revision, deletedIds: deleted.campaignIds, deletedTagIds: deleted.tagIds, changed };
}
