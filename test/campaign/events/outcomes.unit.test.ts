// The class of a recipient by the outcomes of its message, and which reports say them.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  addReports,
  countedOutcomes,
  type MessageOutcome,
  outcomeNames,
  outcomeOf,
} from "../../../src/campaign/events/outcomes.ts";
import { applyEvent, hasEvents, type Recipient } from "../../../src/campaign/events/recipient.ts";

type Said = readonly [outcome: MessageOutcome, at: number];

function outcomesAfter(said: readonly Said[]): MessageOutcome[] {
  const recipient: Recipient = {};
  for (const [outcome, at] of said) applyEvent(recipient, { type: "outcome", outcome, at, isAhead: false });
  assert.equal(hasEvents(recipient), false);
  return countedOutcomes(recipient.outcomes ?? {});
}

const cases: Record<string, [said: Said[], counted: MessageOutcome[]]> = {
  "delivered counts as delivered": [[["delivered", 9]], ["delivered"]],
  "a hard bounce after a delivery counts as hard": [
    [
      ["delivered", 900],
      ["bounced_hard", 905],
    ],
    ["bounced_hard"],
  ],
  "a delivery after a soft bounce counts as delivered": [
    [
      ["bounced_soft", 9],
      ["delivered", 10],
    ],
    ["delivered"],
  ],
  "an automatic reply after a delivery leaves it delivered": [
    [
      ["delivered", 9],
      ["bounced_soft", 10],
    ],
    ["delivered"],
  ],
  "three soft bounces are one": [
    [
      ["bounced_soft", 1],
      ["bounced_soft", 2],
      ["bounced_soft", 3],
    ],
    ["bounced_soft"],
  ],
  "a hard bounce after a soft one counts as hard": [
    [
      ["bounced_soft", 1],
      ["bounced_hard", 2],
    ],
    ["bounced_hard"],
  ],
  "a delivery a day after a hard bounce counts as delivered": [
    [
      ["bounced_hard", 1],
      ["delivered", 86_400_001],
    ],
    ["delivered"],
  ],
  "a hard bounce at the instant of a delivery counts as hard": [
    [
      ["bounced_hard", 5],
      ["delivered", 5],
    ],
    ["bounced_hard"],
  ],
  "suppressed is no bounce": [[["suppressed", 1]], ["suppressed"]],
  "suppressed after a hard bounce stays hard": [
    [
      ["bounced_hard", 1],
      ["suppressed", 2],
    ],
    ["bounced_hard"],
  ],
  "a delivery after a suppression counts as delivered": [
    [
      ["suppressed", 1],
      ["delivered", 2],
    ],
    ["delivered"],
  ],
  "two complaints are one, beside the delivery": [
    [
      ["delivered", 1],
      ["complained", 2],
      ["complained", 3],
    ],
    ["delivered", "complained"],
  ],
  "an unsubscription stays when the message comes back": [
    [
      ["delivered", 1],
      ["unsubscribed", 2],
      ["bounced_hard", 3],
    ],
    ["bounced_hard", "unsubscribed"],
  ],
};

for (const [title, [said, counted]] of Object.entries(cases)) {
  test(`${title}, in any order`, () => {
    assert.deepEqual(outcomesAfter(said), counted);
    assert.deepEqual(outcomesAfter(said.toReversed()), counted);
  });
}

test("does not depend on order and repetition, and gives each recipient one class at most", () => {
  const anySaid = fc.array(fc.tuple(fc.constantFrom(...outcomeNames), fc.nat(5)), { maxLength: 8 });
  fc.assert(
    fc.property(anySaid, fc.infiniteStream(fc.nat()), (said, order) => {
      const counted = outcomesAfter(said);
      const keyed = [...said, ...said].map((each) => [order.next().value, each] as const);
      const shuffled = keyed.sort(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each);
      assert.deepEqual(outcomesAfter(shuffled), counted);
      const isClass = (name: string) => /^(delivered|bounced_hard|bounced_soft|suppressed)$/.test(name);
      const classes = counted.filter(isClass);
      const hasClass = said.some(([name]) => isClass(name));
      assert.equal(classes.length, hasClass ? 1 : 0);
      const without = said.filter(([name]) => name !== "bounced_soft" && name !== "suppressed");
      const strong = (names: MessageOutcome[]) =>
        names.filter((n) => n === "delivered" || n === "bounced_hard");
      assert.deepEqual(strong(outcomesAfter(without)), strong(counted), "soft and suppressed change neither");
    }),
  );
});

test("finds the outcome of a report, and makes the counts of reports known", () => {
  assert.equal(outcomeOf("bounce", "soft"), "bounced_soft");
  assert.equal(outcomeOf("complaint", undefined), "complained");
  const counts = { bounced_hard: 2 };
  addReports(counts, ["bounce", "complaint"]);
  assert.deepEqual(counts, { bounced_hard: 2, bounced_soft: 0, suppressed: 0, complained: 0 });
});
