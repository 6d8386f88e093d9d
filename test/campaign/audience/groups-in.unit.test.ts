// The groups of a recipient in a campaign.

import assert from "node:assert/strict";
import test from "node:test";
import { groupsIn } from "../../../src/campaign/audience/groups-in.ts";

test("takes the group of each attribute from the first source that has one, else that of the attribute itself", () => {
  assert.deepEqual(groupsIn([1, 2, 3], { 1: 11 }, undefined, { 1: 12, 2: 21, 4: 41 }), {
    1: 11,
    2: 21,
    3: 3,
  });
  assert.deepEqual(groupsIn([7]), { 7: 7 });
  assert.deepEqual(groupsIn([], { 1: 11 }), {});
});
