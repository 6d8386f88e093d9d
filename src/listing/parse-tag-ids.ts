// Parses the parameter `tag_ids`.

import { largestInteger } from "../campaign/fields/field-schema.ts";
import { quote } from "../campaign/fields/quote.ts";
import { AppError } from "../errors.ts";
import { maxTagIds } from "./campaigns-query.ts";

/** What to say about an entry that is not accepted. */
interface TagIdMessages {
  notAnId(entry: string): string;
  tooMany(max: number, entry: string): string;
}

const apiMessages: TagIdMessages = {
  notAnId: (entry) =>
    `tag_ids: ${quote(entry)} is not a tag id; use whole numbers in plain digits, such as tag_ids=1,2.`,
  tooMany: (max, entry) =>
    `tag_ids: there are more than ${max} ids; the first beyond the limit is ${quote(entry)}.`,
};

/**
 * The ids without duplicates; undefined if there are none. Integers beyond the id range match no tag and are dropped.
 *
 * @param values ids, or comma-separated lists of ids
 * @param messages those of the API by default
 * @throws AppError `bad_request` if an entry is not a whole number, or if there are too many
 */
export function parseTagIds(values: readonly string[], messages = apiMessages): number[] | undefined {
  const ids = new Set<string>();
  for (const entry of values.flatMap((value) => value.split(","))) {
    const trimmed = entry.trim();
    if (trimmed === "") continue;
    if (!/^[0-9]+$/.test(trimmed)) throw new AppError("bad_request", messages.notAnId(trimmed));
    ids.add(trimmed.replace(/^0+(?=\d)/, ""));
    if (ids.size > maxTagIds) throw new AppError("bad_request", messages.tooMany(maxTagIds, trimmed));
  }
  return ids.size > 0 ? [...ids].map(Number).filter((id) => id <= largestInteger) : undefined;
}
