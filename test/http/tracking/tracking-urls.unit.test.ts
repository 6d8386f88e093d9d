// Tracking URLs: what they contain can be read back, and only the secret allows reading, changing or making one.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { normalizeRecipient } from "../../../src/campaign/events/parse-event.ts";
import { maxTargetLength } from "../../../src/http/tracking/html/untracked-links.ts";
import { surveySchema } from "../../../src/http/tracking/messages/messages-schema.ts";
import { makeTrackingUrls } from "../../../src/http/tracking/tracking-urls.ts";
import { anyText } from "../../support/any-text.ts";

const [first, second] = ["a".repeat(32), "b".repeat(32)] as [string, string];
const baseUrl = () => "https://links.example.com";
const trackingUrls = makeTrackingUrls([first], baseUrl);
const tokenOf = (url: string) => url.split("/").at(-1) ?? "";
const ann = { organizationId: 7, campaignId: 12, registration: 3, recipient: "ann@example.com" };
const link = { ...ann, url: "https://example.com/?a=1&b=ü", isHidden: false };

test("parses a tracking URL into what it was built from", () => {
  const message = fc.record(
    {
      organizationId: fc.maxSafeNat(),
      campaignId: fc.maxSafeNat(),
      registration: fc.maxSafeNat(),
      recipient: anyText({ minLength: 1 }),
    },
    { requiredKeys: ["organizationId", "campaignId", "registration"], noNullPrototype: true },
  );
  const text = anyText();
  const property = fc.property(
    message,
    text,
    fc.boolean(),
    text,
    fc.nat(10),
    (given, url, isHidden, question, answer) => {
      const click = { ...given, url, isHidden };
      assert.deepEqual(trackingUrls.parse("click", tokenOf(trackingUrls.build("click", click))), click);
      const survey = { ...given, surveyId: "s", kind: "enps" as const, question, answer };
      assert.deepEqual(trackingUrls.parse("survey", tokenOf(trackingUrls.build("survey", survey))), survey);
      assert.deepEqual(trackingUrls.parse("open", tokenOf(trackingUrls.build("open", given))), given);
    },
  );
  fc.assert(property);
});

test("parses the hash of a recipient as a hash", () => {
  const message = { organizationId: 1, campaignId: 1, registration: 1, recipientHash: "00ff" };
  assert.deepEqual(trackingUrls.parse("read", tokenOf(trackingUrls.build("read", message))), message);
});

test("builds the same URL from the same contents, of characters that no mail client changes", () => {
  const url = trackingUrls.build("click", link);
  assert.equal(trackingUrls.build("click", link), url);
  assert.match(url, /^https:\/\/links\.example\.com\/t\/c\/[\w-]+$/);
});

test("adds 16 bytes to what a token contains, so that URLs stay short", () => {
  const contents = JSON.stringify([7, 12, 3, "=ann@example.com"]);
  const token = tokenOf(trackingUrls.build("open", ann));
  assert.equal(Buffer.from(token, "base64url").length, contents.length + 16);
});

test("shows neither the recipient nor the target in a tracking URL", () => {
  const token = tokenOf(trackingUrls.build("click", link));
  const bytes = Buffer.from(token, "base64url").toString("latin1");
  for (const secret of ["ann", "example", "http"]) assert.ok(!bytes.includes(secret), secret);
});

test("refuses a token that was changed, cut or made up", () => {
  const token = tokenOf(trackingUrls.build("click", link));
  const sealed = Buffer.from(token, "base64url");
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(trackingUrls.parse("click", changed.toString("base64url")), undefined, `bit ${bit}`);
  }
  for (let length = 0; length < token.length; length++) {
    assert.equal(trackingUrls.parse("click", token.slice(0, length)), undefined, `${length} characters`);
  }
  for (const madeUp of ["", "x", "null", "%00", "ü".repeat(50), "A".repeat(10_000)]) {
    assert.equal(trackingUrls.parse("click", madeUp), undefined, madeUp);
  }
});

