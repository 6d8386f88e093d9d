// Challenges for passkeys: made by the service, for one purpose, for five minutes.

import assert from "node:assert/strict";
import test from "node:test";
import { challengeTime, makeChallenge } from "../../src/access/passkey-challenge.ts";
import { signToken } from "../../src/access/signed-token.ts";

const key = { secret: "s".repeat(64), purpose: "sign-in" };
const now = Date.UTC(2026, 5, 15, 12);
const lifetimeMs = 300_000;

/** A challenge as browsers return it. */
const made = () => Buffer.from(makeChallenge(now, key)).toString("base64url");

test("a challenge tells when it was made, from that instant on and for less than five minutes", () => {
  const challenge = made();
  for (const [at, time] of [
    [now - 1, undefined],
    [now, now],
    [now + lifetimeMs - 1, now],
    [now + lifetimeMs, undefined],
  ] as const) {
    assert.equal(challengeTime(challenge, at, key), time, String(at - now));
  }
  assert.notEqual(made(), challenge);
});

test("a challenge of another secret or purpose, a changed one and another token are none", () => {
  const challenge = made();
  assert.equal(challengeTime(challenge, now, { ...key, secret: "t".repeat(64) }), undefined);
  assert.equal(challengeTime(challenge, now, { ...key, purpose: "add" }), undefined);
  const text = Buffer.from(challenge, "base64url").toString();
  for (const other of [text.replace(/^\d/, "2"), text.slice(0, -1), signToken(`${now}.x`, key), ""]) {
    assert.equal(challengeTime(Buffer.from(other).toString("base64url"), now, key), undefined, other);
  }
});
