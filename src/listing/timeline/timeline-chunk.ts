// A few thousand campaigns that follow each other in the order of the records, in arrays, with their tags.

import type { TaggedIndexEntry } from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";

/** So many campaigns are in one chunk at most: it is made anew when one of them changes. */
export const maxChunkSize = 4_096;

export interface Chunk {
  /** When each was sent; they never descend. */
  times: Float64Array;
  /** Ascending among those that were sent at the same time. */
  ids: Float64Array;
  idMin: number;
  idMax: number;
  /** The tags that any of them carries, ascending. */
  tagIds: Float64Array;
  /** Where in `members` those of each tag begin, and at last where they all end. */
  starts: Uint32Array;
  /** For one tag after the other, the places in the chunk of the campaigns that carry it, ascending. */
  members: Uint16Array;
  /** The memory that it takes, about. */
  bytes: number;
}

/** Five arrays with their buffers, and the object. */
const bytesBesides = 900;

/** @param places ascending, no more than `chunkMax` */
export function chunkOf(places: readonly TaggedIndexEntry[]): Chunk {
  const ids = Float64Array.from(places, ({ id }) => id);
  const byTag = new Map<number, number[]>();
  for (const [at, place] of places.entries()) {
    for (const tagId of place.tagIds) {
      const members = byTag.get(tagId);
      if (members) members.push(at);
      else byTag.set(tagId, [at]);
    }
  }
  const tagIds = Float64Array.from(byTag.keys()).sort();
  const starts = new Uint32Array(tagIds.length + 1);
  const members = new Uint16Array(places.reduce((sum, place) => sum + place.tagIds.length, 0));
  for (const [index, tagId] of tagIds.entries()) {
    const own = byTag.get(tagId) ?? [];
    const start = starts[index] as number;
    members.set(own, start);
    starts[index + 1] = start + own.length;
  }
  return {
    times: Float64Array.from(places, ({ sentAt }) => sentAt),
    ids,
    idMin: ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY),
    idMax: ids.reduce((most, id) => Math.max(most, id), 0),
    tagIds,
    starts,
    members,
    bytes: 16 * places.length + 12 * tagIds.length + members.byteLength + bytesBesides,
  };
}

/** What the chunk was made of. */
export function entriesOf({ times, ids, tagIds, starts, members }: Chunk): TaggedIndexEntry[] {
  const places = Array.from(ids, (id, at) => ({ id, sentAt: times[at] as number, tagIds: [] as number[] }));
  for (const [index, tagId] of tagIds.entries()) {
    for (const at of members.subarray(starts[index], starts[index + 1])) places[at]?.tagIds.push(tagId);
  }
  return places;
}

/** The same chunk where none of its campaigns carries any of these tags. */
export function withoutTags(chunk: Chunk, tagIds: readonly number[]): Chunk {
  const gone = new Set(tagIds.filter((tagId) => chunk.tagIds[placeOfTag(chunk, tagId)] === tagId));
  if (gone.size === 0) return chunk;
  const places = entriesOf(chunk);
  return chunkOf(places.map((place) => ({ ...place, tagIds: place.tagIds.filter((id) => !gone.has(id)) })));
}

const wordBits = 32;
const marks = new Uint32Array(maxChunkSize / wordBits);
const union = new Uint16Array(maxChunkSize);

/**
 * The places in the chunk of the campaigns that carry any of these tags, ascending; undefined where there are none.
 *
 * @param tagIds ascending
 */
export function taggedMembers(chunk: Chunk, tagIds: readonly number[]): Uint16Array | undefined {
  const { starts, members } = chunk;
  const found: number[] = [];
  for (let place = 0, at = 0; at < tagIds.length && place < chunk.tagIds.length; at++) {
    const tagId = tagIds[at] as number;
    place = placeOfTag(chunk, tagId, place);
    if (chunk.tagIds[place] === tagId) found.push(place);
  }
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length === 1) return members.subarray(starts[only], starts[only + 1]);
  marks.fill(0);
  for (const place of found) {
    const end = starts[place + 1] as number;
    for (let at = starts[place] as number; at < end; at++) {
      const member = members[at] as number;
      marks[member >>> 5] = (marks[member >>> 5] as number) | (1 << (member & 31));
    }
  }
  let count = 0;
  for (let word = 0; word < marks.length; word++) {
    for (let bits = marks[word] as number; bits !== 0; bits &= bits - 1) {
      union[count++] = word * wordBits + 31 - Math.clz32(bits & -bits);
    }
  }
  return union.slice(0, count);
}

/** Where a tag stands among those of the chunk, or would stand; from one place on. */
function placeOfTag({ tagIds }: Chunk, tagId: number, from = 0): number {
  return binarySearch(from, tagIds.length, (at) => (tagIds[at] as number) >= tagId);
}
