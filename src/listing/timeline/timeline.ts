// Which campaigns an organization has, in the order of their records, and which of them carry which tag: in compact arrays,
// of one state, never changed once they are made.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEntry, TaggedIndexEntry } from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";
import { changeChunks, type TimelineChange } from "./timeline-change.ts";
import { type Chunk, chunkOf, taggedMembers } from "./timeline-chunk.ts";

/** A choice of campaigns. */
export interface TimelineSelection {
  /** Sent at this instant or later. */
  sentFrom?: number | undefined;
  /** Sent before this instant. */
  sentUntil?: number | undefined;
  /** With any of these tags, at least one. */
  tagIds?: readonly number[] | undefined;
}

/** Some of the campaigns that were chosen, the latest first. */
export interface SelectedPage {
  entries: IndexEntry[];
  /** Whether they lie side by side among all campaigns of the organization. */
  isContiguous: boolean;
  /** How many were chosen altogether. */
  total: number;
}

/** The campaigns that carry some tags: for each chunk the places in it, and how many there are up to its end. */
interface Tagged {
  members: (Uint16Array | undefined)[];
  ends: Uint32Array;
  bytes: number;
}

/** An object of JavaScript with its buffer, as far as it can be said. */
const bytesPerArray = 150;
const taggedBytesMin = 20_000;
/** Choices of tags that are handed on to the next timeline. */
const inheritedMax = 16;
const inheritedTagsMax = 50;
const inheritedChangesMax = 8;

export class Timeline {
  /** The organization's timeline revision that it is of. */
  readonly revision: number;
  readonly #chunks: readonly Chunk[];
  /** Campaigns up to the end of each chunk. */
  readonly #ends: Uint32Array;
  readonly #chunksBytes: number;
  /** By their ids, those that were asked for last at the end. */
  readonly #tagged = new Map<string, Tagged>();
  #taggedBytes = 0;

