// A change of a timeline: which chunks there are after it.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexEntry, TaggedIndexEntry } from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";
import { type Chunk, chunkOf, entriesOf, maxChunkSize, withoutTags } from "./timeline-chunk.ts";

/** What has changed of a timeline. */
export interface TimelineChange {
  /** The timeline revision that it leads to. */
  revision: number;
  deletedIds: readonly number[];
  deletedTagIds: readonly number[];
  /** Campaigns that came or changed, as they are now. */
  changed: readonly TaggedIndexEntry[];
}

/** For a moment no longer than that, other requests wait. */
const turnMs = 10;

/** Chunks that the change does not touch are the same afterwards. */
export async function changeChunks(
  before: readonly Chunk[],
  { deletedIds, deletedTagIds, changed }: TimelineChange,
): Promise<Chunk[]> {
  const leaving = new Set([...deletedIds, ...changed.map(({ id }) => id)]);
  const coming = changed.toSorted(byPlace);
  const chunks: Chunk[] = [];
  let rest: TaggedIndexEntry[] = [];
  let taken = 0;
  let turnEndsAt = performance.now() + turnMs;
  for (const [index, chunk] of before.entries()) {
    if (performance.now() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
    const isLast = index === before.length - 1;
    const end = isLast
      ? coming.length
      : binarySearch(taken, coming.length, (at) => isAfter(coming[at], chunk));
    const kept = withoutTags(chunk, deletedTagIds);
    const isTouched = rest.length > 0 || end > taken || holdsAny(kept, leaving);
    if (!isTouched) chunks.push(kept);
    else {
      const places = [
        ...rest,
        ...entriesOf(kept).filter(({ id }) => !leaving.has(id)),
        ...coming.slice(taken, end),
      ];
      places.sort(byPlace);
      // A chunk of which little is left goes into the next one.
      rest = places.length < maxChunkSize / 8 && !isLast ? places : [];
      if (rest.length === 0) chunks.push(...cut(places));
    }
    taken = end;
  }
  if (before.length === 0) chunks.push(...cut(coming));
  return chunks;
}

function byPlace(one: IndexEntry, other: IndexEntry): number {
  return one.sentAt - other.sentAt || one.id - other.id;
}

function isAfter(place: IndexEntry | undefined, { times, ids }: Chunk): boolean {
  const last = { sentAt: times.at(-1) as number, id: ids.at(-1) as number };
  return place !== undefined && byPlace(place, last) > 0;
}

function holdsAny({ ids, idMin, idMax }: Chunk, wanted: ReadonlySet<number>): boolean {
  const near = [...wanted].filter((id) => id >= idMin && id <= idMax);
  if (near.length === 0) return false;
  return near.length < 8 ? near.some((id) => ids.includes(id)) : ids.some((id) => wanted.has(id));
}

/** As few chunks as hold them, of the same size. */
function* cut(places: readonly TaggedIndexEntry[]): Generator<Chunk> {
  const count = Math.ceil(places.length / maxChunkSize);
  const size = Math.ceil(places.length / count);
  for (let start = 0; start < places.length; start += size) yield chunkOf(places.slice(start, start + size));
}
