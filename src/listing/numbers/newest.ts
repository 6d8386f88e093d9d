// The newest campaigns of a selection that have something to read in other tables, and what can no longer be read there.

import { valueAt } from "./dictionary-column.ts";
import { valuesOf } from "./number-values.ts";
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

const commentFields = ["people.enpsComments", "people.surveyComments"] as const;
const reactionFields = ["people.enpsReactions", "people.surveyReactions"] as const;

/**
 * Open campaigns with comments; closed ones have lost them.
 *
 * @param maxAnswers ratings, answers and comments of all of them together, which take time and memory. Campaigns that have
 *   more than are left are not listed.
 */
export function newestCommented(
  selection: Selection,
  { limit, maxAnswers }: { limit: number; maxAnswers: number },
): NewestCampaigns {
  return newest(selection, { limit, maxCost: maxAnswers }, (chunk) => {
    const { kind } = chunk.texts;
    const comments = commentFields.map((field) => valuesOfField(chunk, field));
    const reactions = reactionFields.map((field) => valuesOfField(chunk, field));
    return (position) => {
      const isOpen = kind.values[kind.codes[position] as number] === "counted";
      const sumOf = (fields: typeof comments) =>
        fields.reduce((sum, values) => sum + (values[position] as number), 0);
      const written = sumOf(comments);
      return isOpen && written > 0 ? written + sumOf(reactions) : undefined;
    };
  });
}

/** Numbers of comments whose texts are not here. */
export interface CommentsWithoutText {
  /** Imports have only the number of comments. */
  reported: number;
  /** The texts were deleted with the closing of the campaign. */
  closed: number;
}

export function commentsWithoutText(selection: Selection): CommentsWithoutText {
  const written = valuesOf(selection, "people", "comments_count");
  const found = { counted: 0, reported: 0, closed: 0 };
  let index = 0;
  for (const { chunk, positions } of selection.parts) {
    for (const position of positions) {
      const count = written[index++] as number;
      if (!Number.isNaN(count)) found[valueAt(chunk.texts.kind, position)] += count;
    }
  }
  return { reported: found.reported, closed: found.closed };
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
