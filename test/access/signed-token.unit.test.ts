// Tokens that clients keep and send back, signed for one secret and one purpose.

import assert from "node:assert/strict";
import test from "node:test";
import { openToken, signToken } from "../../src/access/signed-token.ts";

const key = { secret: "s".repeat(64), purpose: "cursor" };
/** Its signature was computed with `openssl dgst -sha256 -hmac`, over the purpose, a line break and the text. */
const known = "c1.2.3.qyONSxQwMqIntES8YuVavt";

test("signs a text with the first 22 characters of its HMAC, and returns the text of a token", () => {
  assert.equal(signToken("c1.2.3", key), known);
  assert.equal(openToken(known, key), "c1.2.3");
  assert.equal(openToken(signToken("", key), key), "");
});

test("opens no token of another secret or purpose, and no changed, cut or extended one", () => {
  assert.equal(openToken(known, { ...key, secret: "t".repeat(64) }), undefined);
  assert.equal(openToken(known, { ...key, purpose: "skip token" }), undefined);
  for (let index = 0; index < known.length; index++) {
    const other = known[index] === "1" ? "2" : "1";
    const changed = known.slice(0, index) + other + known.slice(index + 1);
    assert.equal(openToken(changed, key), undefined, changed);
    assert.equal(openToken(known.slice(0, index), key), undefined, known.slice(0, index));
  }
  for (const text of [`${known}z`, `${known}.`, `.${known}`, "c1.2.3.", "."]) {
    assert.equal(openToken(text, key), undefined, text);
  }
});
