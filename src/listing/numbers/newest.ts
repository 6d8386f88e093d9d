// The newest campaigns of a selection that have something to read in other tables.

import { decodeColumn, type NumberColumn } from "./number-column.ts";
import { columnOf } from "./number-fields.ts";
import { maxChunkSize, type NumbersChunk } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

/** Counted campaigns, which have activity by hour and link; newest first. */
export function newestCounted(selection: Selection, limit: number): number[] {
  return newestWhere(selection, limit, ({ texts: { kind } }) => {
    return (position) => kind.values[kind.codes[position] as number] !== "reported";
  });
}

/**
 * Open campaigns with comments, newest first; closed ones have lost them.
 *
 * @param maxOpeners reading the answers of a campaign that more have opened takes too long for a page of many
 */
export function newestCommented(
  selection: Selection,
  { limit, maxOpeners }: { limit: number; maxOpeners: number },
): number[] {
  return newestWhere(selection, limit, (chunk) => {
    const { kind } = chunk.texts;
    const [enps, other, openers] = [
      decoded(chunk, columnOf("people.enpsComments")),
      decoded(chunk, columnOf("people.surveyComments")),
      decoded(chunk, columnOf("all.uniqueOpens")),
    ];
    return (position) =>
      kind.values[kind.codes[position] as number] === "counted" &&
      (enps[position] as number) + (other[position] as number) > 0 &&
      (openers[position] as number) <= maxOpeners;
  });
}

function newestWhere(
  { parts }: Selection,
  limit: number,
  matcherOf: (chunk: NumbersChunk) => (position: number) => boolean,
): number[] {
  const ids: number[] = [];
  for (const { chunk, positions } of parts.toReversed()) {
    const matches = matcherOf(chunk);
    for (let index = positions.length - 1; index >= 0; index--) {
      if (ids.length === limit) return ids;
      const position = positions[index] as number;
      if (matches(position)) ids.push(chunk.ids[position] as number);
    }
  }
  return ids;
}

function decoded({ numbers }: NumbersChunk, column: number): Float64Array {
  const values = new Float64Array(maxChunkSize);
  decodeColumn(numbers[column] as NumberColumn, values);
  return values;
}
