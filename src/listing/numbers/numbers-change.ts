// Applies a change to the chunks of numbers. Untouched chunks are shared between the old and the new numbers.

import { setImmediate as nextTurn } from "node:timers/promises";
import { binarySearch } from "../timeline/binary-search.ts";
import { encodeLists, listAt } from "./dictionary-column.ts";
import {
  type ChunkSource,
  chunkOf,
  maxChunkSize,
  type NumbersChunk,
  type NumbersRow,
} from "./numbers-chunk.ts";

export interface NumbersChange {
  /** New, changed and deleted campaigns. */
  ids: readonly number[];
  /** Those of them that exist, as they are now. */
  rows: readonly NumbersRow[];
  deletedTagIds: readonly number[];
}

/** How long a change may block the event loop before it yields. */
const maxTurnMs = 5;

/** Chunks never merge: with so many changes, the numbers are loaded again. */
export async function changeChunks(
  before: readonly NumbersChunk[],
  { ids, rows, deletedTagIds }: NumbersChange,
): Promise<NumbersChunk[]> {
  const removed = new Set(ids);
  const added = rows.toSorted(compareRows);
  const chunks: NumbersChunk[] = [];
  let taken = 0;
  let turnEndsAt = performance.now() + maxTurnMs;
  for (const [index, chunk] of before.entries()) {
    if (performance.now() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + maxTurnMs;
    }
    const isLast = index === before.length - 1;
    const end = isLast ? added.length : binarySearch(taken, added.length, (at) => isAfter(added[at], chunk));
    const own = added.slice(taken, end);
    taken = end;
    chunks.push(...changeChunk(withoutTags(chunk, deletedTagIds), removed, own));
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
export function* splitIntoChunks(
  sources: readonly ChunkSource[],
  earlier?: NumbersChunk,
): Generator<NumbersChunk> {
  const count = Math.ceil(sources.length / maxChunkSize);
  const size = Math.ceil(sources.length / count);
  for (let start = 0; start < sources.length; start += size) {
    yield chunkOf(sources.slice(start, start + size), earlier);
  }
}

/** The chunk without some tags; the same object if it does not have them. */
function withoutTags(chunk: NumbersChunk, tagIds: readonly number[]): NumbersChunk {
  const removed = new Set(tagIds);
  if (!chunk.tagIds.values.some((tagId) => removed.has(tagId))) return chunk;
  const lists = Array.from(chunk.ids, (_, at) =>
    listAt(chunk.tagIds, at).filter((tagId) => !removed.has(tagId)),
  );
  return { ...chunk, tagIds: encodeLists(lists) };
}

function compareRows({ stored: a }: NumbersRow, { stored: b }: NumbersRow): number {
  return a.campaign.sentAt - b.campaign.sentAt || a.campaign.id - b.campaign.id;
}

function isBefore({ stored: { campaign } }: NumbersRow, { times, ids }: NumbersChunk, at: number): boolean {
  const difference = campaign.sentAt - (times[at] as number) || campaign.id - (ids[at] as number);
  return difference < 0;
}

function isAfter(row: NumbersRow | undefined, chunk: NumbersChunk): boolean {
  return row !== undefined && !isBefore(row, chunk, chunk.ids.length - 1);
}
