// Quotes of inputs in error messages.

import assert from "node:assert/strict";
import test from "node:test";
import { quote } from "../../../src/campaign/fields/quote.ts";

test("truncates a long text without cutting an emoji in half", () => {
  const text = (before: number) => `${"a".repeat(before)}😀b`;
  assert.equal(quote(text(97)), `"${"a".repeat(97)}😀b"`);
  assert.equal(quote(text(98)), `"${"a".repeat(98)}😀…"`);
  assert.equal(quote(text(99)), `"${"a".repeat(99)}…"`);
  // In JSON, the emoji is one character later.
  assert.equal(quote([text(97)]), `["${"a".repeat(97)}…`);
});
