// Verdicts and quarter hours of activity.

import assert from "node:assert/strict";
import test from "node:test";
import { describeVerdict, startOfQuarter, verdictMeanings } from "../../../src/campaign/events/activity.ts";
import { isHuman, type TrafficReason, trafficReasons } from "../../../src/campaign/events/traffic.ts";

test("gives each traffic reason a titled verdict, which is human exactly when the reason is", () => {
  for (const reason of Object.keys(trafficReasons) as TrafficReason[]) {
    assert.equal(verdictMeanings[reason].isHuman, isHuman(reason), reason);
    assert.notEqual(verdictMeanings[reason].title, "", reason);
  }
  assert.deepEqual(
    (["burst", "beside_hidden_link", "beside_scanner"] as const).map((name) => verdictMeanings[name].isHuman),
    [false, false, false],
  );
  assert.equal(Object.keys(verdictMeanings).length, Object.keys(trafficReasons).length + 3);
});

test("describes an unknown verdict as not human", () => {
  for (const name of ["of_the_future", "__proto__", "constructor"]) {
    assert.deepEqual(describeVerdict(name), { title: name, meaning: "", isHuman: false });
  }
});

test("finds the start of a quarter hour, even before 1970", () => {
  assert.equal(startOfQuarter(Date.UTC(2026, 5, 15, 12, 59, 59, 999)), Date.UTC(2026, 5, 15, 12, 45));
  assert.equal(startOfQuarter(Date.UTC(2026, 5, 15, 12)), Date.UTC(2026, 5, 15, 12));
  assert.equal(startOfQuarter(-1), -900_000);
});
