// The limit on failed attempts.

import assert from "node:assert/strict";
import test from "node:test";
import { AttemptLimit, attemptLimits } from "../../../../src/http/web/frame/attempt-limit.ts";

function makeAttemptLimit(now = 1_000_000) {
  const clock = { now };
  const attemptLimit = new AttemptLimit(() => clock.now);
  /** Starts sign-ins, which are all allowed. */
  const allows = (count: number, email: string, ip: (attempt: number) => string, isKnown = false) => {
    for (let attempt = 0; attempt < count; attempt++) {
      const started = attemptLimit.startSignIn(email, ip(attempt), isKnown);
      assert.equal(typeof started, "object", `${email}, attempt ${attempt}`);
    }
  };
  return { clock, attemptLimit, allows };
}

const fromHome = () => "192.0.2.1";

test("doubles the wait from 5 seconds up to 15 minutes, and resets after 15 minutes without a failure", () => {
  const { clock, attemptLimit, allows } = makeAttemptLimit();
  allows(5, "ada", fromHome);
  const waits: number[] = [];
  for (let times = 0; times < 10; times++) {
    const wait = attemptLimit.startSignIn("ada", "192.0.2.1");
    assert.ok(typeof wait === "number");
    waits.push(wait / 1000);
    clock.now += wait;
    allows(1, "ada", fromHome);
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  clock.now += 900_000 + attemptLimits.windowMs + 1;
  allows(5, "ada", fromHome);
});

test("does not lock out the owner unless strangers fail from many networks", () => {
  const { attemptLimit } = makeAttemptLimit();
  for (let times = 0; times < 24; times++) {
    attemptLimit.startSignIn("ada", `192.0.2.${times >> 2}`);
    assert.equal(typeof attemptLimit.startSignIn("bob", `198.51.100.${times}`), "object");
  }
  const owner = attemptLimit.startSignIn("ada", "203.0.113.1");
  assert.ok(typeof owner === "object");
  owner.succeeded();
  for (let times = 0; times < 25; times++) attemptLimit.startSignIn("ada", `192.0.2.${times}`);
  assert.equal(attemptLimit.startSignIn("ada", "203.0.113.1"), 5_000);
});

test("counts attempts from known devices separately, and all of an account together", () => {
  const { attemptLimit, allows } = makeAttemptLimit();
  for (let times = 0; times < 30; times++) attemptLimit.startSignIn("ada", `192.0.2.${times}`);
  assert.equal(attemptLimit.startSignIn("ada", "203.0.113.1"), 5_000);
  allows(5, "ada", (times) => `203.0.113.${times}`, true);
  assert.equal(attemptLimit.startSignIn("ada", "203.0.113.9", true), 5_000);
  allows(1, "bob", () => "203.0.113.1", true);
});

test("counts attempts inside a session separately", () => {
  const { attemptLimit } = makeAttemptLimit();
  for (let times = 0; times < 30; times++) attemptLimit.startSignIn("ada", "192.0.2.1");
  for (let times = 0; times < 5; times++) assert.equal(typeof attemptLimit.startPasswordCheck("a"), "object");
  assert.equal(attemptLimit.startPasswordCheck("a"), 5_000);
  assert.equal(typeof attemptLimit.startPasswordCheck("b"), "object");
});

test("counts failures of a network across accounts", () => {
  const { attemptLimit, allows } = makeAttemptLimit();
  for (let times = 0; times < 20; times++) attemptLimit.startSignIn(`user${times}`, "2001:db8:1:2::1");
  assert.equal(attemptLimit.startSignIn("carol", "2001:db8:1:2:ffff::9"), 5_000, "the same /64");
  allows(1, "carol", () => "2001:db8:1:3::1");
});

test("clears the failures of the account, not of the network, after a success", () => {
  const { attemptLimit, allows } = makeAttemptLimit();
  for (let times = 0; times < 4; times++) attemptLimit.startSignIn("ada", "192.0.2.1");
  const last = attemptLimit.startSignIn("ada", "192.0.2.1");
  assert.ok(typeof last === "object");
  assert.equal(attemptLimit.startSignIn("ada", "192.0.2.1"), 5_000, "parallel attempts count");
  last.succeeded();
  for (let times = 4; times < 20; times++) allows(1, `user${times}`, fromHome);
  assert.equal(attemptLimit.startSignIn("bob", "192.0.2.1"), 5_000);
  allows(1, "ada", () => "192.0.2.2");
});

test("does not count an attempt that was undone", () => {
  const { attemptLimit } = makeAttemptLimit();
  for (let times = 0; times < 50; times++) {
    const attempt = attemptLimit.startSignIn("ada", "192.0.2.1");
    assert.ok(typeof attempt === "object");
    attempt.undo();
  }
});

test("evicts the oldest failures when attempts name too many accounts", () => {
  const { attemptLimit } = makeAttemptLimit();
  for (let times = 0; times < 4; times++) attemptLimit.startPasswordCheck("ada");
  for (let each = 0; each < attemptLimits.maxEntries; each++) attemptLimit.startPasswordCheck(`user${each}`);
  for (let times = 0; times < 5; times++) {
    assert.equal(typeof attemptLimit.startPasswordCheck("ada"), "object", "ada was evicted");
  }
  assert.equal(attemptLimit.startPasswordCheck("ada"), 5_000);
});
