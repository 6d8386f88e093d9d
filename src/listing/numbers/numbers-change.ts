// Applies a change to the chunks of numbers. Untouched chunks are shared between the old and the new numbers.

import {
  type ChunkSource,
  chunkOf,
  maxChunkSize,
  type NumbersChunk,
  type NumbersRow,
} from "./numbers-chunk.ts";
import { compareEntries, walkChunks } from "./walk-chunks.ts";

export interface NumbersChange {
  /** New, changed and deleted campaigns. */
  ids: readonly number[];
  /** Those of them that exist, as they are now. */
  rows: readonly NumbersRow[];
}

/** Chunks never merge: with so many changes, the numbers are loaded again. */
export async function changeChunks(
  before: readonly NumbersChunk[],
  { ids, rows }: NumbersChange,
): Promise<NumbersChunk[]> {
  const removed = new Set(ids);
  const added = rows.toSorted((a, b) => compareEntries(entryOf(a), entryOf(b)));
  const chunks: NumbersChunk[] = [];
  for await (const { chunk, own } of walkChunks(before, added, entryOf)) {
    chunks.push(...changeChunk(chunk, removed, own));
  }
  return before.length === 0 ? [...splitIntoChunks(added)] : chunks;
}

/** @param added ascending */
function changeChunk(
  chunk: NumbersChunk,
  removed: ReadonlySet<number>,
  added: readonly NumbersRow[],
): Iterable<NumbersChunk> {
  const { ids, minId, maxId } = chunk;
  const mayLose = [...removed].some((id) => id >= minId && id <= maxId);
  if (added.length === 0 && !mayLose) return [chunk];
  const kept: number[] = [];
  for (const [at, id] of ids.entries()) if (!removed.has(id)) kept.push(at);
  if (added.length === 0 && kept.length === ids.length) return [chunk];
  const sources: ChunkSource[] = [];
  let taken = 0;
  for (const at of kept) {
    for (let row = added[taken]; row && isBefore(row, chunk, at); row = added[taken]) {
      sources.push(row);
      taken += 1;
    }
    sources.push(at);
  }
  return splitIntoChunks([...sources, ...added.slice(taken)], chunk);
}

/** As few chunks as possible, of equal size. */
function* splitIntoChunks(sources: readonly ChunkSource[], earlier?: NumbersChunk): Generator<NumbersChunk> {
  const count = Math.ceil(sources.length / maxChunkSize);
  const size = Math.ceil(sources.length / count);
  for (let start = 0; start < sources.length; start += size) {
    yield chunkOf(sources.slice(start, start + size), earlier);
  }
}

const entryOf = ({ stored }: NumbersRow) => stored.campaign;

function isBefore(row: NumbersRow, { times, ids }: NumbersChunk, at: number): boolean {
  return compareEntries(entryOf(row), { sentAt: times[at] as number, id: ids[at] as number }) < 0;
}
