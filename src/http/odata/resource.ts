// The resource that an OData request is about, from its path (OData URL Conventions 4.0, 4).

import { type FeedTableName, feedTableNames, feedTables } from "../../campaign/feed/feed-tables.ts";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError, orNotFound } from "../../errors.ts";

export type Resource =
  | { kind: "service" }
  | { kind: "metadata" }
  | { kind: "collection" | "count"; table: FeedTableName }
  | { kind: "entity"; table: FeedTableName; id: number };

/**
 * @param segments of the path below the root, decoded
 * @throws AppError `not_implemented` for what this service does not support of OData, `not_found` for anything else
 */
export function parseResource([first = "", second]: readonly string[]): Resource {
  if (first === "") return { kind: "service" };
  if (first === "$metadata" && second === undefined) return { kind: "metadata" };
  if (first.startsWith("$")) throw unsupported(first);
  const [, name = "", key] = /^(\w*)(?:\((.*)\))?$/s.exec(first) ?? [];
  const table = orNotFound(
    feedTableNames.find((each) => each === name),
    `${quote(first)} is no table; use ${feedTableNames.join(", ")}, or $metadata.`,
  );
  if (key !== undefined) {
    if (second !== undefined) throw unsupported(second, "a part of a row; use $select");
    return { kind: "entity", table, id: parseKey(table, key) };
  }
  if (second === undefined) return { kind: "collection", table };
  if (second === "$count") return { kind: "count", table };
  throw unsupported(second, "the path after a table; use $count, or a key such as emails(7)");
}

/** Tables with a key of several fields are read with $filter. */
function parseKey(table: FeedTableName, text: string): number {
  const [field = "", ...others] = feedTables[table].key;
  if (others.length > 0) throw unsupported(`${table}(${text})`, `a row by its key; use $filter`);
  const digits = new RegExp(`^(?:${field}=)?(\\d{1,16})$`).exec(text)?.[1];
  const id = Number(digits);
  if (id <= largestInteger) return id;
  throw new AppError(
    "bad_request",
    `${table}(${text}): ${quote(text)} is not a whole number, as in ${table}(7).`,
  );
}

function unsupported(part: string, what = "this part of OData"): AppError {
  return new AppError("not_implemented", `${quote(part)} is not supported: ${what}.`);
}
