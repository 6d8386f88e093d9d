// Counts with their noun.

import assert from "node:assert/strict";
import test from "node:test";
import { pluralize } from "../../../src/campaign/fields/pluralize.ts";

test("adds an s to the noun unless the count is 1", () => {
  const found = [0, 1, 2].map((count) => pluralize(count, "event"));
  assert.deepEqual(found, ["0 events", "1 event", "2 events"]);
});
