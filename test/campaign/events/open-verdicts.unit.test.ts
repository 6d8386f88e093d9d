// Opens that the clicks of a recipient reveal as a scanner's.

import assert from "node:assert/strict";
import test from "node:test";
import { ActivityChange } from "../../../src/campaign/events/activity-change.ts";
import {
  applyEvent,
  opensKept,
  type Recipient,
  type RecipientEvent,
} from "../../../src/campaign/events/recipient.ts";
import { contribution } from "../../../src/campaign/events/tally.ts";

/** Applies events, each given in seconds after the sweep. */
function recipientAfter(...events: readonly (readonly [seconds: number, event: object])[]): Recipient {
  const recipient: Recipient = {};
  for (const [seconds, event] of events) {
    const all = { at: seconds * 1_000, isAhead: false, reason: "person", device: "desktop", ...event };
    applyEvent(recipient, all as RecipientEvent);
  }
  return recipient;
}

const isBesideScanner = (recipient: Recipient) => contribution(recipient, "people").isBesideScanner;

const open = { type: "open" };
const click = { type: "click", link: 1 };
const scan = { ...click, reason: "gateway" };
const burst = [1, 2, 3].map((link) => [0, { ...click, link }] as const);

test("an open up to 120 s before or 60 s after automated clicks is the scanner's", () => {
  for (const [seconds, expected] of [
    [-120.001, false],
    [-120, true],
    [0, true],
    [60, true],
    [60.001, false],
  ] as const) {
    for (const sweep of [burst, [[0, scan] as const], [[0, { ...click, reason: "hidden_link" }] as const]]) {
      assert.equal(isBesideScanner(recipientAfter([seconds, open], ...sweep)), expected, `${seconds}`);
    }
  }
  assert.equal(isBesideScanner(recipientAfter([0, open])), false);
  assert.equal(isBesideScanner(recipientAfter([0, scan])), false);
});

test("any sign of a person keeps all opens human", () => {
  const answer = { type: "survey", id: "", surveyId: "s", kind: "enps", reaction: 9 };
  const read = { type: "read", seconds: 5 };
  const many = Array.from({ length: opensKept }, () => [1, open] as const);
  for (const sign of [[[900, open]], [[900, click]], [[0, read]], [[0, answer]], many] as const) {
    assert.equal(isBesideScanner(recipientAfter([0, open], [0, scan], ...sign)), false);
  }
  const prefetch = { ...open, reason: "apple_prefetch" };
  for (const automated of [
    [[900, prefetch]],
    [[900, scan]],
    [[0, { ...read, reason: "bot" }]],
    many.slice(1),
  ] as const) {
    assert.equal(isBesideScanner(recipientAfter([0, open], [0, scan], ...automated)), true);
  }
});

test("a click beside a hidden link is no sweep, because it may be a person's", () => {
  const hidden = [0, { ...click, reason: "hidden_link" }] as const;
  assert.equal(isBesideScanner(recipientAfter(hidden, [900, open], [905, click])), false);
});

test("only all activity counts the opens of a scanner, with their time and device", () => {
  const recipient = recipientAfter([-9, open], ...burst);
  const { people, all } = { people: contribution(recipient, "people"), all: contribution(recipient, "all") };
  assert.deepEqual([people.uniqueOpens, people.desktopOpens, people.openedAt], [0, 0, undefined]);
  assert.deepEqual([all.uniqueOpens, all.desktopOpens, all.openedAt], [1, 1, -9_000]);
});

test("moves opens to the scanner's verdict, and back", () => {
  const recipient = recipientAfter([0, open], [0, scan]);
  const change = new ActivityChange(1);
  change.addScannerOpens(recipient, 1);
  assert.deepEqual(change.hours.list(), [
    { quarter: 0, activity: "open", verdict: "person", count: -1 },
    { quarter: 0, activity: "open", verdict: "beside_scanner", count: 1 },
  ]);
  change.addScannerOpens(recipient, -1);
  assert.deepEqual(change.hours.list(), []);
});
