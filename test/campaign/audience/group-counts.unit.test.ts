// What recipients add to the groups of a campaign.

import assert from "node:assert/strict";
import test from "node:test";
import {
  type CountedGroups,
  countInGroups,
  emptyGroupCounts,
} from "../../../src/campaign/audience/group-counts.ts";
import { type Contribution, contribution } from "../../../src/campaign/events/tally.ts";

/** A contribution in which each count is different. */
function contributed(first: number): Contribution {
  return {
    ...contribution({}, "all"),
    ...{
      uniqueOpens: first,
      uniqueClicks: first + 1,
      glanced: first + 2,
      skimmed: first + 3,
      read: first + 4,
    },
    ...{ enpsReactions: first + 5, enpsScores: first + 6, enpsPromoters: first + 7 },
    ...{ enpsDetractors: first + 8, surveyReactions: first + 9 },
  };
}

test("adds opens and clicks of both traffics, and reads and answers of people, and subtracts those of before", () => {
  const counted: CountedGroups = new Map();
  const after = { people: contributed(1), all: contributed(101) };
  const state = { groups: { 1: 12 } };
  countInGroups(counted, state, { isNew: false, after });
  assert.deepEqual(counted.get(12), {
    ...{ attributeId: 1, recipients: 0 },
    ...{ peopleOpens: 1, allOpens: 101, peopleClicks: 2, allClicks: 102 },
    ...{ glanced: 3, skimmed: 4, read: 5 },
    ...{ enpsReactions: 6, enpsScores: 7, enpsPromoters: 8, enpsDetractors: 9, surveyReactions: 10 },
  });
  const changed: CountedGroups = new Map();
  countInGroups(changed, state, { isNew: false, before: after, after });
  assert.deepEqual(changed, new Map());
  countInGroups(changed, state, {
    isNew: false,
    before: after,
    after: { ...after, people: { ...after.people, read: 7 } },
  });
  assert.deepEqual(changed.get(12), { ...emptyGroupCounts(), attributeId: 1, read: 2 });
});

test("counts a recipient in its group of each attribute", () => {
  const counted: CountedGroups = new Map();
  for (const groups of [{ 1: 12, 2: 5, 3: 30 }, { 1: 12, 2: 6, 3: 30 }, {}]) {
    countInGroups(
      counted,
      { groups },
      { isNew: true, after: { people: contributed(1), all: contributed(1) } },
    );
  }
  const sizes = [...counted].map(([id, { attributeId, recipients }]) => [id, attributeId, recipients]);
  assert.deepEqual(sizes, [
    [12, 1, 2],
    [5, 2, 1],
    [30, 3, 2],
    [6, 2, 1],
  ]);
});
