// The words of a search: a text matches if it contains all of them, in any order and letter case.

import { foldCase } from "./fold-case.ts";

/** Folded, without duplicates. Empty if the search has none, which matches every text. */
export function searchWords(search: string): string[] {
  return [...new Set(foldCase(search).split(/\s+/u))].filter((word) => word !== "");
}
