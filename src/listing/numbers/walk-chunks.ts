// Walks over chunks of campaigns, each with the campaigns that a change adds to it.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { EmailKey } from "../../storage/campaigns/emails.ts";
import { binarySearch } from "./binary-search.ts";

/** How long the walk may block the event loop before it yields. */
const maxTurnMs = 5;

/** The order of all campaigns: by time, then by id. */
export function compareEntries(a: EmailKey, b: EmailKey): number {
  return a.sentAt - b.sentAt || a.id - b.id;
}

/**
 * The last chunk gets all campaigns that follow it.
 *
 * @param added ascending
 */
export async function* walkChunks<Chunk extends { times: Float64Array; ids: Float64Array }, Added>(
  chunks: readonly Chunk[],
  added: readonly Added[],
  entryOf: (added: Added) => EmailKey,
): AsyncGenerator<{ chunk: Chunk; own: readonly Added[]; isLast: boolean }> {
  let taken = 0;
  let turnEndsAt = performance.now() + maxTurnMs;
  for (const [index, chunk] of chunks.entries()) {
    if (performance.now() > turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + maxTurnMs;
    }
    const isLast = index === chunks.length - 1;
    const last = { sentAt: chunk.times.at(-1) as number, id: chunk.ids.at(-1) as number };
    const isAfter = (at: number) => compareEntries(entryOf(added[at] as Added), last) > 0;
    const end = isLast ? added.length : binarySearch(taken, added.length, isAfter);
    yield { chunk, own: added.slice(taken, end), isLast };
    taken = end;
  }
}
