// Applies a change to the chunks of a timeline. Untouched chunks are shared between the old and the new timeline.

import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  IndexEntry,
  TaggedIndexEntry,
  TimelineChangeKey,
} from "../../storage/campaigns/index-entries.ts";
import { binarySearch } from "./binary-search.ts";
import { type Chunk, chunkOf, entriesOf, maxChunkSize, withoutTags } from "./timeline-chunk.ts";

/** The timeline revision of an organization and its id. */
export interface TimelineState {
  revision: number;
  revisionId: number;
  /** The last change that a timeline has which may lack later ones. */
  behind?: TimelineChangeKey | undefined;
}

/** With the state after the change. */
export interface TimelineChange extends TimelineState {
  deletedIds: readonly number[];
  deletedTagIds: readonly number[];
  /** New and changed campaigns, as they are now. */
  changed: readonly TaggedIndexEntry[];
}

/** How long a change may block the event loop before it yields. */
const maxTurnMs = 10;

export async function changeChunks(
  before: readonly Chunk[],
  { deletedIds, deletedTagIds, changed }: TimelineChange,
): Promise<Chunk[]> {
  const removed = new Set([...deletedIds, ...changed.map(({ id }) => id)]);
  const added = changed.toSorted(compareEntries);
  const chunks: Chunk[] = [];
  let carried: TaggedIndexEntry[] = [];
  let taken = 0;
  let turnEndsAt = performance.now() + maxTurnMs;
  for (const [index, chunk] of before.entries()) {
    if (performance.now() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + maxTurnMs;
    }
    const isLast = index === before.length - 1;
    const end = isLast
      ? added.length
      : binarySearch(taken, added.length, (position) => isAfter(added[position], chunk));
    const kept = withoutTags(chunk, deletedTagIds);
    const isTouched = carried.length > 0 || end > taken || containsAny(kept, removed);
    if (!isTouched) chunks.push(kept);
    else {
      const entries = [
        ...carried,
        ...entriesOf(kept).filter(({ id }) => !removed.has(id)),
        ...added.slice(taken, end),
      ];
      entries.sort(compareEntries);
      // The rest of a small chunk moves into the next one.
      carried = entries.length < maxChunkSize / 8 && !isLast ? entries : [];
      if (carried.length === 0) chunks.push(...splitIntoChunks(entries));
    }
    taken = end;
  }
  if (before.length === 0) chunks.push(...splitIntoChunks(added));
  return chunks;
}

function compareEntries(a: IndexEntry, b: IndexEntry): number {
  return a.sentAt - b.sentAt || a.id - b.id;
}

function isAfter(entry: IndexEntry | undefined, { times, ids }: Chunk): boolean {
  const last = { sentAt: times.at(-1) as number, id: ids.at(-1) as number };
  return entry !== undefined && compareEntries(entry, last) > 0;
}

function containsAny({ ids, minId, maxId }: Chunk, wanted: ReadonlySet<number>): boolean {
  const candidates = [...wanted].filter((id) => id >= minId && id <= maxId);
  if (candidates.length === 0) return false;
  return candidates.length < 8 ? candidates.some((id) => ids.includes(id)) : ids.some((id) => wanted.has(id));
}

/** As few chunks as possible, of equal size. */
function* splitIntoChunks(entries: readonly TaggedIndexEntry[]): Generator<Chunk> {
  const count = Math.ceil(entries.length / maxChunkSize);
  const size = Math.ceil(entries.length / count);
  for (let start = 0; start < entries.length; start += size) {
    yield chunkOf(entries.slice(start, start + size));
  }
}
