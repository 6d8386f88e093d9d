// Recipients whose nature is proven, and what the filter calls them without the proof.

import assert from "node:assert/strict";
import test from "node:test";
import { applyEvent, type Recipient, type RecipientEvent } from "../../../src/campaign/events/recipient.ts";
import { contribution } from "../../../src/campaign/events/tally.ts";
import type { TrafficFilter } from "../../../src/campaign/events/traffic.ts";

const sentAt = Date.parse("2026-01-05T09:00:00Z");
const minuteMs = 60_000;

type Happening = readonly [minutes: number, event: object];

function recipientAfter(happenings: readonly Happening[]): Recipient {
  const recipient: Recipient = {};
  for (const [minutes, event] of happenings) {
    const all = { at: sentAt + minutes * minuteMs, isAhead: false, reason: "person", device: null, ...event };
    applyEvent(recipient, all as RecipientEvent);
  }
  return recipient;
}

/** The four counts of proofs. */
function proofsOf(happenings: readonly Happening[], traffic: TrafficFilter = "people"): number[] {
  const counts = contribution(recipientAfter(happenings), traffic);
  return [counts.provenPeople, counts.peopleCalledMachines, counts.provenMachines, counts.machinesCaught];
}

const answer: Happening = [30, { type: "survey", id: "a", surveyId: "s", kind: "enps", reaction: 9 }];
const comment: Happening = [30, { type: "survey", id: "a", surveyId: "s", kind: "pulse", comment: "Good" }];
const open: Happening = [5, { type: "open" }];
const prefetch: Happening = [1, { type: "open", reason: "apple_prefetch" }];
const read: Happening = [6, { type: "read", seconds: 5 }];
const click: Happening = [7, { type: "click", link: 1 }];
const scan: Happening = [2, { type: "click", link: 1, reason: "gateway" }];
const hidden: Happening = [2, { type: "click", link: 9, reason: "hidden_link" }];
const burst = [1, 2, 3].map((link): Happening => [2, { type: "click", link }]);

test("a recipient with a survey answer is a person, called a machine if only the answer shows it", () => {
  for (const proof of [answer, comment]) {
    assert.deepEqual(proofsOf([open, proof]), [1, 0, 0, 0]);
    assert.deepEqual(proofsOf([click, proof]), [1, 0, 0, 0]);
    assert.deepEqual(proofsOf([scan, proof]), [1, 1, 0, 0]);
    assert.deepEqual(proofsOf([...burst, proof]), [1, 1, 0, 0]);
    assert.deepEqual(proofsOf([[1, { type: "open", reason: "bot" }], proof]), [1, 1, 0, 0]);
  }
  // The answer no longer saves the open from the sweep beside it. A read does.
  assert.deepEqual(proofsOf([[1.5, { type: "open" }], scan, answer]), [1, 1, 0, 0]);
  assert.deepEqual(proofsOf([[1.5, { type: "open" }], scan, read, answer]), [1, 0, 0, 0]);
});

test("a person without traffic to judge, or with a prefetch only, measures nothing", () => {
  assert.deepEqual(proofsOf([answer]), [0, 0, 0, 0]);
  assert.deepEqual(proofsOf([read, answer]), [0, 0, 0, 0]);
  assert.deepEqual(proofsOf([prefetch, answer]), [0, 0, 0, 0]);
  assert.deepEqual(proofsOf([prefetch, scan, answer]), [1, 1, 0, 0]);
  assert.deepEqual(proofsOf([prefetch, open, answer]), [1, 0, 0, 0]);
  assert.deepEqual(proofsOf([open, click]), [0, 0, 0, 0]);
});

test("a recipient with a click on the hidden link is a machine, caught if its other clicks show it", () => {
  assert.deepEqual(proofsOf([hidden]), [0, 0, 0, 0]);
  assert.deepEqual(proofsOf([hidden, open]), [0, 0, 0, 0]);
  assert.deepEqual(proofsOf([hidden, click]), [0, 0, 1, 0]);
  assert.deepEqual(proofsOf([hidden, scan]), [0, 0, 1, 1]);
  assert.deepEqual(proofsOf([hidden, ...burst]), [0, 0, 1, 1]);
  assert.deepEqual(proofsOf([hidden, ...burst, click]), [0, 0, 1, 0]);
  // The hidden link itself does not make two other clicks a burst.
  assert.deepEqual(proofsOf([hidden, ...burst.slice(1)]), [0, 0, 1, 0]);
});

test("a recipient can be a person and a machine, and all traffic has no proofs", () => {
  assert.deepEqual(proofsOf([hidden, ...burst, answer]), [1, 1, 1, 1]);
  assert.deepEqual(proofsOf([hidden, ...burst, answer], "all"), [0, 0, 0, 0]);
});

test("clicks beyond the stored ones prove a machine and are not judged", () => {
  const many = Array.from({ length: 1_000 }, (_, index): Happening => [index, { type: "click", link: 1 }]);
  const expected = [0, 0, 1, 0];
  assert.deepEqual(proofsOf([...many, [2_000, { type: "click", link: 9, reason: "hidden_link" }]]), expected);
  const few = Array.from({ length: 1_000 }, (_, index): Happening => [index, { ...hidden[1] }]);
  assert.deepEqual(proofsOf([...few, [2_000, { type: "click", link: 1 }]]), [0, 0, 0, 0]);
});
