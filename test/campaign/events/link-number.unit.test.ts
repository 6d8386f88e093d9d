// Numbers of links and their rows.

import assert from "node:assert/strict";
import test from "node:test";
import { classifyClicks } from "../../../src/campaign/events/click-verdicts.ts";
import { linkNumber, linkRow, otherLinks } from "../../../src/campaign/events/link-number.ts";
import type { Click } from "../../../src/campaign/events/recipient.ts";
import { hashLink } from "../../../src/counting/hashes/hash-event.ts";

test("counts links with the same shown URL in one row, but as different links of a burst", () => {
  const secret = "secret";
  const link = (url: string) => hashLink(secret, url);
  const [ann, bob] = [link("https://example.com/a?u=ann"), link("https://example.com/a?u=bob")];
  assert.notEqual(ann, bob);
  assert.equal(linkRow(ann), linkRow(bob));
  assert.notEqual(linkRow(ann), linkRow(link("https://example.com/b?u=ann")));
  assert.notEqual(hashLink("other", "https://example.com/a?u=ann"), ann);
  assert.ok([ann, bob].every(Number.isSafeInteger));
  const clicks = [1, 2, 3].map((at): Click => [at, link(`https://example.com/a?u=${at}`), "person"]);
  assert.deepEqual(classifyClicks({ clicks }), ["burst", "burst", "burst"]);
});

test("never gives a link the row of all other links", () => {
  assert.notEqual(linkRow(linkNumber("0".repeat(32), "0".repeat(32))), otherLinks);
  assert.equal(linkNumber("f".repeat(32), "f".repeat(32)), 2 ** 53 - 1);
});

test("gives a link the same number in every version, because it is stored", () => {
  // The last 9 of 12 digits of the shown URL, then the last 4 of 12 of the full URL.
  const number = linkNumber(`123456789abc${"0".repeat(20)}`, `0123456789abcdef${"0".repeat(16)}`);
  assert.equal(number, 2 ** 52 + 0x456789abc * 2 ** 16 + 0x89ab);
});
