// Which names are accepted, and which are the same.

import assert from "node:assert/strict";
import test from "node:test";
import { findSameName, normalizeName } from "../../../src/campaign/fields/names.ts";

test("trims a name, and accepts 1 to 200 characters with a visible one", () => {
  assert.equal(normalizeName("  Acme & Söhne \u2014 東京  "), "Acme & Söhne \u2014 東京");
  for (const name of ["A", "?", "7", "€", "a".repeat(200)]) assert.equal(normalizeName(name), name);
  for (const name of ["", "  ", "\u200b", "\u0301", "a".repeat(201)])
    assert.equal(normalizeName(name), undefined);
  for (const blank of ["\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"]) {
    assert.equal(normalizeName(blank), undefined, JSON.stringify(blank));
    assert.equal(normalizeName(`a${blank}b`), `a${blank}b`);
  }
  assert.equal(normalizeName("\u2801"), "\u2801");
  assert.equal(normalizeName("a\u200bb"), "a\u200bb");
});

test("rejects names of several lines, with control characters or marks that reorder text, or badly decoded", () => {
  for (const mark of ["\n", "\u2028", "\u2029", "\u0000", "\u202e", "\u2066", "\ufffd", "\ud800"]) {
    assert.equal(normalizeName(`Ac${mark}me`), undefined, JSON.stringify(mark));
  }
});

test("finds the first name that differs in letter case or composition only", () => {
  const all = [{ name: "News" }, { name: "Caf\u00e9" }, { name: "CAFE\u0301" }];
  assert.equal(findSameName(all, "cafe\u0301"), all[1]);
  assert.equal(findSameName(all, "Cafe"), undefined);
});
