// The contribution of a recipient to the tally.

import assert from "node:assert/strict";
import test from "node:test";
import {
  addTally,
  contribution,
  emptyTally,
  type Tally,
  tallyNames,
} from "../../../src/campaign/events/tally.ts";

const tallyOfScores = (...scores: number[]): Tally => {
  const tally = { ...emptyTally };
  for (const [index, score] of scores.entries()) {
    const surveys = { "enps s": { reaction: [score, 0, `${index}`] as [number, number, string] } };
    addTally(tally, contribution({ surveys }, "people"));
  }
  return tally;
};

test("counts scores of 9 and 10 as promoters, 0 to 6 as detractors, and other surveys as neither", () => {
  const tally = tallyOfScores(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  assert.deepEqual([tally.enpsPromoters, tally.enpsDetractors, tally.enpsReactions], [2, 7, 11]);
  const pulse = contribution({ surveys: { "pulse s": { reaction: [10, 0, ""] } } }, "people");
  assert.deepEqual([pulse.enpsPromoters, pulse.enpsDetractors], [0, 0]);
});

test("adds and subtracts every count", () => {
  const counts = Object.fromEntries(tallyNames.map((name, index) => [name, index + 1])) as unknown as Tally;
  const sum = { ...counts };
  addTally(sum, counts);
  assert.deepEqual(sum, Object.fromEntries(tallyNames.map((name, index) => [name, 2 * index + 2])));
  addTally(sum, sum, -1);
  assert.deepEqual(sum, emptyTally);
});