test("refuses other spellings of the bytes of a token", () => {
  // Text of a length that leaves unused bits in the last character of the token.
  const tokens = ["a", "ab", "abc"].map((recipient) =>
    tokenOf(trackingUrls.build("open", { ...ann, recipient: recipient.repeat(100) })),
  );
  for (const token of tokens) {
    const bytes = Buffer.from(token, "base64url");
    const padded = token + "=".repeat((4 - (token.length % 4)) % 4);
    for (const other of [
      `${token}.`,
      `${token}...`,
      `.${token}`,
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${token.slice(0, 20)} ${token.slice(20)}`,
      `${token}A`,
      bytes.toString("base64"),
      padded,
    ]) {
      if (other === token) continue;
      assert.equal(trackingUrls.parse("open", other), undefined, other);
    }
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const letter of letters.replace(token.at(-1) as string, "")) {
      assert.equal(trackingUrls.parse("open", token.slice(0, -1) + letter), undefined, letter);
    }
  }
});

test("opens no text but the token, whatever the base64url decoder makes of it", () => {
  const token = tokenOf(trackingUrls.build("open", ann));
  const piece = anyText({ minLength: 1, maxLength: 3 });
  const noise = fc.oneof(piece, fc.constantFrom(".", "..", "=", "+", "/", " ", "A"));
  const property = fc.property(noise, fc.nat(token.length), fc.nat(2), (added, at, removed) => {
    const other = token.slice(0, at) + added + token.slice(at + removed);
    assert.equal(trackingUrls.parse("open", other) !== undefined, other === token);
  });
  fc.assert(property);
});

test("parses the longest tokens that messages contain, and refuses longer ones unread", () => {
  // The most bytes in JSON: control characters are escaped, and NFC makes three letters of U+FB2C.
  for (const letter of ["\u0001", "\ufb2c", "İ"]) {
    const [organizationId, campaignId, registration] = Array<number>(3).fill(2 ** 53 - 1) as [
      number,
      number,
      number,
    ];
    const message = { ...ann, organizationId, campaignId, registration };
    const longest = { ...message, recipient: normalizeRecipient(letter.repeat(500)) };
    assert.deepEqual(trackingUrls.parse("read", tokenOf(trackingUrls.build("read", longest))), longest);
    const start = "https://example.com/?";
    const url = start + "\\".repeat(maxTargetLength - start.length);
    const click = { ...longest, url, isHidden: true };
    assert.deepEqual(trackingUrls.parse("click", tokenOf(trackingUrls.build("click", click))), click);
    const textOf = (name: "survey_id" | "question") =>
      letter.repeat(Number(surveySchema.properties[name].maxLength));
    const texts = { surveyId: textOf("survey_id"), question: textOf("question"), answer: letter.repeat(200) };
    const survey = { ...longest, kind: "pulse" as const, ...texts };
    assert.deepEqual(trackingUrls.parse("survey", tokenOf(trackingUrls.build("survey", survey))), survey);
  }
  const tooLong = { ...ann, recipient: "a".repeat(4_000), url: "b".repeat(20_000), isHidden: false };
  for (const kind of ["open", "read", "click"] as const) {
    assert.equal(trackingUrls.parse(kind, tokenOf(trackingUrls.build(kind, tooLong))), undefined, kind);
  }
});

test("refuses a token of one kind in a URL of another kind", () => {
  const token = tokenOf(trackingUrls.build("open", ann));
  assert.equal(trackingUrls.parse("read", token), undefined);
  assert.equal(trackingUrls.parse("click", token), undefined);
});

test("accepts old URLs after the secret was rotated, until the old secret is removed", () => {
  const old = trackingUrls.build("click", link);
  const rotated = makeTrackingUrls([second, first], baseUrl);
  assert.deepEqual(rotated.parse("click", tokenOf(old)), link);
  assert.notEqual(rotated.build("click", link), old);
  const withoutOld = makeTrackingUrls([second], baseUrl);
  assert.deepEqual(withoutOld.parse("click", tokenOf(rotated.build("click", link))), link);
  assert.equal(withoutOld.parse("click", tokenOf(old)), undefined);
});

test("builds no URL and accepts none without a secret", () => {
  const none = makeTrackingUrls([], baseUrl);
  assert.throws(() => none.build("open", ann), /no secret/);
  assert.equal(none.parse("open", tokenOf(trackingUrls.build("open", ann))), undefined);
});
