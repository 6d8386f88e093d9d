// Parses the parameter `tag_ids`.

import { largestInteger } from "../campaign/field-schema.ts";
import { quote } from "../campaign/quote.ts";
import { AppError } from "../errors.ts";
import { maxTagIds } from "./campaigns-query.ts";

/**
 * The ids without duplicates; undefined if there are none. Integers beyond the id range match no tag and are dropped.
 *
 * @param values ids, or comma-separated lists of ids
 * @throws AppError `bad_request` if an entry is not a whole number, or if there are too many
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
    if (ids.size > maxTagIds) {
      throw new AppError(
        "bad_request",
        `tag_ids: there are more than ${maxTagIds} ids; the first beyond the limit is ${quote(trimmed)}.`,
      );
    }
  }
  return ids.size > 0 ? [...ids].map(Number).filter((id) => id <= largestInteger) : undefined;
}
