// What only webhooks of Azure Communication Services do: Event Grid validates a subscription, and sends two schemas.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { azure } from "../../../../src/providers/azure.ts";
import { azureExample, cloudClick, validation } from "../../../support/providers/azure.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const { open } = azureExample;
const validating = { "aeg-event-type": "SubscriptionValidation" };

test("Azure: counts the Event Grid schema and CloudEvents, one by one and in a batch", async (t) => {
  const source = await serveSource(t, "azure");
  const opened = await source.deliver([open], { "aeg-event-type": "Notification" });
  assert.deepEqual(opened.body, accepted(1));
  const clicked = await source.deliver(cloudClick, { "content-type": "application/cloudevents+json" });
  assert.deepEqual(clicked.body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  const batch = [
    { ...cloudClick, id: "b-1" },
    { ...cloudClick, id: "b-2", data: { ...cloudClick.data, userActionTimestamp: "2026-06-15T11:30:00Z" } },
  ];
  const batched = await source.deliver(batch, { "content-type": "application/cloudevents-batch+json" });
  assert.deepEqual(batched.body, accepted(2));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 2]);
});

test("Azure: answers the validation of a subscription with its code, even without the secret", async (t) => {
  for (const secret of [undefined, "s3cret"]) {
    const source = await serveSource(t, "azure", { secret });
    const answer = await source.deliver([validation], validating);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { validationResponse: "512d38b6-c7b8-40c8-89fe-f46f9e9622b6" });
  }
});

test("Azure: refuses a request that only resembles a validation", async (t) => {
  const source = await serveSource(t, "azure", { secret: "s3cret" });
  for (const body of [
    [open],
    [{ ...validation, data: {} }],
    [],
    null,
    "[",
    [{ ...validation, eventType: "other" }],
  ]) {
    const answer = await source.deliver(body ?? "null", validating);
    assert.equal(answer.status, 401, JSON.stringify(body));
  }
  assert.equal((await source.deliver([validation])).status, 401);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Azure: validates any document without throwing", async () => {
  const property = fc.asyncProperty(fc.jsonValue(), async (document) => {
    const body = Buffer.from(JSON.stringify(document));
    await azure.authenticate({ headers: validating, body, url: "", secret: undefined, fetch: assert.fail });
  });
  await fc.assert(property, { numRuns: randomCases(100) });
});

test("Azure: answers the handshake of CloudEvents", async (t) => {
  const { service, path } = await serveSource(t, "azure");
  const response = await fetch(service.url + path, {
    method: "OPTIONS",
    headers: { "webhook-request-origin": "eventgrid.azure.net" },
  });
  assert.equal(response.headers.get("webhook-allowed-origin"), "eventgrid.azure.net");
});

test("Azure: parses an invalid Message-ID of any length in linear time", () => {
  const from = process.cpuUsage();
  for (const text of [" ", "<", "x"]) {
    const data = { ...(open.data as object), internetMessageId: text.repeat(1_000_000) };
    assert.equal(azure.convertEvent({ ...open, data }, "campaign_id")[0]?.campaign_id, undefined);
  }
  // Quadratic time would be hours.
  const { user } = process.cpuUsage(from);
  assert.ok(user < 10_000_000, `${user} µs`);
});
