// The contribution of a recipient to the tally.

import assert from "node:assert/strict";
import test from "node:test";
import { addTally, contribution, emptyTally, type Tally } from "../../../src/campaign/events/tally.ts";

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
