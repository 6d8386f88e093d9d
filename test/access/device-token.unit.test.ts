// Device tokens of browsers from which a user signed in before.

import assert from "node:assert/strict";
import test from "node:test";
import { isGenuineDeviceToken, makeDeviceToken, parseDeviceToken } from "../../src/access/device-token.ts";
import { generateSecret } from "../../src/access/secret.ts";

const secret = generateSecret();

test("a device token names its user, and is genuine only under its secret", () => {
  const token = makeDeviceToken(1, 23, secret);
  assert.deepEqual(parseDeviceToken(token), { organizationId: 1, userId: 23 });
  assert.equal(isGenuineDeviceToken(token, secret), true);
  assert.equal(isGenuineDeviceToken(token, generateSecret()), false);
});

test("a changed device token is not genuine, and other text is no token", () => {
  const token = makeDeviceToken(1, 23, secret);
  const last = token.endsWith("A") ? "B" : "A";
  const changes = [
    token.replace("1.23.", "2.23."),
    token.replace("1.23.", "12.3."),
    token.slice(0, -1) + last,
  ];
  for (const changed of changes) {
    assert.ok(parseDeviceToken(changed), changed);
    assert.equal(isGenuineDeviceToken(changed, secret), false, changed);
  }
  for (const text of [
    "",
    "1.23",
    `${token}A`,
    `x${token}`,
    token.replace("1.23.", "0.23."),
    token.replace("1.23.", "1.x."),
  ]) {
    assert.equal(parseDeviceToken(text), undefined, text);
  }
});
