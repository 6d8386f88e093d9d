// The addresses inside messages: what they hold comes back, and nobody else can make, change or read one.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { makeTrackingUrls } from "../../../src/http/tracking/tracking-urls.ts";

const [first, second] = ["a".repeat(32), "b".repeat(32)] as [string, string];
const base = () => "https://links.example.com";
const addresses = makeTrackingUrls([first], base);
const tokenOf = (address: string) => address.split("/").at(-1) ?? "";
const ann = { organizationId: 7, campaignId: 12, recipient: "ann@example.com" };
const link = { ...ann, url: "https://example.com/?a=1&b=ü", isHidden: false };

test("whatever an address is made of comes back", () => {
  const message = fc.record(
    {
      organizationId: fc.maxSafeNat(),
      campaignId: fc.maxSafeNat(),
      recipient: fc.string({ minLength: 1, unit: "binary" }),
    },
    { requiredKeys: ["organizationId", "campaignId"], noNullPrototype: true },
  );
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(message, text, fc.boolean(), text, fc.nat(10), (given, url, isHidden, question, answer) => {
      const click = { ...given, url, isHidden };
      assert.deepEqual(addresses.parse("click", tokenOf(addresses.build("click", click))), click);
      const survey = { ...given, surveyId: "s", kind: "enps" as const, question, answer };
      assert.deepEqual(addresses.parse("survey", tokenOf(addresses.build("survey", survey))), survey);
      assert.deepEqual(addresses.parse("open", tokenOf(addresses.build("open", given))), given);
    }),
  );
});

test("a hash in place of a recipient comes back as one", () => {
  const message = { organizationId: 1, campaignId: 1, recipientHash: "00ff" };
  assert.deepEqual(addresses.parse("read", tokenOf(addresses.build("read", message))), message);
});

test("the same content makes the same address, of letters that every mail program leaves alone", () => {
  const address = addresses.build("click", link);
  assert.equal(addresses.build("click", link), address);
  assert.match(address, /^https:\/\/links\.example\.com\/t\/c\/[\w-]+$/);
});

test("an address shows neither recipient nor target", () => {
  const token = tokenOf(addresses.build("click", link));
  const bytes = Buffer.from(token, "base64url").toString("latin1");
  for (const secret of ["ann", "example", "http"]) assert.ok(!bytes.includes(secret), secret);
});

test("no changed, cut or made-up address is taken", () => {
  const token = tokenOf(addresses.build("click", link));
  const sealed = Buffer.from(token, "base64url");
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(addresses.parse("click", changed.toString("base64url")), undefined, `bit ${bit}`);
  }
  for (let length = 0; length < token.length; length++) {
    assert.equal(addresses.parse("click", token.slice(0, length)), undefined, `${length} characters`);
  }
  for (const madeUp of ["", "x", "null", "%00", "ü".repeat(50), "A".repeat(10_000)]) {
    assert.equal(addresses.parse("click", madeUp), undefined, madeUp);
  }
});

test("an address of one kind is none of another", () => {
  const token = tokenOf(addresses.build("open", ann));
  assert.equal(addresses.parse("read", token), undefined);
  assert.equal(addresses.parse("click", token), undefined);
});

test("after a change of the secret old addresses are still taken, until the old secret is dropped", () => {
  const old = addresses.build("click", link);
  const changed = makeTrackingUrls([second, first], base);
  assert.deepEqual(changed.parse("click", tokenOf(old)), link);
  assert.notEqual(changed.build("click", link), old);
  assert.deepEqual(
    makeTrackingUrls([second], base).parse("click", tokenOf(changed.build("click", link))),
    link,
  );
  assert.equal(makeTrackingUrls([second], base).parse("click", tokenOf(old)), undefined);
});

test("without a secret no address is made, and none is taken", () => {
  const none = makeTrackingUrls([], base);
  assert.throws(() => none.build("open", ann), /no secret/);
  assert.equal(none.parse("open", tokenOf(addresses.build("open", ann))), undefined);
});
