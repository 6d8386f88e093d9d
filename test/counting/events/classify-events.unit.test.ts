// What events carry: traffic, device and time, also of events that cannot be read.

import assert from "node:assert/strict";
import test from "node:test";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import type { IncomingEvent } from "../../../src/counting/events/incoming-event.ts";
import { click, open } from "../../support/events.ts";

const now = Date.UTC(2026, 5, 15, 12);

function classify(input: unknown, more: Partial<IncomingEvent> = {}) {
  const [classified] = classifyEvents([{ input, ...more }], now);
  if (!classified) throw new Error("no event");
  return classified;
}

test("gives an event more than five minutes ahead the time of its arrival", () => {
  const at = (time: string) => {
    const { event, isAhead } = classify(open(1, { at: time }));
    return [event?.at, isAhead];
  };
  assert.deepEqual(at("2026-06-15T12:05:00.000Z"), [now + 5 * 60_000, false]);
  assert.deepEqual(at("2026-06-15T12:05:00.001Z"), [now, true]);
});

test("adds the hash and the flood of a tracked message only to its own events", () => {
  const tracked = { recipientHash: "h", isFlood: true };
  const of = (more: Partial<IncomingEvent>) => {
    const { evidence, traffic } = classify(open(1), more);
    return [evidence.recipientHash, evidence.isFlood, traffic];
  };
  assert.deepEqual(of({ ...tracked, registration: 1 }), ["h", true, "flood"]);
  assert.deepEqual(of({ registration: 1 }), [undefined, undefined, "person"]);
  assert.deepEqual(of(tracked), [undefined, undefined, "person"]);
});

test("classifies an event that cannot be read by what can be read of it", () => {
  const { event, errors, reference, evidence, traffic, device } = classify({
    ...click(1, { at: "never", recipient: " Ann@Example.com ", ip: " 192.0.2.1", user_agent: " " }),
    ...{ device: "mobile", machine: "yes", hidden: true },
  });
  assert.deepEqual([event, errors.map(({ field }) => field), reference], [undefined, ["machine", "at"], 1]);
  assert.deepEqual([traffic, device], ["hidden_link", "mobile"]);
  assert.deepEqual(evidence, {
    ...{
      type: "click",
      recipient: "ann@example.com",
      ip: " 192.0.2.1",
      userAgent: undefined,
      device: "mobile",
    },
    ...{ isMachine: false, isHidden: true, isHead: false },
  });
  for (const input of [null, undefined, 5, "open", []]) {
    assert.deepEqual([classify(input).evidence.type, classify(input).evidence.recipient], ["open", ""]);
  }
});

test("keeps what was found out about an event at its arrival when it is replayed", () => {
  const classification = {
    ...({
      traffic: "gateway",
      device: "desktop",
      hashes: { recipient: "r", device: "d" },
      isAhead: true,
    } as const),
  };
  const replayed = { classification, receivedAt: 1, eventHash: "e" };
  const { traffic, device, isAhead, event } = classify(open(1, { at: "2026-06-15T23:00:00Z" }), { replayed });
  const expected = ["gateway", "desktop", true, Date.UTC(2026, 5, 15, 23)];
  assert.deepEqual([traffic, device, isAhead, event?.at], expected);
});
