// Compares a page with several patterns.

import assert from "node:assert/strict";

/** Fails unless the text matches each pattern. */
export function assertMatches(text: string, patterns: readonly RegExp[]): void {
  for (const pattern of patterns) assert.match(text, pattern);
}

/** Fails unless a page has this status and matches the pattern, or each of the patterns. */
export function assertPage(
  { status, text }: { status: number; text: string },
  expected: number,
  patterns: RegExp | readonly RegExp[],
  about?: string,
): void {
  assert.equal(status, expected, about ?? `status ${status}: ${text}`);
  for (const pattern of [patterns].flat()) assert.match(text, pattern);
}
