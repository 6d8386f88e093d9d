// Verdicts on the clicks of a recipient.

import assert from "node:assert/strict";
import test from "node:test";
import { clickActivity } from "../../../src/campaign/events/activity.ts";
import { classifyClicks, isHumanClick } from "../../../src/campaign/events/click-verdicts.ts";
import { applyEvent, type Click, type Recipient } from "../../../src/campaign/events/recipient.ts";
import { contribution } from "../../../src/campaign/events/tally.ts";
import type { TrafficReason } from "../../../src/campaign/events/traffic.ts";
import { Random } from "../../support/histories.ts";

test("classifies a click by its own reason, then the hidden link, then a burst", () => {
  const far = 60_000;
  const clicks: Click[] = [
    [0, 1, "person"],
    [1, 2, "bot"],
    [2, 3, "google_proxy"],
    [far, 1, "person"],
  ];
  assert.deepEqual(classifyClicks({ clicks }), ["burst", "bot", "burst", "person"]);
  assert.deepEqual(classifyClicks({ clicks: [...clicks, [far + 1, 4, "hidden_link"]] }), [
    "beside_hidden_link",
    "bot",
    "beside_hidden_link",
    "beside_hidden_link",
    "hidden_link",
  ]);
  assert.deepEqual(classifyClicks({ clicks: [[0, 1, "person"]], moreClicks: { hidden_link: 1 } }), [
    "beside_hidden_link",
  ]);
  assert.deepEqual(classifyClicks({}), []);
});

test("classifies as human exactly the clicks that the tally counts as human", () => {
  const random = new Random(7);
  for (let round = 0; round < 2_000; round++) {
    const recipient: Recipient = {};
    for (let count = random.between(0, 12); count > 0; count--) {
      const reason = random.pick<TrafficReason>([...Array(12).fill("person"), "bot", "hidden_link"]);
      const at = random.between(0, 20) * 5_000;
      applyEvent(recipient, { type: "click", at, isAhead: false, reason, link: random.between(1, 4) });
    }
    const classified = clickActivity(recipient);
    const people = classified.filter(({ verdict }) => isHumanClick(verdict)).length;
    assert.equal(people, contribution(recipient, "people").totalClicks);
    assert.equal(classified.length, contribution(recipient, "all").totalClicks);
  }
});
