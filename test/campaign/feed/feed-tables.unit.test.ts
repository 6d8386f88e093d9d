// The order of rows.

import assert from "node:assert/strict";
import test from "node:test";
import { compareRows, type FeedOrder } from "../../../src/campaign/feed/feed-tables.ts";

test("sorts rows by each field in its direction, null before all other values", () => {
  const rows = [
    ...[
      { id: 1, at: 5 },
      { id: 2, at: null },
      { id: 3, at: -1 },
      { id: 4, at: 5 },
      { id: 5, at: null },
    ],
  ];
  const ids = (...order: FeedOrder[]) => rows.toSorted(compareRows(order)).map(({ id }) => id);
  assert.deepEqual(ids(["at", "asc"], ["id", "asc"]), [2, 5, 3, 1, 4]);
  assert.deepEqual(ids(["at", "asc"], ["id", "desc"]), [5, 2, 3, 4, 1]);
  assert.deepEqual(ids(["at", "desc"], ["id", "asc"]), [1, 4, 3, 2, 5]);
  assert.equal(compareRows([["at", "asc"]])({ at: 5 }, { at: 5 }), 0);
});
