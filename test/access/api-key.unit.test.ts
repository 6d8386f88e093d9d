// API keys: format, checksum and visible prefix.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { apiKeyPrefix, generateApiKey, parseApiKey, regionPattern } from "../../src/access/api-key.ts";
import { anyText } from "../support/any-text.ts";
import { randomCases } from "../support/random-cases.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Its checksum was computed by hand: the CRC-32 of everything before it, in six base62 digits. */
const known = "ea_eu_12_0123456789abcdefghijklmnopqrstuv18wAex";

test("generates unique keys from the region, the organization id and 38 random characters", () => {
  assert.match(generateApiKey("eu", 12), /^ea_eu_12_[0-9A-Za-z]{38}$/);
  const expected = /^ea_apsouth1_9007199254740991_[0-9A-Za-z]{38}$/;
  assert.match(generateApiKey("apsouth1", 9_007_199_254_740_991), expected);
  const keys = new Set(Array.from({ length: 1_000 }, () => generateApiKey("eu", 12)));
  assert.equal(keys.size, 1_000);
});

test("uses all 62 characters equally often in secrets", () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 2_000; made++) {
    for (const character of generateApiKey("eu", 1).slice("ea_eu_1_".length, -6)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  // Of 64,000 characters 1,032 of each are expected; ±200 is six standard deviations.
  for (const character of base62) {
    const count = counts.get(character) ?? 0;
    assert.ok(count > 832 && count < 1_232, `${character}: ${count}`);
  }
});

test("parses a key into its region and its organization id", () => {
  assert.deepEqual(parseApiKey(known), { text: known, region: "eu", organizationId: 12 });
  const key = generateApiKey("us", 3);
  assert.deepEqual(parseApiKey(key), { text: key, region: "us", organizationId: 3 });
});

test("rejects a key with any single mistyped character", () => {
  for (let index = 0; index < known.length; index++) {
    for (const character of `${base62}_- .`) {
      if (character === known[index]) continue;
      const mistyped = known.slice(0, index) + character + known.slice(index + 1);
      assert.equal(parseApiKey(mistyped), undefined, mistyped);
    }
  }
});

test("rejects a key with two swapped characters, a missing one or an extra one", () => {
  for (let index = 0; index < known.length - 1; index++) {
    const [before, here = "", next = "", after] = [
      known.slice(0, index),
      known[index],
      known[index + 1],
      known.slice(index + 2),
    ];
    if (here !== next) assert.equal(parseApiKey(before + next + here + after), undefined);
    assert.equal(parseApiKey(before + next + after), undefined);
    assert.equal(parseApiKey(`${before + here}0${next}${after}`), undefined);
  }
});

test("rejects text that was never a key", () => {
  const secret = known.slice(-38);
  const rejected = ["", "ea_", "Bearer", known.toLowerCase(), ` ${known}`, `${known}\n`, `${known}${known}`];
  rejected.push(`ea_eu_0_${secret}`, `ea_eu_012_${secret}`, `ea__12_${secret}`, `ea_EU_12_${secret}`);
  for (const text of rejected) assert.equal(parseApiKey(text), undefined, JSON.stringify(text));
});

test("parses any text without throwing, and accepts only generated keys", () => {
  const property = fc.property(
    fc.oneof(anyText(), fc.stringMatching(/^ea_[a-z]{2}_[1-9]_[0-9A-Za-z]{38}$/)),
    (text) => {
      assert.equal(parseApiKey(text), undefined);
    },
  );
  fc.assert(property, { numRuns: randomCases(200) });
});

test("shows a key up to the fourth character of its secret", () => {
  assert.equal(apiKeyPrefix(known), "ea_eu_12_0123");
});

test("accepts region names of 2 to 8 lower-case letters and digits", () => {
  const names = ["us", "eu", "ca", "au", "local", "42", "apsouth1"];
  const others = ["", "e", "EU", "e_u", "e-u", "eu ", "eu\n", "éu", "apsouth10"];
  for (const name of names) assert.match(name, regionPattern);
  for (const name of others) assert.doesNotMatch(name, regionPattern);
});

test("parses keys of every valid region name, and of no other", () => {
  for (const region of ["us", "eu", "ca", "au", "local", "42", "apsouth1"]) {
    assert.equal(parseApiKey(generateApiKey(region, 1))?.region, region);
  }
  for (const region of ["", "e", "EU", "e-u", "e_u", "apsouth10"]) {
    assert.equal(parseApiKey(generateApiKey(region, 1)), undefined, region);
  }
});
