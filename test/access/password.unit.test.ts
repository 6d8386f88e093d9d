// Passwords: which ones are taken, and what is kept of one.

import assert from "node:assert/strict";
import test from "node:test";
import { checkPasswordStrength, hashPassword, verifyPassword } from "../../src/access/password.ts";
import { AppError } from "../../src/errors.ts";

test("a hash has its parameters and a salt of its own, and fits one password only", async () => {
  const password = "nine green ships sail";
  const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)]);
  assert.match(one, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, two);
  const fits = await Promise.all([verifyPassword(password, one), verifyPassword(password, two)]);
  assert.deepEqual(fits, [true, true]);
  const others = ["", "Nine green ships sail", `${password} `].map((other) => verifyPassword(other, one));
  assert.deepEqual(await Promise.all(others), [false, false, false]);
});

test("a hash of other parameters is still understood, and anything else fits nothing", async () => {
  // Made by node:crypto's scryptSync with N=2^14, r=8, p=1.
  const { scryptSync } = await import("node:crypto");
  const salt = Buffer.alloc(16, 7);
  const kept = scryptSync("an older password", salt, 32, { N: 2 ** 14, r: 8, p: 1 }).toString("base64url");
  assert.equal(
    await verifyPassword("an older password", `scrypt$14$8$1$${salt.toString("base64url")}$${kept}`),
    true,
  );
  for (const text of [undefined, "", "an older password", `scrypt$14$8$1$$`]) {
    assert.equal(await verifyPassword("an older password", text), false);
  }
});

test("letters that look alike are alike, in whichever way they are put together", async () => {
  const kept = await hashPassword("Müller geht Ärmel".normalize("NFD"));
  assert.equal(await verifyPassword("Müller geht Ärmel".normalize("NFC"), kept), true);
});

test("more than a few at the same moment are sent away, and those who wait are served", async () => {
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => verifyPassword("x", undefined)));
  const refused = all.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  assert.equal(refused.length, 8, "two are hashed, twenty wait");
  for (const { reason } of refused) assert.equal((reason as AppError).code, "unavailable");
  assert.equal(await verifyPassword("x", undefined), false, "the turns are given back");
});

test("a weak password is refused with what is wrong, and never quoted", () => {
  const email = "ada.lovelace@example.com";
  const weak: [string, RegExp][] = [
    ["", /^New password: it has 0 characters; 12 to 200 are accepted\.$/],
    ["eleven char", /it has 11 characters/],
    ["🚢".repeat(11), /it has 11 characters/],
    ["e\u0301".repeat(11), /it has 11 characters/],
    ["x1".repeat(101), /more than 200 characters/],
    ["x1".repeat(5_000), /more than 200 characters/],
    ["Ada.Lovelace@example.com", /email address/],
    [" ada.lovelace@example.com ", /email address/],
    ["Password1234", /anybody would try/],
    ["aaaaaaaaaaaaaa", /anybody would try/],
  ];
  for (const [password, why] of weak) {
    assert.throws(
      () => checkPasswordStrength(password, email),
      (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, "bad_request");
        assert.match(error.message, why);
        if (password.length > 5) assert.equal(error.message.includes(password), false);
        return true;
      },
    );
  }
  for (const password of ["twelve chars", "x1".repeat(100), "🚢⛵🛶🚤⛴️🛳️🚢⛵🛶🚤⛴️🛳️", "            -"]) {
    checkPasswordStrength(password, email);
  }
});
