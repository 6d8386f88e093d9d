// Ids in texts.

import assert from "node:assert/strict";
import test from "node:test";
import { parseId } from "../../../src/campaign/fields/parse-id.ts";

test("reads a positive id in plain digits up to the largest exact integer, and nothing else", () => {
  assert.equal(parseId("1"), 1);
  assert.equal(parseId("9007199254740991"), Number.MAX_SAFE_INTEGER);
  for (const text of [
    ...["", "0", "01", "-1", "+1", "1.0", "1e3", " 1", "0x1", "9007199254740992", "10000000000000000"],
  ]) {
    assert.equal(parseId(text), undefined, text);
  }
});
