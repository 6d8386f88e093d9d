// Whether the stored state of a recipient is one that the program writes.

import assert from "node:assert/strict";
import test from "node:test";
import { isRecipient } from "../../../src/campaign/events/check-recipient.ts";

/** Every property of a state. */
const whole = {
  opens: [
    [1, "person desktop"],
    [2, "google_proxy unknown"],
  ],
  moreOpens: { "person mobile": 3 },
  firstReadAt: 5,
  firstAutomatedAt: -5,
  clicks: [[1, 0, "person"]],
  moreClicks: { person: 0 },
  readings: { "person glanced": 1, "person unmeasured": 2 },
  surveys: {
    "enps s-1": { reaction: [9, 1, "e"], comment: ["Fine", 1, "e"] },
    "pulse s-2": { reaction: ["yes", 1, "e"] },
  },
  ahead: 1,
  groups: { 1: 5 },
  listed: 1,
};

test("accepts a state with any of its properties", () => {
  assert.equal(isRecipient(whole), true);
  assert.equal(isRecipient({}), true);
  for (const [name, value] of Object.entries(whole)) assert.equal(isRecipient({ [name]: value }), true, name);
});

test("rejects a state with a property that it does not have, or a value of another kind", () => {
  const damaged: Record<string, unknown[]> = {
    unknown: [1],
    toString: [1],
    opens: [
      ...[null, {}, [[1]], [[1, "person"]], [[1, "person desktop more"]], [[1, "nothing desktop"]]],
      [[1, "person nothing"]],
      [["1", "person desktop"]],
      [[1, "person desktop", 3]],
      [[1.5, "person desktop"]],
    ],
    moreOpens: [
      [],
      null,
      { "person mobile": -1 },
      { "person mobile": "1" },
      { mobile: 1 },
      { "person mobile": 0.5 },
    ],
    firstReadAt: ["1", null, 1.5],
    firstAutomatedAt: [true],
    clicks: [[[1, -1, "person"]], [[1, 0, "nothing"]], [["1", 0, "person"]], {}],
    moreClicks: [{ nothing: 1 }, { person: -1 }],
    readings: [{ "person desktop": 1 }, { glanced: 1 }],
    surveys: [
      ...[[], null, { "enps s-1": [] }, { "enps s-1": null }, { s: {} }, { "enps s-1": { score: 1 } }],
      { enps: {} },
      { "enps s-1": { reaction: [null, 1, "e"] } },
      { "enps s-1": { comment: [1, 1, "e"] } },
      ...[{ "enps s-1": { reaction: [9, 1] } }, { "enps s-1": { comment: ["Fine", 1, 2] } }],
    ],
    ahead: [-1, "1"],
    groups: [{ one: 1 }, { 1: -1 }, { 1: "5" }],
    listed: [0, true, 2],
  };
  for (const [name, values] of Object.entries(damaged)) {
    for (const value of values) {
      assert.equal(isRecipient({ ...whole, [name]: value }), false, `${name}: ${JSON.stringify(value)}`);
    }
  }
  for (const state of [null, [], "{}", 1, undefined]) assert.equal(isRecipient(state), false, String(state));
});
