// Reads the ids of tags from a request, whoever asks.

import { largestInteger } from "../campaign/field-schema.ts";
import { quote } from "../campaign/quote.ts";
import { AppError } from "../errors.ts";
import { tagIdsMax } from "./campaigns-query.ts";

/**
 * Each id once, or undefined where there is no entry at all. An integer that is too large to be anybody's id matches
 * nothing, like any other foreign id, and is left out.
 *
 * @param values with commas between ids, or without
 * @throws Refusal that names the parameter, quotes the input and says what is accepted
 */
export function parseTagIds(values: readonly string[]): number[] | undefined {
  const ids = new Set<string>();
  for (const entry of values.flatMap((value) => value.split(","))) {
    const trimmed = entry.trim();
    if (trimmed === "") continue;
    if (!/^[0-9]+$/.test(trimmed)) {
      throw new AppError(
        "bad_request",
        `tag_ids: ${quote(trimmed)} is not a tag id; use whole numbers in plain digits, such as tag_ids=1,2.`,
      );
    }
    ids.add(trimmed.replace(/^0+(?=\d)/, ""));
    if (ids.size > tagIdsMax) {
      throw new AppError(
        "bad_request",
        `tag_ids: more than ${tagIdsMax} ids; the next is ${quote(trimmed)}.`,
      );
    }
  }
  return ids.size > 0 ? [...ids].map(Number).filter((id) => id <= largestInteger) : undefined;
}
