// The text of an API key: its shape, its checksum, and what may be shown of it.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { apiKeyPrefix, generateApiKey, parseApiKey, regionPattern } from "../../src/access/api-key.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** A key with a checksum that was worked out by hand: CRC-32 of all before it, in six digits of base 62. */
const known = "ea_eu_12_0123456789abcdefghijklmnopqrstuv18wAex";

test("a key names its region and its organization, then has 38 characters that nobody can guess", () => {
  assert.match(generateApiKey("eu", 12), /^ea_eu_12_[0-9A-Za-z]{38}$/);
  assert.match(
    generateApiKey("apsouth1", 9_007_199_254_740_991),
    /^ea_apsouth1_9007199254740991_[0-9A-Za-z]{38}$/,
  );
  const keys = new Set(Array.from({ length: 1_000 }, () => generateApiKey("eu", 12)));
  assert.equal(keys.size, 1_000);
});

test("the secret uses each of the 62 characters about as often", () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 2_000; made++) {
    for (const character of generateApiKey("eu", 1).slice("ea_eu_1_".length, -6)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  // 64,000 characters: 1,032 of each are expected, and 200 more or less is six standard deviations away.
  for (const character of base62) {
    const count = counts.get(character) ?? 0;
    assert.ok(count > 832 && count < 1_232, `${character}: ${count}`);
  }
});

test("a key is read back with its region and its organization", () => {
  assert.deepEqual(parseApiKey(known), { text: known, region: "eu", organizationId: 12 });
  const key = generateApiKey("us", 3);
  assert.deepEqual(parseApiKey(key), { text: key, region: "us", organizationId: 3 });
});

test("each single mistyped character is refused", () => {
  for (let place = 0; place < known.length; place++) {
    for (const character of `${base62}_- .`) {
      if (character === known[place]) continue;
      const mistyped = known.slice(0, place) + character + known.slice(place + 1);
      assert.equal(parseApiKey(mistyped), undefined, mistyped);
    }
  }
});

test("two characters that changed places, a lost one and an added one are refused", () => {
  for (let place = 0; place < known.length - 1; place++) {
    const [before, here = "", next = "", after] = [
      known.slice(0, place),
      known[place],
      known[place + 1],
      known.slice(place + 2),
    ];
    if (here !== next) assert.equal(parseApiKey(before + next + here + after), undefined);
    assert.equal(parseApiKey(before + next + after), undefined);
    assert.equal(parseApiKey(`${before + here}0${next}${after}`), undefined);
  }
});

test("what was never a key is refused", () => {
  const secret = known.slice(-38);
  const refused = ["", "ea_", "Bearer", known.toLowerCase(), ` ${known}`, `${known}\n`, `${known}${known}`];
  refused.push(`ea_eu_0_${secret}`, `ea_eu_012_${secret}`, `ea__12_${secret}`, `ea_EU_12_${secret}`);
  for (const text of refused) assert.equal(parseApiKey(text), undefined, JSON.stringify(text));
});

test("no text that was not made as a key is taken for one, and none makes it fail", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^ea_[a-z]{2}_[1-9]_[0-9A-Za-z]{38}$/)),
      (text) => {
        assert.equal(parseApiKey(text), undefined);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("of a key only the beginning is shown: enough to recognise it, four characters of the secret", () => {
  assert.equal(apiKeyPrefix(known), "ea_eu_12_0123");
});

test("a region is a name of 2 to 8 lower-case letters and digits", () => {
  const names = ["us", "eu", "ca", "au", "local", "42", "apsouth1"];
  const others = ["", "e", "EU", "e_u", "e-u", "eu ", "eu\n", "éu", "apsouth10"];
  for (const name of names) assert.match(name, regionPattern);
  for (const name of others) assert.doesNotMatch(name, regionPattern);
});

test("every region's keys are read back, and a key with anything else in the place of its region is none", () => {
  for (const region of ["us", "eu", "ca", "au", "local", "42", "apsouth1"]) {
    assert.equal(parseApiKey(generateApiKey(region, 1))?.region, region);
  }
  for (const region of ["", "e", "EU", "e-u", "e_u", "apsouth10"]) {
    assert.equal(parseApiKey(generateApiKey(region, 1)), undefined, region);
  }
});
