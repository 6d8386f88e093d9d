// Texts that compare equal.

import assert from "node:assert/strict";
import test from "node:test";
import { foldCase } from "../../../src/campaign/fields/fold-case.ts";
import { searchWords } from "../../../src/campaign/fields/search-words.ts";

test("folds letter case and composition, also of Greek, German and Turkish letters", () => {
  const same: [string, string][] = [
    ["NEWS", "news"],
    ["Caf\u00e9", "CAFE\u0301"],
    ["ΟΔΟΣ", "οδος"],
    ["οδοσ", "οδος"],
    ["STRASSE", "straße"],
    ["İstanbul", "istanbul"],
    ["I\u0307stanbul", "istanbul"],
    // Both forms are decomposed and composed again, also after the letter case has changed.
    ["\u01f0", "J\u030c"],
  ];
  for (const [one, other] of same) assert.equal(foldCase(one), foldCase(other), one);
  assert.notEqual(foldCase("cafe"), foldCase("café"));
  assert.equal(foldCase("\u00c9"), "\u00e9");
});

test("compares the first 1,000 characters", () => {
  for (const letter of ["a", "é"]) {
    assert.equal(foldCase(letter.repeat(1_001)), letter.repeat(1_000));
    assert.notEqual(foldCase(`${letter.repeat(999)}x`), foldCase(`${letter.repeat(999)}y`));
  }
});

test("searches for each word once, in any letter case", () => {
  assert.deepEqual(searchWords("  The week\u00a0THE\tWeek in "), ["the", "week", "in"]);
  assert.deepEqual(searchWords(" "), []);
  assert.deepEqual(searchWords(""), []);
});
