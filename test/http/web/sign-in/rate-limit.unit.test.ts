// The rate limit of sign-in.

import assert from "node:assert/strict";
import test from "node:test";
import { rateLimits, SignInRateLimit } from "../../../../src/http/web/sign-in/rate-limit.ts";
import { waitText } from "../../../../src/http/web/ui/wait-text.ts";

function makeRateLimit(now = 1_000_000) {
  const clock = { now };
  return { clock, rateLimit: new SignInRateLimit(() => clock.now) };
}

test("doubles the wait from 5 seconds up to 15 minutes, and resets after 15 minutes without a failure", () => {
  const { clock, rateLimit } = makeRateLimit();
  for (let times = 0; times < 5; times++)
    assert.equal(typeof rateLimit.startAttempt("ada", "192.0.2.1"), "object");
  const waits: number[] = [];
  for (let times = 0; times < 10; times++) {
    const wait = rateLimit.startAttempt("ada", "192.0.2.1");
    assert.ok(typeof wait === "number");
    waits.push(wait / 1000);
    clock.now += wait;
    assert.equal(typeof rateLimit.startAttempt("ada", "192.0.2.1"), "object", "allowed after the wait");
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  clock.now += 900_000 + rateLimits.windowMs + 1;
  for (let times = 0; times < 5; times++)
    assert.equal(typeof rateLimit.startAttempt("ada", "192.0.2.1"), "object");
});

test("does not lock out the owner unless strangers fail from many networks", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 24; times++) {
    rateLimit.startAttempt("ada", `192.0.2.${times >> 2}`);
    assert.equal(typeof rateLimit.startAttempt("bob", `198.51.100.${times}`), "object");
  }
  const owner = rateLimit.startAttempt("ada", "203.0.113.1");
  assert.ok(typeof owner === "object");
  owner.succeeded();
  for (let times = 0; times < 25; times++) rateLimit.startAttempt("ada", `192.0.2.${times}`);
  assert.equal(rateLimit.startAttempt("ada", "203.0.113.1"), 5_000);
});

test("counts attempts from a known device separately", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 30; times++) rateLimit.startAttempt("ada", `192.0.2.${times}`);
  assert.equal(rateLimit.startAttempt("ada", "203.0.113.1"), 5_000);
  for (let times = 0; times < 5; times++) {
    assert.equal(typeof rateLimit.startAttempt("ada", "203.0.113.1", "a device"), "object");
  }
  assert.equal(rateLimit.startAttempt("ada", "203.0.113.1", "a device"), 5_000);
  assert.equal(typeof rateLimit.startAttempt("ada", "203.0.113.1", "another"), "object");
});

test("counts attempts inside a session separately", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 30; times++) rateLimit.startAttempt("ada", "192.0.2.1");
  for (let times = 0; times < 5; times++) assert.equal(typeof rateLimit.startSessionAttempt("a"), "object");
  assert.equal(rateLimit.startSessionAttempt("a"), 5_000);
  assert.equal(typeof rateLimit.startSessionAttempt("b"), "object");
});

test("counts failures of a network across accounts", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 20; times++) rateLimit.startAttempt(`user${times}`, "2001:db8:1:2::1");
  assert.equal(rateLimit.startAttempt("carol", "2001:db8:1:2:ffff::9"), 5_000, "the same /64");
  assert.equal(typeof rateLimit.startAttempt("carol", "2001:db8:1:3::1"), "object");
});

test("clears the failures of the account, not of the network, after a success", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 4; times++) rateLimit.startAttempt("ada", "192.0.2.1");
  const last = rateLimit.startAttempt("ada", "192.0.2.1");
  assert.ok(typeof last === "object");
  assert.equal(rateLimit.startAttempt("ada", "192.0.2.1"), 5_000, "parallel attempts count");
  last.succeeded();
  for (let times = 4; times < 20; times++) {
    assert.equal(
      typeof rateLimit.startAttempt(`user${times}`, "192.0.2.1"),
      "object",
      `failure ${times + 1} of the network`,
    );
  }
  assert.equal(rateLimit.startAttempt("bob", "192.0.2.1"), 5_000);
  assert.equal(typeof rateLimit.startAttempt("ada", "192.0.2.2"), "object");
});

test("does not count an attempt that was undone", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 50; times++) {
    const attempt = rateLimit.startAttempt("ada", "192.0.2.1");
    assert.ok(typeof attempt === "object");
    attempt.undo();
  }
});

test("evicts the oldest failures when attempts name too many accounts", () => {
  const { rateLimit } = makeRateLimit();
  for (let times = 0; times < 4; times++) rateLimit.startSessionAttempt("ada");
  for (let each = 0; each < rateLimits.maxEntries; each++) rateLimit.startSessionAttempt(`user${each}`);
  for (let times = 0; times < 5; times++) {
    assert.equal(typeof rateLimit.startSessionAttempt("ada"), "object", "ada was evicted");
  }
  assert.equal(rateLimit.startSessionAttempt("ada"), 5_000);
});

test("formats a wait as text and rounds up", () => {
  const shown = [1, 1_000, 1_001, 89_000, 90_000, 900_000].map(waitText);
  assert.deepEqual(shown, [
    "in 1 second",
    "in 1 second",
    "in 2 seconds",
    "in 89 seconds",
    "in 2 minutes",
    "in 15 minutes",
  ]);
});
