// Why events are not counted.

import assert from "node:assert/strict";
import test from "node:test";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import {
  type EventCampaign,
  exclusionReason,
  toProblem,
} from "../../../src/counting/events/exclude-events.ts";
import { type IncomingEvent, trackedSender } from "../../../src/counting/events/incoming-event.ts";
import { problems } from "../../../src/counting/events/problems.ts";
import { open } from "../../support/events.ts";

const now = Date.UTC(2026, 5, 15, 12);
const counting = { ledgerId: 1 };

/** A campaign that was sent at 11:40 AM. Events are of 11:30 AM. */
const campaign = (stored: object = { counting }, ledger: object | undefined = {}, minute = 40) =>
  ({
    stored: { campaign: { sentAt: Date.UTC(2026, 5, 15, 11, minute) }, ...stored },
    ledger,
  }) as EventCampaign;

function reasonOf(input: unknown, found?: EventCampaign, more: Partial<IncomingEvent> = {}) {
  return classifyEvents([{ input, ...more }], now).map((classified) => exclusionReason(classified, found))[0];
}

test("counts events of a counted campaign up to ten minutes before it was sent", () => {
  assert.equal(reasonOf(open(1), campaign()), undefined);
  assert.equal(reasonOf(open(1), campaign(undefined, {}, 41)), "test_sending");
  assert.equal(reasonOf(open(1), campaign({ counting: undefined })), "reported_campaign");
  assert.equal(reasonOf(open(1, { at: "never" }), campaign()), "unreadable");
});

test("calls every event of a closed campaign closed, also if it cannot be read", () => {
  const closed = { ...campaign(), ledger: undefined };
  assert.deepEqual([reasonOf(open(1), closed), reasonOf({}, closed)], ["closed", "closed"]);
});

test("takes events of a campaign without names from its senders, tracked messages and commands only", () => {
  const stored = (trackingType: string) =>
    campaign({ counting: { ledgerId: 1, senders: { 3: "" } }, campaign: { trackingType, sentAt: 0 } });
  const reasons = (trackingType: string, input: unknown = open(1)) =>
    [3, 4, trackedSender, undefined].map((sender) => reasonOf(input, stored(trackingType), { sender }));
  const none = undefined;
  assert.deepEqual(reasons("Individual"), [none, none, none, none]);
  assert.deepEqual(reasons("Anonymous"), [none, "wrong_sender", none, none]);
  assert.deepEqual(reasons("Overall"), [none, "wrong_sender", none, none]);
  assert.deepEqual(reasons("Anonymous", open(1, { at: "never" })), [
    ...["unreadable", "wrong_sender", "unreadable", "unreadable"],
  ]);
});

test("tells events of a campaign that is not there yet from those of one that was deleted", () => {
  assert.equal(reasonOf(open(1)), "unknown_campaign");
  const reported = campaign({ registration: 2, counting: null });
  const counted = campaign({ registration: 2, counting });
  const closed = { ...counted, ledger: undefined };
  for (const [found, own] of [
    [undefined, "no_campaign"],
    [reported, "reported_campaign"],
    [counted, undefined],
    [closed, "closed"],
  ] as const) {
    assert.equal(reasonOf(open(1), found, { registration: 2 }), found ? own : "no_campaign");
    // The campaign has the id of the one that its message was made for, which was deleted.
    assert.equal(reasonOf(open(1), found, { registration: 3 }), "no_campaign");
  }
});

test("ignores events without a campaign, unless the quarantine may have dropped it", () => {
  const replayed = {
    classification: {
      traffic: "person",
      device: null,
      hashes: { recipient: "r", device: "d" },
      isAhead: false,
    },
    ...{ receivedAt: 1, eventHash: "e" },
  } as const;
  for (const campaign_id of [undefined, null]) {
    assert.equal(reasonOf(open(1, { campaign_id })), "no_campaign");
    assert.equal(reasonOf(open(1, { campaign_id }), undefined, { replayed }), "unreadable");
  }
  for (const input of [open(1, { campaign_id: {} }), null, [], "text", undefined]) {
    assert.equal(reasonOf(input), "unreadable");
  }
});

test("tells the sender the meaning of the reason, or which fields are wrong", () => {
  const problemOf = (incoming: IncomingEvent, reason: keyof typeof problems) =>
    classifyEvents([incoming], now).map((classified) => toProblem(classified, reason).message)[0];
  const expected = "The campaign is closed. Its numbers no longer change.";
  assert.equal(problemOf({ input: open(1) }, "closed"), expected);
  assert.equal(problemOf({ input: undefined, unreadable: "is not JSON" }, "unreadable"), "is not JSON");
  assert.match(problemOf({ input: open(1, { at: "never" }) }, "unreadable") ?? "", /^at: "never" is not /);
  assert.match(problems.test_sending.meaning, /^The event is more than 10 minutes earlier than /);
  assert.match(problems.time_ahead.meaning, /^The time is more than 5 minutes in the future\./);
});

test("quarantines exactly the events that may be counted later", () => {
  const quarantined = Object.entries(problems).filter(([, { isQuarantined }]) => isQuarantined);
  const expected = ["unknown_campaign", "reported_campaign", "test_sending", "unreadable", "wrong_sender"];
  const seen = quarantined.map(([reason]) => reason);
  assert.deepEqual(seen, expected);
});
