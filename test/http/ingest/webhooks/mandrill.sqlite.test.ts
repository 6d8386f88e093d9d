// What only webhooks of Mailchimp Transactional (Mandrill) do: signed forms, signed URLs, and a test request.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { mandrill } from "../../../../src/providers/mandrill.ts";
import { anyText } from "../../../support/any-text.ts";
import {
  click,
  formOf,
  mandrillExample,
  open,
  publishedClick,
  serialize,
  signForm,
} from "../../../support/providers/mandrill.ts";
import { accepted, summarizeQuarantined } from "../../../support/serve-sender.ts";
import { countsOfCampaign, publicUrl, type SourceWorld, serveSource } from "../../../support/webhooks.ts";

const { secret } = mandrillExample;
const fieldsOf = (events: unknown) => ({ mandrill_events: serialize(events) });

const deliver = ({ deliver, path }: SourceWorld, fields: Record<string, string>, key = secret) => {
  const { body, headers } = signForm(publicUrl + path, fields, key);
  return deliver(body, headers);
};

const authenticate = (
  body: string,
  signature: unknown,
  given: { url?: string; secret?: string | undefined } = {},
) =>
  mandrill.authenticate({
    headers: { "x-mandrill-signature": signature as string },
    body: Buffer.from(body),
    url: "https://example.com/hook",
    secret,
    fetch: assert.fail,
    ...given,
  });

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

test("Mandrill: accepts a real request and refuses every change of it", () => {
  const url = "http://requestb.in/q9a918q9";
  const signature = "7rUa4lNJitlb178MgGOcHO6T4Bg=";
  const body = formOf(fieldsOf([publishedClick, publishedClick]));
  assert.equal(body.length, 4_091);
  assert.equal(authenticate(body, signature, { url }), undefined);
  for (const [text, given, options] of [
    [body, signature, { url: `${url}/` }],
    [body, signature, { url: url.replace("http:", "https:") }],
    [body, signature, { url, secret: `${secret}x` }],
    [body, signature, { url, secret: undefined }],
    [body, signature.slice(0, -1), { url }],
    [body, signature.toLowerCase(), { url }],
    [body, [signature], { url }],
    [body, undefined, { url }],
    [body.slice(0, -1), signature, { url }],
    [body.replace("Oklahoma", "Oklahomb"), signature, { url }],
    [`${body}&more=1`, signature, { url }],
    [`more=1&${body}`, signature, { url }],
    [`${body}&mandrill_events=%5B%5D`, signature, { url }],
  ] as const) {
    assert.throws(() => authenticate(text, given, options), isUnauthorized, text.slice(-30));
  }
});

test("Mandrill: verifies a signature over a URL with user name and password", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const [user, password] = ["any", "p@ss:word/1"];
  const authorization = `Basic ${btoa(`${user}:${password}`)}`;
  const sendSigned = (credentials: string, more: Record<string, string> = { authorization }) => {
    const url = (publicUrl + source.path).replace("://", `://${credentials}@`);
    const { body, headers } = signForm(url, fieldsOf([open]));
    return source.deliver(body, { ...headers, ...more });
  };
  assert.deepEqual((await sendSigned(`${user}:${password}`)).body, accepted(1));
  const encoded = await sendSigned(`${user}:${encodeURIComponent(password)}`);
  assert.deepEqual(encoded.body, { ...accepted(0), repeated: 1 });
  assert.equal((await deliver(source, fieldsOf([click]))).body.accepted, 1);
  for (const credentials of [`${user}:other`, password, ""]) {
    assert.equal((await sendSigned(credentials)).status, 401, credentials);
  }
  for (const given of ["Basic", "Basic !", `Bearer ${btoa("any:x")}`, `Basic ${btoa("any")}`]) {
    assert.equal((await sendSigned("any:x", { authorization: given })).status, 401, given);
  }
});

test("Mandrill: verifies the signature over all fields of the form, but reads only the events", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const more = { z: "Ä & ö=1+1", a: "", "m x": "%", "ü+%": "x" };
  assert.deepEqual((await deliver(source, { ...fieldsOf([open]), ...more })).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  const nothing = await deliver(source, { x: "1" });
  assert.deepEqual([nothing.status, nothing.body.quarantined], [200, 1]);
});

test("Mandrill: reads the signed one of several lists in a form", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const { body, headers } = signForm(publicUrl + source.path, fieldsOf([open]));
  const forged = formOf(fieldsOf([click]));
  assert.equal((await source.deliver(`${body}&${forged}`, headers)).status, 401);
  assert.deepEqual((await source.deliver(`${forged}&${body}`, headers)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mandrill: answers the test request to a URL that has no key yet", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const answer = await deliver(source, { mandrill_events: "[]" }, "test-webhook");
  assert.deepEqual([answer.status, answer.text], [200, "{}"]);
  // The test key is public, so it is accepted only for a request without events.
  for (const mandrill_events of [serialize([open]), "", "null", "[null]"]) {
    assert.equal((await deliver(source, { mandrill_events }, "test-webhook")).status, 401, mandrill_events);
  }
  assert.equal((await deliver(source, {}, "test-webhook")).status, 401);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Mandrill: answers HEAD requests for a source without a secret", async (t) => {
  const source = await serveSource(t, "mandrill");
  assert.equal((await source.service.get(source.path, { method: "HEAD" })).status, 200);
});

test("Mandrill: refuses a flood of fields without delay", () => {
  const from = process.cpuUsage();
  for (const piece of ["&a", "a=&", "%", "+", "%E4", "%41"]) {
    assert.throws(() => authenticate(piece.repeat(1_000_000), "given"), isUnauthorized);
  }
  const { user } = process.cpuUsage(from);
  // CPU time does not depend on the load of the machine.
  assert.ok(user < 5_000_000, `${user} µs`);
});

test("Mandrill: parses any form as URLSearchParams encodes it", () => {
  const property = fc.property(anyText(), fc.string({ unit: "grapheme" }), (text, name) => {
    const fields = {
      ...(name !== "mandrill_events" && { [name]: text }),
      mandrill_events: JSON.stringify([text]),
    };
    const body = Buffer.from(formOf(fields));
    assert.deepEqual(mandrill.parseBody?.(body), [text.toWellFormed()]);
  });
  fc.assert(property);
});
