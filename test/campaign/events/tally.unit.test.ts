// The contribution of a recipient to the tally.

import assert from "node:assert/strict";
import test from "node:test";
import { ages } from "../../../src/campaign/events/ages.ts";
import { outcomeNames } from "../../../src/campaign/events/outcomes.ts";
import {
  applyEvent,
  opensKept,
  type Recipient,
  type RecipientEvent,
} from "../../../src/campaign/events/recipient.ts";
import {
  addContribution,
  type Counts,
  contribution,
  emptyTally,
  numbersOf,
  type Tally,
  tallyNames,
} from "../../../src/campaign/events/tally.ts";

const sentAt = Date.parse("2026-01-05T09:00:00Z");
const minuteMs = 60_000;

const tallyOfScores = (...scores: number[]): Tally => {
  const tally = emptyTally();
  for (const [index, score] of scores.entries()) {
    const surveys = { "enps s": { reaction: [score, 0, `${index}`] as [number, number, string] } };
    addContribution(tally, contribution({ surveys }, "people"), sentAt);
  }
  return tally;
};

test("counts scores of 9 and 10 as promoters, 0 to 6 as detractors, and other surveys as neither", () => {
  const tally = tallyOfScores(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  assert.deepEqual([tally.enpsPromoters, tally.enpsDetractors, tally.enpsReactions], [2, 7, 11]);
  const pulse = contribution({ surveys: { "pulse s": { reaction: [10, 0, ""] } } }, "people");
  assert.deepEqual([pulse.enpsPromoters, pulse.enpsDetractors], [0, 0]);
});

test("adds and subtracts every number", () => {
  const counts = Object.fromEntries(tallyNames.map((name, index) => [name, index + 1])) as unknown as Counts;
  const [openedAt, clickedAt] = [sentAt, sentAt + 20 * minuteMs];
  const added = { ...counts, openedAt, clickedAt, scannerOpens: [], outcomes: outcomeNames };
  const sum = emptyTally();
  addContribution(sum, added, sentAt);
  addContribution(sum, added, sentAt);
  const expected = {
    ...emptyTally(),
    ...Object.fromEntries(tallyNames.map((name, index) => [name, 2 * index + 2])),
    outcomes: Object.fromEntries(outcomeNames.map((name) => [name, 2])),
  };
  expected.opensByAge[0] = 2;
  expected.clicksByAge[1] = 2;
  assert.deepEqual(sum, expected);
  for (let times = 0; times < 2; times++) addContribution(sum, added, sentAt, -1);
  assert.deepEqual(sum, emptyTally({ outcomes: expected.outcomes }));
  assert.equal(numbersOf(sum).length, tallyNames.length + 2 * (ages.length + 1) + outcomeNames.length);
});

/** Applies events, each given as minutes after the sending and what happened. */
function recipientAfter(events: readonly (readonly [minutes: number, event: object])[]): Recipient {
  const recipient: Recipient = {};
  for (const [minutes, event] of events) {
    const all = { at: sentAt + minutes * minuteMs, isAhead: false, reason: "person", device: null, ...event };
    applyEvent(recipient, all as RecipientEvent);
  }
  return recipient;
}

const minutesOf = (at: number | undefined) => at !== undefined && (at - sentAt) / minuteMs;

test("takes the first open and click by people, whatever showed it", () => {
  const firsts = (...events: [number, object][]) => {
    const recipient = recipientAfter(events);
    return (["people", "all"] as const).map((traffic) => {
      const { openedAt, clickedAt } = contribution(recipient, traffic);
      return [minutesOf(openedAt), minutesOf(clickedAt)];
    });
  };
  const open = { type: "open" };
  const prefetch = { type: "open", reason: "apple_prefetch" };
  const click = { type: "click", link: 1 };
  const scan = { type: "click", link: 1, reason: "head_request" };
  assert.deepEqual(firsts([9, open], [5, open], [7, open]), [
    [5, false],
    [5, false],
  ]);
  assert.deepEqual(firsts([9, open], [2, prefetch]), [
    [9, false],
    [2, false],
  ]);
  assert.deepEqual(firsts([2, prefetch]), [
    [false, false],
    [2, false],
  ]);
  assert.deepEqual(firsts([9, open], [4, click], [1, scan]), [
    [4, 4],
    [1, 1],
  ]);
  assert.deepEqual(firsts([3, { type: "read", seconds: 5 }], [9, open]), [
    [3, false],
    [3, false],
  ]);
  const answer = { type: "survey", id: "", surveyId: "s", kind: "enps", reaction: 9 };
  assert.deepEqual(firsts([8, answer], [6, answer]), [
    [6, false],
    [6, false],
  ]);
  const many = Array.from({ length: opensKept + 5 }, (_, index): [number, object] => [50 - index, open]);
  assert.deepEqual(firsts(...many), [
    [26, false],
    [26, false],
  ]);
  assert.equal(contribution(recipientAfter(many), "people").totalOpens, opensKept + 5);
});

test("an age has what came up to it, and an event before the sending is at its start", () => {
  const spansOf = (age: number) => {
    const tally = emptyTally();
    const opened = contribution(recipientAfter([[age / minuteMs, { type: "open" }]]), "people");
    addContribution(tally, opened, sentAt);
    return tally.opensByAge.indexOf(1);
  };
  assert.equal(spansOf(-60 * minuteMs), 0);
  for (const [index, age] of ages.entries()) {
    assert.deepEqual([spansOf(age), spansOf(age + 1)], [index, index + 1]);
  }
});

test("a recipient of whom only a prefetch is known is unknown, unless a person or a click explains it", () => {
  const prefetch = [1, { type: "open", reason: "apple_prefetch" }] as const;
  const unknown = (...events: (readonly [number, object])[]) => {
    const recipient = recipientAfter([prefetch, ...events]);
    return (["people", "all"] as const).map((traffic) => contribution(recipient, traffic).unknownOpens);
  };
  assert.deepEqual(unknown(), [1, 0]);
  assert.deepEqual(unknown([2, { type: "open", reason: "gateway" }]), [1, 0]);
  for (const sign of [
    { type: "open" },
    { type: "read", seconds: 5 },
    { type: "click", link: 1 },
    { type: "click", link: 1, reason: "gateway" },
  ]) {
    assert.deepEqual(unknown([2, sign]), [0, 0]);
  }
  const scanner = recipientAfter([[1, { type: "open", reason: "gateway" }]]);
  assert.equal(contribution(scanner, "people").unknownOpens, 0);
});
