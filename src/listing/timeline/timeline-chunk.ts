// A chunk of a timeline: a few thousand consecutive campaigns and their tags, in typed arrays. Chunks are immutable.

import type { TaggedIndexColumns, TaggedIndexEntry } from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";

/** A change to any campaign rebuilds its whole chunk. */
export const maxChunkSize = 4_096;

export interface Chunk {
  /** When each campaign was sent, ascending. */
  times: Float64Array;
  /** Ascending among campaigns sent at the same time. */
  ids: Float64Array;
  minId: number;
  maxId: number;
  /** The tags in the chunk, ascending. */
  tagIds: Float64Array;
  /** Where the members of each tag start in `members`, and the end of the last. */
  starts: Uint32Array;
  /** For each tag in turn, the positions in the chunk of the campaigns with that tag, ascending. */
  members: Uint16Array;
  /** Approximate memory. */
  bytes: number;
}

/** Five typed arrays with their buffers, and the object. */
const overheadBytes = 900;

/** @param entries ascending, at most `maxChunkSize` */
export function chunkOf(entries: readonly TaggedIndexEntry[]): Chunk {
  return chunkOfColumns(columnsOf(entries));
}

export function columnsOf(entries: readonly TaggedIndexEntry[]): TaggedIndexColumns {
  const tags = entries.flatMap(({ id, tagIds }) => tagIds.map((tagId) => ({ id, tagId })));
  return {
    ids: entries.map(({ id }) => id),
    sentAts: entries.map(({ sentAt }) => sentAt),
    taggedIds: tags.map(({ id }) => id),
    tagIds: tags.map(({ tagId }) => tagId),
  };
}

/** @param columns ascending, at most `maxChunkSize` */
export function chunkOfColumns(columns: TaggedIndexColumns): Chunk {
  const ids = Float64Array.from(columns.ids);
  const byTag = positionsByTag(columns);
  const tagIds = Float64Array.from(byTag.keys()).sort();
  const starts = new Uint32Array(tagIds.length + 1);
  let end = 0;
  for (const [index, tagId] of tagIds.entries()) {
    end += byTag.get(tagId)?.length ?? 0;
    starts[index + 1] = end;
  }
  const members = new Uint16Array(end);
  for (const [index, tagId] of tagIds.entries()) members.set(byTag.get(tagId) ?? [], starts[index]);
  for (const index of tagIds.keys()) members.subarray(starts[index], starts[index + 1]).sort();
  return {
    times: Float64Array.from(columns.sentAts),
    ids,
    minId: ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY),
    maxId: ids.reduce((most, id) => Math.max(most, id), 0),
    tagIds,
    starts,
    members,
    bytes: 16 * ids.length + 12 * tagIds.length + members.byteLength + overheadBytes,
  };
}

/** The positions of the campaigns with each tag, in no particular order. */
function positionsByTag({ ids, taggedIds, tagIds }: TaggedIndexColumns): Map<number, number[]> {
  const positions = new Map<number, number>();
  for (let position = 0; position < ids.length; position++) positions.set(ids[position] as number, position);
  const byTag = new Map<number, number[]>();
  for (let index = 0; index < taggedIds.length; index++) {
    const position = positions.get(taggedIds[index] as number);
    if (position === undefined) continue;
    const tagId = tagIds[index] as number;
    const members = byTag.get(tagId);
    if (members) members.push(position);
    else byTag.set(tagId, [position]);
  }
  return byTag;
}

/** The entries that the chunk was built from. */
export function entriesOf({ times, ids, tagIds, starts, members }: Chunk): TaggedIndexEntry[] {
  const entries = Array.from(ids, (id, position) => ({
    id,
    sentAt: times[position] as number,
    tagIds: [] as number[],
  }));
  for (const [index, tagId] of tagIds.entries()) {
    for (const position of members.subarray(starts[index], starts[index + 1])) {
      entries[position]?.tagIds.push(tagId);
    }
  }
  return entries;
}

/** The chunk without some tags; the same object if it does not have them. */
export function withoutTags(chunk: Chunk, tagIds: readonly number[]): Chunk {
  const removed = new Set(tagIds.filter((tagId) => chunk.tagIds[findTag(chunk, tagId)] === tagId));
  if (removed.size === 0) return chunk;
  const entries = entriesOf(chunk);
  return chunkOf(
    entries.map((entry) => ({ ...entry, tagIds: entry.tagIds.filter((id) => !removed.has(id)) })),
  );
}

const wordBits = 32;
/** Scratch memory for {@link taggedMembers}: one bit per campaign, and the result. */
const bits = new Uint32Array(maxChunkSize / wordBits);
const union = new Uint16Array(maxChunkSize);

/**
 * The positions in the chunk of campaigns with any of these tags, ascending; undefined if there are none.
 *
 * @param tagIds ascending
 */
export function taggedMembers(chunk: Chunk, tagIds: readonly number[]): Uint16Array | undefined {
  const { starts, members } = chunk;
  const found: number[] = [];
  for (let index = 0, at = 0; at < tagIds.length && index < chunk.tagIds.length; at++) {
    const tagId = tagIds[at] as number;
    index = findTag(chunk, tagId, index);
    if (chunk.tagIds[index] === tagId) found.push(index);
  }
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length === 1) return members.subarray(starts[only], starts[only + 1]);
  bits.fill(0);
  for (const index of found) {
    const end = starts[index + 1] as number;
    for (let at = starts[index] as number; at < end; at++) {
      const member = members[at] as number;
      bits[member >>> 5] = (bits[member >>> 5] as number) | (1 << (member & 31));
    }
  }
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      union[count++] = word * wordBits + 31 - Math.clz32(left & -left);
    }
  }
  return union.slice(0, count);
}

/** The index of a tag in `tagIds`, or where it would be inserted; searches from an index on. */
function findTag({ tagIds }: Chunk, tagId: number, from = 0): number {
  return binarySearch(from, tagIds.length, (index) => (tagIds[index] as number) >= tagId);
}
