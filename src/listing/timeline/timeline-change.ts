// Applies a change to the chunks of a timeline. Untouched chunks are shared between the old and the new timeline.

import type { TaggedIndexEntry, TimelineChangeKey } from "../../storage/campaigns/index-entries.ts";
import { type Chunk, chunkOf, entriesOf, maxChunkSize, withoutTags } from "./timeline-chunk.ts";
import { compareEntries, walkChunks } from "./walk-chunks.ts";

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

export async function changeChunks(
  before: readonly Chunk[],
  { deletedIds, deletedTagIds, changed }: TimelineChange,
): Promise<Chunk[]> {
  const removed = new Set([...deletedIds, ...changed.map(({ id }) => id)]);
  const added = changed.toSorted(compareEntries);
  const chunks: Chunk[] = [];
  let carried: TaggedIndexEntry[] = [];
  for await (const { chunk, own, isLast } of walkChunks(before, added, (entry) => entry)) {
    const kept = withoutTags(chunk, deletedTagIds);
    const isTouched = carried.length > 0 || own.length > 0 || containsAny(kept, removed);
    if (!isTouched) chunks.push(kept);
    else {
      const entries = [...carried, ...entriesOf(kept).filter(({ id }) => !removed.has(id)), ...own];
      entries.sort(compareEntries);
      // The rest of a small chunk moves into the next one.
      carried = entries.length < maxChunkSize / 8 && !isLast ? entries : [];
      if (carried.length === 0) chunks.push(...splitIntoChunks(entries));
    }
  }
  if (before.length === 0) chunks.push(...splitIntoChunks(added));
  return chunks;
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
