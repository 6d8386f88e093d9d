// PUT and DELETE /ingest/v1/campaigns/{id} with 400, 404, 413 and 415.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { rawConnection } from "../../support/raw-request.ts";
import { refusal } from "../../support/refusal.ts";
import { campaignsPath, serveSender } from "../../support/serve-sender.ts";
import { countedCampaign } from "../../support/world.ts";

const aText = "text of at most 65536 characters, without NUL or unpaired surrogates";
const aCount = "a whole number from 0 to 9007199254740991";
const sendingTypes = "one of Timezone, Scheduled, Immediate";
const trackingTypes = "one of Individual, Anonymous, Overall";
const aTime = "an ISO-8601 time, such as 2026-01-31T09:00:00Z";
const names = "a list of names, each of 1 to 1000 characters";
const anExternalId = "text of 1 to 200 characters, without NUL or unpaired surrogates";

test("400: names an invalid campaign field, with its value and the accepted values", async (t) => {
  const { put, numbers } = await serveSender(t);
  const cases: [field: string, input: unknown, message: string][] = [
    ["subject", 5, `5 is not ${aText}`],
    ["subject", "a\0b", `"a\\u0000b" is not ${aText}`],
    ["subject", "\ud800", `"\\ud800" is not ${aText}`],
    ["subject", "x".repeat(65_537), `"${"x".repeat(100)}…" is not ${aText}`],
    ["sent_at", "", `"" is not ${aTime}`],
    ["sent_at", "yesterday", `"yesterday" is not ${aTime}`],
    ["sent_at", "2026-02-30", `"2026-02-30" is not ${aTime}`],
    ["sent_at", 1_781_500_000, `1781500000 is not ${aTime}`],
    ["sent_from", ["a"], `["a"] is not ${aText}`],
    ["team", {}, `{} is not ${aText}`],
    ["sending_type", "immediate", `"immediate" is not ${sendingTypes}`],
    ["tracking_type", "None", `"None" is not ${trackingTypes}`],
    ["recipient_count", -1, `-1 is not ${aCount}`],
    ["recipient_count", 1.5, `1.5 is not ${aCount}`],
    ["recipient_count", "135", `"135" is not ${aCount}`],
    ["recipient_count", 2 ** 53, `9007199254740992 is not ${aCount}`],
    ["recipient_groups", "Everybody", `"Everybody" is not ${names}`],
    ["recipient_groups", [""], `[""] is not ${names}`],
    ["recipient_groups", [1], `[1] is not ${names}`],
    ["recipient_groups", [{ toString: "x" }], `[{"toString":"x"}] is not ${names}`],
    ["tags", "Newsletter", '"Newsletter" is not a list of tags'],
    ["tags", [" "], '" " is not a tag with a name of 1 to 200 characters'],
    ["tags", [5], "5 is not a tag with a name of 1 to 200 characters"],
    ["tags", [null], "null is not a tag with a name of 1 to 200 characters"],
    ["tags", [{ name: "HR", color: "red" }], '"red" is not a color of the form #RRGGBB, for the tag "HR"'],
    ["surveys_count", true, `true is not ${aCount}`],
    ["surveys", "s", '"s" is not a list of up to 100 surveys'],
    ["external_id", "", `"" is not ${anExternalId}`],
    ["external_id", 5, `5 is not ${anExternalId}`],
    ["external_id", "x".repeat(201), `"${"x".repeat(100)}…" is not ${anExternalId}`],
  ];
  for (const [field, input, message] of cases) {
    const { status, body } = await put(1, { [field]: input });
    assert.deepEqual(
      [status, body],
      refusal(400, "bad_request", `${field}: ${message}.`),
      `${field}: ${JSON.stringify(input).slice(0, 100)}`,
    );
  }
  assert.deepEqual(await numbers("id"), [undefined]);
});

test("400: names each wrong field of the surveys of a campaign", async (t) => {
  const { put } = await serveSender(t);
  const good = { survey_id: "s", kind: "enps", question: "Why?" };
  for (const [survey, message] of [
    [5, "surveys[1]: 5 is not an object with survey_id, kind, question"],
    [{ ...good, kind: "nps" }, 'surveys[1].kind: "nps" is not one of enps, pulse'],
    [
      { ...good, question: " " },
      'surveys[1].question: " " is not text of 1 to 300 characters that is not blank',
    ],
    [{ ...good, text: "Why?" }, "surveys[1].text: is unknown; the fields are survey_id, kind, question"],
    [
      { kind: "enps", question: "Why?" },
      "surveys[1].survey_id: is missing; it must be text of 1 to 200 characters, without NUL or unpaired surrogates",
    ],
  ] as const) {
    const { status, body } = await put(1, { surveys: [good, survey] });
    assert.deepEqual([status, body], refusal(400, "bad_request", `${message}.`));
  }
});

test("400: names all missing campaign fields at once: subject, time and recipients", async (t) => {
  const { service, ingestKey, put } = await serveSender(t);
  const wanted = { subject: aText, sent_at: aTime, recipient_count: aCount };
  for (const [field, accepted] of Object.entries(wanted)) {
    for (const none of [undefined, null]) {
      const { status, body } = await put(1, { [field]: none });
      const message = `${field}: is missing; it must be ${accepted}.`;
      assert.deepEqual([status, body.error_message], [400, message], field);
    }
  }
  const all = Object.entries(wanted).map(
    ([field, accepted]) => `${field}: is missing; it must be ${accepted}`,
  );
  const path = `${campaignsPath}/1`;
  const { status, body } = await service.send(path, { method: "PUT", key: ingestKey, body: {} });
  assert.deepEqual([status, body.error_message], [400, `${all.join("; ")}.`]);
});

