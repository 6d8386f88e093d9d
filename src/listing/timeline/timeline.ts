// The timeline of an organization: the order of its campaigns, and which of them have which tags, in compact arrays in
// memory. A timeline shows one revision and does not change.

import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { IndexEntry, TaggedIndexColumns } from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";
import { changeChunks, type TimelineChange, type TimelineState } from "./timeline-change.ts";
import { type Chunk, chunkOfColumns, taggedMembers } from "./timeline-chunk.ts";

/** Which campaigns to select. */
export interface TimelineSelection {
  /** Sent at this instant or later. */
  sentFrom?: number | undefined;
  /** Sent before this instant. */
  sentUntil?: number | undefined;
  /** With at least one of these tags. */
  tagIds?: readonly number[] | undefined;
}

/** One page of a selection, newest first. */
export interface SelectedPage {
  entries: IndexEntry[];
  /** Campaigns in the whole selection. */
  total: number;
}

/** The ends of one page of a selection. */
export interface PageRange {
  newest: IndexEntry;
  oldest: IndexEntry;
  count: number;
  /** Whether no other campaign of the organization lies between them. */
  isContiguous: boolean;
}

/** Ranks count from the oldest campaign: of all, or of those with some tags. */
interface RankRange {
  from: number;
  /** Exclusive. */
  until: number;
  tagged: TaggedCampaigns | undefined;
}

/** The campaigns with some tags: per chunk their positions, and the running total up to its end. */
interface TaggedCampaigns {
  members: (Uint16Array | undefined)[];
  ends: Uint32Array;
  bytes: number;
}

/** A typed array with its buffer, approximately. */
const bytesPerArray = 150;
const minTaggedBytes = 20_000;
/** The next timeline takes over at most this many cached tag filters. */
const maxInherited = 16;
/** It takes over no filter with more tags than this. */
const maxInheritedTags = 50;
/** It takes over nothing if more chunks than this are new. */
const maxInheritedChanges = 8;

export class Timeline implements TimelineState {
  readonly revision: number;
  readonly revisionId: number;
  readonly behind: TimelineState["behind"];
  readonly #chunks: readonly Chunk[];
  /** Campaigns up to the end of each chunk. */
  readonly #ends: Uint32Array;
  readonly #chunksBytes: number;
  /** Campaigns by their tag ids, joined by commas. Most organizations never filter by tags, so it is created on use. */
  #tagged: LRUCache<string, TaggedCampaigns> | undefined;