  /** @param chunks in order, none of them empty */
  constructor(revision: number, chunks: readonly Chunk[]) {
    this.revision = revision;
    this.#chunks = chunks;
    this.#ends = sums(chunks.map(({ ids }) => ids.length));
    this.#chunksBytes = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * @param batches all campaigns from the latest sent on; one may stand there twice, or be missing, where it will be in the
   *   next change
   */
  static async read(
    revision: number,
    batches: AsyncIterable<readonly TaggedIndexEntry[]>,
  ): Promise<Timeline> {
    const chunks: Chunk[] = [];
    for await (const batch of batches) {
      if (batch.length > 0) chunks.push(chunkOf(batch.toReversed()));
      await nextTurn();
    }
    return new Timeline(revision, chunks.reverse());
  }

  get size(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    return this.#chunksBytes + this.#taggedBytes;
  }

  /** When the last campaign before an instant was sent (0 where there is none), and the first from then on. */
  around(instant: number): { before: number; from: number } {
    const rank = this.#rankOf(instant);
    return {
      before: rank > 0 ? this.#placeAt(rank - 1).sentAt : 0,
      from: rank < this.size ? this.#placeAt(rank).sentAt : Number.POSITIVE_INFINITY,
    };
  }

  /** @param offset how many of the latest ones are left out */
  select({ sentFrom, sentUntil, tagIds }: TimelineSelection, offset: number, limit: number): SelectedPage {
    const tagged = tagIds && this.#findTagged(tagIds);
    const rankOf = (instant: number) => (tagged ? this.#rankAmong(tagged, instant) : this.#rankOf(instant));
    const all = tagged ? (tagged.ends.at(-1) ?? 0) : this.size;
    const until = sentUntil === undefined ? all : rankOf(sentUntil);
    const from = sentFrom === undefined ? 0 : Math.min(rankOf(sentFrom), until);
    const last = until - offset;
    const ranks: number[] = [];
    for (let rank = last - 1; rank >= Math.max(from, last - limit); rank--) {
      ranks.push(tagged ? this.#rankOfAmong(tagged, rank) : rank);
    }
    return {
      entries: ranks.map((rank) => this.#placeAt(rank)),
      isContiguous: (ranks[0] ?? 0) - (ranks.at(-1) ?? 0) === ranks.length - 1,
      total: until - from,
    };
  }

  /** The timeline after a change; what the change does not touch is shared by both. */
  async after(change: TimelineChange): Promise<Timeline> {
    const next = new Timeline(change.revision, await changeChunks(this.#chunks, change));
    next.#inherit(this);
    return next;
  }

  /**
   * What was found for tags is still true of the chunks that are the same. Where many are not, it is found again when it is
   * asked for: others would wait too long for all of it.
   */
  #inherit(earlier: Timeline): void {
    const places = new Map(earlier.#chunks.map((chunk, index) => [chunk, index]));
    if (this.#chunks.filter((chunk) => !places.has(chunk)).length > inheritedChangesMax) return;
    for (const [key, { members }] of [...earlier.#tagged].slice(-inheritedMax)) {
      const tagIds = key.split(",").map(Number);
      if (tagIds.length > inheritedTagsMax) continue;
      this.#keep(
        key,
        this.#gather((chunk) => {
          const index = places.get(chunk);
          return index === undefined ? taggedMembers(chunk, tagIds) : members[index];
        }),
      );
    }
  }

  #findTagged(tagIds: readonly number[]): Tagged {
    const sorted = [...new Set(tagIds)].sort((a, b) => a - b);
    const key = sorted.join(",");
    const known = this.#tagged.get(key);
    if (known) {
      this.#tagged.delete(key);
      this.#tagged.set(key, known);
      return known;
    }
    const tagged = this.#gather((chunk) => taggedMembers(chunk, sorted));
    // Anybody may ask for any tags that nobody carries.
    if (tagged.members.some((members) => members)) this.#keep(key, tagged);
    return tagged;
  }

  #gather(membersOf: (chunk: Chunk) => Uint16Array | undefined): Tagged {
    const members = this.#chunks.map(membersOf);
    const ends = sums(members.map((each) => each?.length ?? 0));
    const bytes = members.reduce(
      (sum, each) => sum + (each ? each.byteLength + bytesPerArray : 8),
      ends.byteLength,
    );
    return { members, ends, bytes };
  }

  #keep(key: string, tagged: Tagged): void {
    this.#tagged.set(key, tagged);
    this.#taggedBytes += tagged.bytes + key.length;
    for (const [oldest, { bytes }] of this.#tagged) {
      if (this.#taggedBytes <= Math.max(this.#chunksBytes, taggedBytesMin) || oldest === key) return;
      this.#tagged.delete(oldest);
      this.#taggedBytes -= bytes + oldest.length;
    }
  }

  /** How many campaigns were sent before an instant. */
  #rankOf(instant: number): number {
    const index = this.#chunkUntil(instant);
    const chunk = this.#chunks[index];
    return this.#startOf(index) + (chunk ? countBefore(chunk.times, instant) : 0);
  }

  #rankAmong({ members, ends }: Tagged, instant: number): number {
    const index = this.#chunkUntil(instant);
    const times = this.#chunks[index]?.times;
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    const own = members[index];
    if (!times || !own) return start;
    const before = countBefore(times, instant);
    return start + binarySearch(0, own.length, (at) => (own[at] as number) >= before);
  }

  /** The rank among all campaigns of the one that has a rank among those with some tags. */
  #rankOfAmong({ members, ends }: Tagged, rank: number): number {
    const index = binarySearch(0, ends.length, (at) => (ends[at] as number) > rank);
    const start = index === 0 ? 0 : (ends[index - 1] as number);
    return this.#startOf(index) + (members[index]?.[rank - start] as number);
  }

  #placeAt(rank: number): IndexEntry {
    const index = binarySearch(0, this.#ends.length, (at) => (this.#ends[at] as number) > rank);
    const { times, ids } = this.#chunks[index] as Chunk;
    const at = rank - this.#startOf(index);
    return { sentAt: times[at] as number, id: ids[at] as number };
  }

  /** The first chunk in which a campaign was sent at an instant or later. */
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

function sums(counts: readonly number[]): Uint32Array {
  let sum = 0;
  return Uint32Array.from(counts, (count) => {
    sum += count;
    return sum;
  });
}
