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

/** In seconds. */
const scannerOpens = (recipient: Recipient) =>
  contribution(recipient, "people").scannerOpens.map(([at]) => at / 1_000);

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
      const found = scannerOpens(recipientAfter([seconds, open], ...sweep));
      assert.deepEqual(found, expected ? [seconds] : [], `${seconds}`);
    }
  }
  assert.deepEqual(scannerOpens(recipientAfter([0, open])), []);
  assert.deepEqual(scannerOpens(recipientAfter([0, scan])), []);
});

test("a person who opens, clicks, reads or answers beside a scanner is an opener from then on", () => {
  const answer = { type: "survey", id: "", surveyId: "s", kind: "enps", reaction: 9 };
  for (const [sign, openedAt] of [
    [[900, open], 900],
    [[900, click], 900],
    [[30, { type: "read", seconds: 5 }], 30],
    [[30, answer], 30],
  ] as const) {
    const recipient = recipientAfter([0, open], [0, scan], sign);
    const { uniqueOpens, totalOpens, openedAt: at } = contribution(recipient, "people");
    assert.deepEqual([scannerOpens(recipient), uniqueOpens, totalOpens, at], [[0], 1, 1, openedAt * 1_000]);
  }
  const prefetch = { ...open, reason: "apple_prefetch" };
  for (const automated of [prefetch, scan, { type: "read", seconds: 5, reason: "bot" }]) {
    const recipient = recipientAfter([0, open], [0, scan], [900, automated]);
    assert.equal(contribution(recipient, "people").uniqueOpens, 0);
  }
});

test("none of more opens than are stored with their times is the scanner's", () => {
  const opens = Array.from({ length: opensKept }, () => [1, open] as const);
  assert.equal(scannerOpens(recipientAfter([0, scan], ...opens)).length, opensKept);
  assert.deepEqual(scannerOpens(recipientAfter([0, scan], ...opens, [0, open])), []);
});

test("a click beside a hidden link is no sweep, because it may be a person's, but a quick burst is", () => {
  const hidden = [0, { ...click, reason: "hidden_link" }] as const;
  assert.deepEqual(scannerOpens(recipientAfter(hidden, [900, open], [905, click])), []);
  const clicksAt = (...seconds: number[]) =>
    seconds.map((second, index) => [second, { ...click, link: index + 1 }] as const);
  assert.deepEqual(scannerOpens(recipientAfter(hidden, [900, open], ...clicksAt(905, 906, 907))), [900]);
  assert.deepEqual(scannerOpens(recipientAfter(hidden, [900, open], ...clicksAt(905, 906, 907.001))), []);
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
  const { scannerOpens: opens } = contribution(recipient, "people");
  change.addScannerOpens(opens, 1);
  assert.deepEqual(change.hours.list(), [
    { quarter: 0, activity: "open", verdict: "person", count: -1 },
    { quarter: 0, activity: "open", verdict: "beside_scanner", count: 1 },
  ]);
  change.addScannerOpens(opens, -1);
  assert.deepEqual(change.hours.list(), []);
});