  /** @param chunks in order, without empty ones */
  constructor({ revision, revisionId, behind }: TimelineState, chunks: readonly Chunk[]) {
    this.revision = revision;
    this.revisionId = revisionId;
    this.behind = behind;
    this.#chunks = chunks;
    this.#ends = runningTotals(chunks.map(({ ids }) => ids.length));
    this.#chunksBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * @param batches all campaigns, newest first. A campaign that changes during the load may be in two batches or missing;
   *   the next change must include it
   */
  static async load(state: TimelineState, batches: AsyncIterable<TaggedIndexColumns>): Promise<Timeline> {
    const chunks: Chunk[] = [];
    for await (const { ids, sentAts, ...tags } of batches) {
      const ascending = { ids: ids.toReversed(), sentAts: sentAts.toReversed(), ...tags };
      if (ids.length > 0) chunks.push(chunkOfColumns(ascending));
      await nextTurn();
    }
    return new Timeline(state, chunks.reverse());
  }

  get isBehind(): boolean {
    return this.behind !== undefined;
  }

  get size(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** Approximate memory, with the cache of tags. */
  get bytes(): number {
    return this.#chunksBytes + (this.#tagged?.calculatedSize ?? 0);
  }

  /** When the last campaign before an instant was sent (0 if none), and the first from then on (infinity if none). */
  around(instant: number): { lastSentAt: number; nextSentAt: number } {
    const rank = this.#rankOf(instant);
    return {
      lastSentAt: rank > 0 ? this.#entryAt(rank - 1).sentAt : 0,
      nextSentAt: rank < this.size ? this.#entryAt(rank).sentAt : Number.POSITIVE_INFINITY,
    };
  }

  /** @param offset how many of the newest campaigns to skip */
  select(selection: TimelineSelection, offset: number, limit: number): SelectedPage {
    const { page, total } = this.#findRanks(selection, offset, limit);
    const entries: IndexEntry[] = [];
    for (let rank = page.until - 1; rank >= page.from; rank--) {
      entries.push(this.#entryAt(this.#rankAmongAll(page, rank)));
    }
    return { entries, total };
  }

  /** {@link select} without the entries between the first and the last. The range is undefined if the page is empty. */
  selectRange(
    selection: TimelineSelection,
    offset: number,
    limit: number,
  ): { range: PageRange | undefined; total: number } {
    const { page, total } = this.#findRanks(selection, offset, limit);
    const count = page.until - page.from;
    if (count === 0) return { range: undefined, total };
    const [newest, oldest] = [this.#rankAmongAll(page, page.until - 1), this.#rankAmongAll(page, page.from)];
    const range = {
      newest: this.#entryAt(newest),
      oldest: this.#entryAt(oldest),
      count,
      isContiguous: newest - oldest === count - 1,
    };
    return { range, total };
  }

  #findRanks(
    { sentFrom, sentUntil, tagIds }: TimelineSelection,
    offset: number,
    limit: number,
  ): { page: RankRange; total: number } {
    const tagged = tagIds && this.#findTagged(tagIds);
    const rankOf = (instant: number) =>
      tagged ? this.#taggedRankOf(tagged, instant) : this.#rankOf(instant);
    const size = tagged ? (tagged.ends.at(-1) ?? 0) : this.size;
    const until = sentUntil === undefined ? size : rankOf(sentUntil);
    const from = sentFrom === undefined ? 0 : Math.min(rankOf(sentFrom), until);
    const last = Math.max(until - offset, from);
    return { page: { from: Math.max(from, last - limit), until: last, tagged }, total: until - from };
  }

  /** The timeline after a change; both share the chunks that the change does not touch. */
  async after(change: TimelineChange): Promise<Timeline> {
    const next = new Timeline(change, await changeChunks(this.#chunks, change));
    next.#inherit(this);
    return next;
  }

  /**
   * Takes over cached tags: they stay valid for shared chunks. With many new chunks it takes over nothing, because
   * recomputing all tags at once would delay other requests.
   */
  #inherit(earlier: Timeline): void {
    if (!earlier.#tagged) return;
    const indexes = new Map(earlier.#chunks.map((chunk, index) => [chunk, index]));
    if (this.#chunks.filter((chunk) => !indexes.has(chunk)).length > maxInheritedChanges) return;
    // Entries come most recently used first; they are added in reverse to keep that order.
    const recent = [...earlier.#tagged.entries()].slice(0, maxInherited).reverse();
    for (const [key, { members }] of recent) {
      const tagIds = key.split(",").map(Number);
      if (tagIds.length > maxInheritedTags) continue;
      this.#cacheTagged(
        key,
        this.#gather((chunk) => {
          const index = indexes.get(chunk);
          return index === undefined ? taggedMembers(chunk, tagIds) : members[index];
        }),
      );
    }
  }

  #findTagged(tagIds: readonly number[]): TaggedCampaigns {
    const sorted = [...new Set(tagIds)].sort((a, b) => a - b);
    const key = sorted.join(",");
    const cached = this.#tagged?.get(key);
    if (cached) return cached;
    const tagged = this.#gather((chunk) => taggedMembers(chunk, sorted));
    // Tags without campaigns are cheap to find, and there are endlessly many.
    if (tagged.members.some((members) => members)) this.#cacheTagged(key, tagged);
    return tagged;
  }

  #gather(membersOf: (chunk: Chunk) => Uint16Array | undefined): TaggedCampaigns {
    const members = this.#chunks.map(membersOf);
    const ends = runningTotals(members.map((each) => each?.length ?? 0));
    const bytes = members.reduce(
      (sum, each) => sum + (each ? each.byteLength + bytesPerArray : 8),
      ends.byteLength,
    );
    return { members, ends, bytes };
  }

  #cacheTagged(key: string, tagged: TaggedCampaigns): void {
    this.#tagged ??= new LRUCache({
      maxSize: Math.max(this.#chunksBytes, minTaggedBytes),
      sizeCalculation: ({ bytes }, { length }) => bytes + length,
    });
    this.#tagged.set(key, tagged);
  }

  /** How many campaigns were sent before an instant. */
  #rankOf(instant: number): number {
    const index = this.#chunkUntil(instant);
    const chunk = this.#chunks[index];
    return this.#startOf(index) + (chunk ? countBefore(chunk.times, instant) : 0);
  }

  /** How many campaigns with some tags were sent before an instant. */
  #taggedRankOf({ members, ends }: TaggedCampaigns, instant: number): number {
    const index = this.#chunkUntil(instant);
    const times = this.#chunks[index]?.times;
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    const own = members[index];
    if (!times || !own) return start;
    const before = countBefore(times, instant);
    return start + binarySearch(0, own.length, (at) => (own[at] as number) >= before);
  }

  /** Converts a rank among the campaigns of a range into the rank among all campaigns. */
  #rankAmongAll({ tagged }: RankRange, rank: number): number {
    if (!tagged) return rank;
    const { members, ends } = tagged;
    const index = binarySearch(0, ends.length, (at) => (ends[at] as number) > rank);
    const start = index === 0 ? 0 : (ends[index - 1] as number);
    return this.#startOf(index) + (members[index]?.[rank - start] as number);
  }

  #entryAt(rank: number): IndexEntry {
    const index = binarySearch(0, this.#ends.length, (at) => (this.#ends[at] as number) > rank);
    const { times, ids } = this.#chunks[index] as Chunk;
    const position = rank - this.#startOf(index);
    return { sentAt: times[position] as number, id: ids[position] as number };
  }

  /** The first chunk with a campaign sent at an instant or later. */
  #chunkUntil(instant: number): number {
    return binarySearch(
      0,
      this.#chunks.length,
      (at) => (this.#chunks[at]?.times.at(-1) as number) >= instant,
    );
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] as number);
  }
}

function countBefore(times: Float64Array, instant: number): number {
  return binarySearch(0, times.length, (at) => (times[at] as number) >= instant);
}

function runningTotals(counts: readonly number[]): Uint32Array {
  let total = 0;
  return Uint32Array.from(counts, (count) => {
    total += count;
    return total;
  });
}
