// How a batch of events changes the activity of a campaign.

import assert from "node:assert/strict";
import test from "node:test";
import { ActivityChange } from "../../../src/campaign/events/activity-change.ts";
import { linkNumber, linkRow } from "../../../src/campaign/events/link-number.ts";
import { applyEvent, clicksKept, type Recipient } from "../../../src/campaign/events/recipient.ts";

/** The number of a link, and its row. */
const link = (number: number) => linkNumber(String(number), "0");

const row = (number: number) => linkRow(link(number));

test("subtracts human clicks when a later click turns them into a burst", () => {
  const recipient: Recipient = {
    clicks: [
      [0, link(1), "person"],
      [1, link(2), "person"],
    ],
  };
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  applyEvent(recipient, { type: "click", at: 2, isAhead: false, reason: "person", link: link(3) });
  change.addLink(link(3), "https://example.com/3");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours.list(), [
    { quarter: 0, activity: "click", verdict: "person", count: -2 },
    { quarter: 0, activity: "click", verdict: "burst", count: 3 },
  ]);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: row(1), url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: row(2), url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: row(3), url: "https://example.com/3", people: 0, all: 1 },
  ]);
});

test("adds the link but no hour when a click is beyond the stored ones", () => {
  const recipient: Recipient = {};
  for (let at = 0; at < clicksKept; at++) {
    applyEvent(recipient, {
      type: "click",
      at: at * 60_000,
      isAhead: false,
      reason: "person",
      link: link(1),
    });
  }
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  applyEvent(recipient, { type: "click", at: 1e12, isAhead: false, reason: "person", link: link(2) });
  change.addLink(link(2), "https://example.com/2");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours.list(), []);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: row(2), url: "https://example.com/2", people: 0, all: 0 },
  ]);
});

test("ignores all events but opens when it adds opens", () => {
  const change = new ActivityChange(1);
  const base = { at: 5, isAhead: false, reason: "person" } as const;
  change.addOpen({ ...base, type: "open", device: null });
  change.addOpen({ ...base, type: "read", seconds: 4 });
  change.addOpen({ ...base, type: "click", link: 1 });
  assert.deepEqual(change.hours.list(), [{ quarter: 0, activity: "open", verdict: "person", count: 1 }]);
});
