// Compares a page with several patterns.

import assert from "node:assert/strict";

/** Fails unless the text matches each pattern. */
export function assertMatches(text: string, patterns: readonly RegExp[]): void {
  for (const pattern of patterns) assert.match(text, pattern);
}
