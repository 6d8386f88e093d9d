// Bodies of webhooks without personal data.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { maxShownBytes, redactBody } from "../../../src/http/ingest/redact-body.ts";

const redacted = (body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const result = redactBody(Buffer.from(text), "campaign");
  return result === undefined ? undefined : JSON.parse(result);
};

test("keeps the fields, the kinds and times of events, and the campaign", () => {
  assert.deepEqual(
    redacted([
      { event: "open", email: "ann@example.com", timestamp: 1_700_000_000, ip: "192.0.2.1", flags: [1, "x"] },
      { RecordType: "Click", Metadata: { campaign: "42", user: "ann" }, machine: false, geo: null },
    ]),
    [
      { event: "open", email: "…", timestamp: 1_700_000_000, ip: "…", flags: ["…", "…"] },
      { RecordType: "Click", Metadata: { campaign: "42", user: "…" }, machine: false, geo: null },
    ],
  );
});

test("looks into JSON inside of a text, and into forms", () => {
  const inner = JSON.stringify([{ event: "open", msg: { email: "ann@example.com" } }]);
  assert.deepEqual(redacted({ Type: "Notification", Message: inner }), {
    Type: "Notification",
    Message: [{ event: "open", msg: { email: "…" } }],
  });
  assert.deepEqual(redacted(`mandrill_events=${encodeURIComponent(inner)}&name=ann`), {
    mandrill_events: [{ event: "open", msg: { email: "…" } }],
    name: "…",
  });
});

test("keeps no address and no long text, whatever their field is called", () => {
  const long = "x".repeat(101);
  assert.deepEqual(redacted({ campaign: "ann@example.com", type: long }), { campaign: "…", type: "…" });
});

test("hides what is nested deeply", () => {
  const depth = 8_000;
  const text = redactBody(Buffer.from(`${"[".repeat(depth)}1${"]".repeat(depth)}`), "campaign") ?? "";
  assert.match(text.replaceAll(/\s/g, ""), /^\[{21}"…"\]{21}$/);
});

test("shows nothing of a body that is empty, not readable or long", () => {
  for (const body of ["", "ann@example.com", "email=ann@example.com", "{", "\0", "[1"]) {
    assert.equal(redactBody(Buffer.from(body), "campaign"), undefined, body);
  }
  assert.equal(redactBody(Buffer.from(`[${" ".repeat(maxShownBytes)}]`), "campaign"), undefined);
});

test("keeps no text of any document outside of the kept fields", () => {
  const secrets = fc.stringMatching(/^[a-z]{3}SECRET[a-z0-9]{3}$/);
  const document = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      secrets,
      fc.integer({ min: 100_000 }),
      tie("list"),
      tie("record"),
    ),
    list: fc.array(tie("value"), { maxLength: 4 }),
    record: fc.dictionary(fc.constantFrom("email", "user", "ip", "data", "Recipient"), tie("value")),
  })).record;
  const property = fc.property(document, (body) => {
    const text = redactBody(Buffer.from(JSON.stringify(body)), "campaign") ?? "";
    return !/SECRET|\d{6}/.test(text);
  });
  fc.assert(property);
});