test("400: rejects an unknown campaign field, so that a typo is noticed", async (t) => {
  const { put } = await serveSender(t);
  const known =
    "subject, sent_at, sent_from, team, sending_type, tracking_type, recipient_count, recipient_groups, tags, surveys_count, surveys, external_id, senders, delivery_reports";
  for (const field of ["Subject", "id", "open_rate", "externalId", "toString", "__proto__"]) {
    const { status, body } = await put(1, Object.fromEntries([[field, 1]]));
    const expected = [400, `${field}: is unknown; the fields are ${known}.`];
    assert.deepEqual([status, body.error_message], expected);
  }
  const { status, body } = await put(1, { tags: [{ name: "HR", colour: "#4E79A7" }] });
  const message = "tags.colour: is unknown; the fields of a tag are name, color.";
  assert.deepEqual([status, body.error_message], [400, message]);
});

test("400: rejects Overall tracking for a campaign sent by time zone", async (t) => {
  const { put } = await serveSender(t);
  const { status, body } = await put(1, { sending_type: "Timezone", tracking_type: "Overall" });
  const message =
    'tracking_type: "Overall" is not possible with the sending_type "Timezone"; use Individual or Anonymous.';
  assert.deepEqual([status, body.error_message], [400, message]);
  assert.equal((await put(1, { sending_type: "Timezone", tracking_type: "Anonymous" })).status, 201);
  assert.equal((await put(2, { sending_type: "Scheduled", tracking_type: "Overall" })).status, 201);
});

test("400: rejects a campaign id in the path that is not a plain positive whole number", async (t) => {
  const { put, remove } = await serveSender(t);
  for (const id of ["0", "01", "1e3", "weekly-1", "9007199254740992"]) {
    for (const { status, body } of [await put(id), await remove(id)]) {
      const message = `id: ${JSON.stringify(id)} is not a whole number from 1 to 9007199254740991 in plain digits.`;
      assert.deepEqual([status, body], refusal(400, "bad_request", message));
    }
  }
});

test("400: rejects a body that is not a campaign object", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const put = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    service.send(`${campaignsPath}/1`, { method: "PUT", key: ingestKey, body, headers });
  const cases: [string | Uint8Array, RegExp][] = [
    ["", /^The request body is not valid JSON: /],
    ["{", /^The request body is not valid JSON: /],
    ["{'subject':1}", /^The request body is not valid JSON: /],
    [Buffer.from([0x22, 0xff, 0x22]), /^The request body is not valid UTF-8\.$/],
    ["[]", /^body: \[\] is not an object with subject, sent_at, /],
    ["null", /^body: null is not an object with subject, sent_at, /],
    ['"text"', /^body: "text" is not an object with subject, sent_at, /],
  ];
  for (const [sent, message] of cases) {
    const { status, body } = await put(sent);
    assert.deepEqual([status, body.error], [400, "bad_request"]);
    assert.match(body.error_message, message);
  }
  const notPacked = await put(JSON.stringify(countedCampaign(1)), { "content-encoding": "gzip" });
  const expected = [400, "The request body is not valid gzip, although its Content-Encoding is gzip."];
  assert.deepEqual([notPacked.status, notPacked.body.error_message], expected);
});

test("404: has no route for all campaigns, or below one campaign", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  for (const path of [campaignsPath, `${campaignsPath}/1/events`, "/ingest/v1", "/ingest"]) {
    const { status, body } = await service.send(path, { method: "PUT", key: ingestKey, body: {} });
    assert.deepEqual([status, body.error], [404, "not_found"], path);
  }
});

test("413: rejects a campaign larger than 1 MiB, with or without Content-Length", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const large = JSON.stringify({ ...countedCampaign(1), recipient_groups: ["x".repeat(1024 * 1024)] });
  const path = `${campaignsPath}/1`;
  const { status, body } = await service.send(path, { method: "PUT", key: ingestKey, body: large });
  const expected = refusal(413, "payload_too_large", "The request body is larger than 1048576 bytes.");
  assert.deepEqual([status, body], expected);
  const chunked = rawConnection(service.port);
  chunked.socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestKey}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
  );
  assert.match(await chunked.closed, /^HTTP\/1\.1 413 [\s\S]+"error":"payload_too_large"/);
});

test("413: rejects a campaign that decompresses to more than 1 MiB", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const { status, body } = await service.send(`${campaignsPath}/1`, {
    method: "PUT",
    key: ingestKey,
    body: gzipSync(Buffer.alloc(1024 * 1024 + 1, " ")),
    headers: { "content-encoding": "gzip" },
  });
  const expected = [413, "The decompressed request body is larger than 1048576 bytes."];
  assert.deepEqual([status, body.error_message], expected);
});

test("415: rejects a campaign whose type is not JSON or whose encoding is not gzip", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const put = (headers: Record<string, string>) =>
    service.send(`${campaignsPath}/1`, { method: "PUT", key: ingestKey, body: countedCampaign(1), headers });
  for (const type of ["text/plain", "application/x-ndjson", "application/x-www-form-urlencoded"]) {
    const { status, body } = await put({ "content-type": type });
    const message = `Content-Type: "${type}" is not supported; use application/json.`;
    assert.deepEqual([status, body], refusal(415, "unsupported_media_type", message));
  }
  for (const encoding of ["br", "deflate", "gzip, gzip", "zstd"]) {
    const { status, body } = await put({ "content-encoding": encoding });
    const expected = [415, `Content-Encoding: "${encoding}" is not supported; use gzip or none.`];
    assert.deepEqual([status, body.error_message], expected);
  }
});
