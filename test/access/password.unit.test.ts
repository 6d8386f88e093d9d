// Passwords: strength rules and stored hashes.

import assert from "node:assert/strict";
import test from "node:test";
import { findPasswordWeakness, hashPassword, verifyPassword } from "../../src/access/password.ts";
import type { AppError } from "../../src/errors.ts";

const caller = { key: "a test", isKnown: true };
/** A hash with the lowest cost. */
const cheapHash = `scrypt$10$1$1$${"s".repeat(22)}$${"h".repeat(43)}`;

test("stores parameters and a unique salt in a hash that matches only its password", async () => {
  const password = "nine green ships sail";
  const [one, two] = await Promise.all([hashPassword(password, caller), hashPassword(password, caller)]);
  assert.match(one, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword(password, one, caller), true);
  assert.equal(await verifyPassword("Nine green ships sail", one, caller), false);
});

test("verifies hashes with older parameters, and no text that is not a hash", async () => {
  // Made by node:crypto's scryptSync with N=2^14, r=8, p=1.
  const { scryptSync } = await import("node:crypto");
  const salt = Buffer.alloc(16, 7);
  const kept = scryptSync("an older password", salt, 32, { N: 2 ** 14, r: 8, p: 1 }).toString("base64url");
  const older = `scrypt$14$8$1$${salt.toString("base64url")}$${kept}`;
  assert.equal(await verifyPassword("an older password", older, caller), true);
  for (const other of ["", "An older password", "an older password "]) {
    assert.equal(await verifyPassword(other, older, caller), false);
  }
  // Each takes as long as a hash with the current cost.
  for (const text of [undefined, `scrypt$14$8$1$$`]) {
    assert.equal(await verifyPassword("an older password", text, caller), false);
  }
});

test("matches a password no matter how its letters are composed in Unicode", async () => {
  const kept = await hashPassword("Müller geht Ärmel".normalize("NFD"), caller);
  assert.equal(await verifyPassword("Müller geht Ärmel".normalize("NFC"), kept, caller), true);
});

test("refuses verifications beyond the queue with unavailable, and completes the queued ones", async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 110 }, () => verifyPassword("x", cheapHash, caller)),
  );
  const refused = all.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  assert.equal(refused.length, 8, "two run, a hundred wait");
  for (const { reason } of refused) assert.equal((reason as AppError).code, "unavailable");
  assert.equal(await verifyPassword("x", cheapHash, caller), false, "all slots are free again");
});

test("serves a known caller next when strangers from 60 networks wait, and refuses none of them", async () => {
  const order: string[] = [];
  const verify = async (key: string, isKnown: boolean) => {
    assert.equal(await verifyPassword("x", cheapHash, { key, isKnown }), false);
    order.push(key);
  };
  const strangers = Array.from({ length: 60 }, (_, index) => verify(`192.0.2.${index}`, false));
  await Promise.all([...strangers, verify("ada", true)]);
  assert.equal(order.length, 61);
  const place = order.indexOf("ada");
  assert.ok(place < 5, `after two that run and one in turn: place ${place}`);
});

test("says why a password is too weak", () => {
  const email = "ada.lovelace@example.com";
  const weaknessOf = (password: string) => findPasswordWeakness(password, email);
  assert.deepEqual(weaknessOf(""), { weakness: "short", length: 0 });
  for (const password of ["eleven char", "🚢".repeat(11), "e\u0301".repeat(11)]) {
    assert.deepEqual(weaknessOf(password), { weakness: "short", length: 11 });
  }
  assert.deepEqual(weaknessOf(`${"x1".repeat(100)}y`), { weakness: "long", length: 201 });
  assert.deepEqual(weaknessOf("x1".repeat(5_000)), { weakness: "long", length: 1_000 });
  for (const password of ["Ada.Lovelace@example.com", " ada.lovelace@example.com "]) {
    assert.equal(weaknessOf(password)?.weakness, "email");
  }
  for (const password of ["Password1234", "aaaaaaaaaaaaaa"]) {
    assert.equal(weaknessOf(password)?.weakness, "common");
  }
  for (const password of ["twelve chars", "x1".repeat(100), "🚢⛵🛶🚤⛴️🛳️🚢⛵🛶🚤⛴️🛳️", "            -"]) {
    assert.equal(weaknessOf(password), undefined);
  }
});
