// When a source counts as silent.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { detectSilence, findMissedSource } from "../../../src/campaign/events/silence.ts";

const now = 1_800_000_000_000;
const hour = hourMs;
const day = 24 * hour;

/** With the last event and the last campaign this long ago. */
const silence = (eventMs: number | undefined, sentMs: number | undefined) =>
  detectSilence({
    lastEventAt: eventMs === undefined ? undefined : now - eventMs,
    lastSentAt: sentMs === undefined ? undefined : now - sentMs,
    now,
  });

test("does not report a source that has never sent events", () => {
  assert.equal(silence(undefined, undefined), undefined);
  assert.equal(silence(undefined, 2 * day), undefined);
});

test("reports a source after seven days without events when no campaign was sent since", () => {
  assert.equal(silence(7 * day, undefined), undefined);
  assert.equal(silence(7 * day + 1, undefined), "for_long");
  assert.equal(silence(7 * day, 8 * day), undefined);
  // A campaign sent at the instant of the event was not sent after it.
  assert.equal(silence(3 * day, 3 * day), undefined);
});

test("reports a source after one day without events when a campaign was sent since", () => {
  assert.equal(silence(day, 12 * hour), undefined);
  assert.equal(silence(day + 1, 12 * hour), "after_campaign");
  assert.equal(silence(day + 1, day), "after_campaign");
  assert.equal(silence(8 * day, 12 * hour), "after_campaign");
});

test("gives readers of a campaign one hour before it misses their events", () => {
  assert.equal(silence(2 * day, hour), "after_campaign");
  assert.equal(silence(2 * day, hour - 1), undefined);
  assert.equal(silence(2 * day, -hour), undefined);
  assert.equal(silence(8 * day, hour - 1), "for_long");
});

test("does not report silence when the last event is in the future", () => {
  assert.equal(silence(-hour, 2 * day), undefined);
});

test("a campaign misses the events of its silent source, or of any if it has none, in its first week", () => {
  const silent = [{ id: "a", provider: "resend", lastEventAt: now - 3 * day }];
  /** Sent so many days ago. */
  const missed = (days: number, sourceId: string | null, { hasEvents = true, closed = 0 } = {}) => {
    const closedAt = closed === 0 ? null : now - closed * day;
    const campaign = { sentAt: now - days * day, closedAt, sourceId, hasEvents };
    return findMissedSource(campaign, silent, now)?.id;
  };
  assert.equal(missed(5, "a"), "a");
  assert.equal(missed(1, "a"), "a");
  assert.deepEqual([missed(5, "b"), missed(5, null)], [undefined, undefined], "events come another way");
  assert.deepEqual([missed(9.9, "a"), missed(10, "a")], ["a", undefined], "a week");
  assert.deepEqual(
    [missed(5, "a", { closed: 2 }), missed(5, "a", { closed: 3 })],
    ["a", undefined],
    "closed",
  );
  const none = { hasEvents: false };
  assert.deepEqual([missed(2, null, none), missed(3, null, none)], ["a", undefined], "no event at all");
  assert.deepEqual([missed(1 / 24, null, none), missed(0.9 / 24, null, none)], ["a", undefined], "an hour");
});
