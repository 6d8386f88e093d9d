// Slowing down those who guess passwords.

import assert from "node:assert/strict";
import test from "node:test";
import { networkOf, SignInRateLimit, throttling } from "../../../../src/http/web/sign-in/rate-limit.ts";
import { waitText } from "../../../../src/http/web/ui/wait-text.ts";

function throttleAt(now = 1_000_000) {
  const clock = { now };
  return { clock, throttle: new SignInRateLimit(() => clock.now) };
}

test("waits double from 5 seconds up to 15 minutes, and are forgotten after a quiet quarter of an hour", () => {
  const { clock, throttle } = throttleAt();
  for (let times = 0; times < 5; times++) assert.equal(typeof throttle.begin("ada", "192.0.2.1"), "object");
  const waits: number[] = [];
  for (let times = 0; times < 10; times++) {
    const wait = throttle.begin("ada", "192.0.2.1");
    assert.ok(typeof wait === "number");
    waits.push(wait / 1000);
    clock.now += wait;
    assert.equal(typeof throttle.begin("ada", "192.0.2.1"), "object", "after the wait it is possible");
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  clock.now += 900_000 + throttling.windowMs + 1;
  for (let times = 0; times < 5; times++) assert.equal(typeof throttle.begin("ada", "192.0.2.1"), "object");
});

test("strangers do not keep an owner out, unless they fail from many places", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 24; times++) {
    throttle.begin("ada", `192.0.2.${times >> 2}`);
    assert.equal(typeof throttle.begin("bob", `198.51.100.${times}`), "object");
  }
  const owner = throttle.begin("ada", "203.0.113.1");
  assert.ok(typeof owner === "object");
  owner.succeeded();
  for (let times = 0; times < 25; times++) throttle.begin("ada", `192.0.2.${times}`);
  assert.equal(throttle.begin("ada", "203.0.113.1"), 5_000);
});

test("tries within an open session are counted for themselves", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 30; times++) throttle.begin("ada", "192.0.2.1");
  for (let times = 0; times < 5; times++) assert.equal(typeof throttle.beginWithin("a"), "object");
  assert.equal(throttle.beginWithin("a"), 5_000);
  assert.equal(typeof throttle.beginWithin("b"), "object");
});

test("a network is counted whatever the account", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 20; times++) throttle.begin(`user${times}`, "2001:db8:1:2::1");
  assert.equal(throttle.begin("carol", "2001:db8:1:2:ffff::9"), 5_000, "the same /64");
  assert.equal(typeof throttle.begin("carol", "2001:db8:1:3::1"), "object");
});

test("a success clears the account and leaves the address as it was before that try", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 4; times++) throttle.begin("ada", "192.0.2.1");
  const last = throttle.begin("ada", "192.0.2.1");
  assert.ok(typeof last === "object");
  assert.equal(throttle.begin("ada", "192.0.2.1"), 5_000, "tries at the same moment count as well");
  last.succeeded();
  for (let times = 4; times < 20; times++) {
    assert.equal(
      typeof throttle.begin(`user${times}`, "192.0.2.1"),
      "object",
      `failure ${times + 1} of the network`,
    );
  }
  assert.equal(throttle.begin("bob", "192.0.2.1"), 5_000);
  assert.equal(typeof throttle.begin("ada", "192.0.2.2"), "object");
});

test("what is nobody's fault is undone", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 50; times++) {
    const tried = throttle.begin("ada", "192.0.2.1");
    assert.ok(typeof tried === "object");
    tried.undo();
  }
});

test("however many names are tried, so many are remembered at most", () => {
  const { throttle } = throttleAt();
  for (let times = 0; times < 4; times++) throttle.beginWithin("ada");
  for (let each = 0; each < throttling.rememberedMax; each++) throttle.beginWithin(`user${each}`);
  for (let times = 0; times < 5; times++) {
    assert.equal(typeof throttle.beginWithin("ada"), "object", "ada was forgotten");
  }
  assert.equal(throttle.beginWithin("ada"), 5_000);
});

test("an address of IPv6 stands for its /64, one of IPv4 for itself in either writing", () => {
  const same = [networkOf("2001:db8::1"), networkOf("2001:0DB8:0:0:9::"), networkOf("2001:db8::5:6%eth0")];
  assert.equal(new Set(same).size, 1);
  assert.equal(networkOf("::ffff:192.0.2.1"), networkOf("::ffff:c000:201"));
  assert.notEqual(networkOf("::ffff:192.0.2.1"), networkOf("::ffff:192.0.2.2"));
  assert.notEqual(networkOf("192.0.2.1"), networkOf("192.0.2.2"));
  assert.equal(networkOf("x".repeat(5_000)).length, 100);
});

test("a wait reads well", () => {
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
