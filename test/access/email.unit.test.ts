// Email addresses of users.

import assert from "node:assert/strict";
import test from "node:test";
import { normalizeEmail, readEmail } from "../../src/access/email.ts";

const ofLength = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

test("reads an address without spaces around it, in lower case and NFC", () => {
  for (const [text, email] of [
    [" Ada@Example.com\n", "ada@example.com"],
    ["JOSE\u0301@example.com", "jos\u00e9@example.com"],
    ["o'neil+news@mail.example.co.uk", "o'neil+news@mail.example.co.uk"],
    ["ann@localhost", "ann@localhost"],
    ["a@b", "a@b"],
    [ofLength(254), ofLength(254)],
  ] as const) {
    assert.equal(readEmail(text), email);
  }
});

test("reads no text that is not an address, and none that is longer than 254 characters", () => {
  const texts = [
    "",
    "ada",
    "@example.com",
    "ada@",
    "ada@@example.com",
    "a b@example.com",
    "ada@example.com.",
  ];
  texts.push("ada@-example.com", "<ada@example.com>", "ada@example.com,bob@example.com", "ada@exa/mple.com");
  texts.push("ada\ud800@example.com", "ada\u0000@example.com", ofLength(255));
  for (const text of texts) assert.equal(readEmail(text), undefined, JSON.stringify(text));
});

test("compares only the first thousand characters, so that no text takes long", () => {
  assert.equal(normalizeEmail("A".repeat(1_001)), "a".repeat(1_000));
});
