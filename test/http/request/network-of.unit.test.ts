// The network of an IP address.

import assert from "node:assert/strict";
import test from "node:test";
import { networkOf } from "../../../src/http/request/network-of.ts";

test("treats an IPv6 /64 as one network, and an IPv4 address as itself", () => {
  const same = [networkOf("2001:db8::1"), networkOf("2001:0DB8:0:0:9::"), networkOf("2001:db8::5:6%eth0")];
  assert.equal(new Set(same).size, 1);
  assert.equal(networkOf("::ffff:192.0.2.1"), networkOf("::ffff:c000:201"));
  assert.notEqual(networkOf("::ffff:192.0.2.1"), networkOf("::ffff:192.0.2.2"));
  assert.notEqual(networkOf("::ffff:192.0.2.1"), networkOf("::ffff:198.51.2.1"));
  // Not IPv4 addresses: their first groups differ.
  assert.notEqual(networkOf("1::ffff:c000:201"), networkOf("2::ffff:c000:201"));
  assert.notEqual(networkOf("192.0.2.1"), networkOf("192.0.2.2"));
  assert.equal(networkOf("x".repeat(5_000)).length, 100);
});
