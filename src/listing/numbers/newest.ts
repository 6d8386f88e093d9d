// The newest campaigns of a selection that have something to read in other tables.

import { type NumbersChunk, valuesOfField } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

export interface NewestCampaigns {
  /** Newest first. */
  ids: number[];
  /** How many there are without limits. */
  of: number;
}

/** Counted campaigns, which have activity by hour and link. */
export function newestCounted(selection: Selection, limit: number): NewestCampaigns {
  return newest(selection, { limit, maxCost: 0 }, ({ texts: { kind } }) => {
    return (position) => (kind.values[kind.codes[position] as number] === "reported" ? undefined : 0);
  });
}

/**
 * Open campaigns with comments; closed ones have lost them.
 *
 * @param maxOpeners of all of them together: reading the answers of a campaign takes time for each. Campaigns that have more
 *   than are left are not listed.
 */
export function newestCommented(
  selection: Selection,
  { limit, maxOpeners }: { limit: number; maxOpeners: number },
): NewestCampaigns {
  return newest(selection, { limit, maxCost: maxOpeners }, (chunk) => {
    const { kind } = chunk.texts;
    const [enps, other, openers] = [
      valuesOfField(chunk, "people.enpsComments"),
      valuesOfField(chunk, "people.surveyComments"),
      valuesOfField(chunk, "all.uniqueOpens"),
    ];
    return (position) => {
      const isOpen = kind.values[kind.codes[position] as number] === "counted";
      const hasComments = (enps[position] as number) + (other[position] as number) > 0;
      return isOpen && hasComments ? openers[position] : undefined;
    };
  });
}

/** @param costIn what listing a campaign of a chunk costs, by its position; undefined if it does not match */
function newest(
  { parts }: Selection,
  { limit, maxCost }: { limit: number; maxCost: number },
  costIn: (chunk: NumbersChunk) => (position: number) => number | undefined,
): NewestCampaigns {
  const ids: number[] = [];
  let [of, left] = [0, maxCost];
  for (const { chunk, positions } of parts.toReversed()) {
    const costOf = costIn(chunk);
    for (let index = positions.length - 1; index >= 0; index--) {
      const position = positions[index] as number;
      const cost = costOf(position);
      if (cost === undefined) continue;
      of += 1;
      if (ids.length === limit || cost > left) continue;
      left -= cost;
      ids.push(chunk.ids[position] as number);
    }
  }
  return { ids, of };
}
