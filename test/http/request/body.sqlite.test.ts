// The Content-Type of request bodies: webhooks take any, other routes answer 415 with the accepted types.

import assert from "node:assert/strict";
import test from "node:test";
import { refusal } from "../../support/refusal.ts";
import { accepted, campaignsPath, serveSender } from "../../support/serve-sender.ts";
import { serveSource } from "../../support/webhooks.ts";
import { countedCampaign } from "../../support/world.ts";

const invalidTypes = ["application/json, application/json", "json", "a/b/c", "application/", ";", '"a"/b'];

test("takes a webhook with any Content-Type, even one that is no media type or empty", async (t) => {
  const { deliver } = await serveSource(t, "postmark");
  for (const type of [...invalidTypes, "", "text/plain", "application/json; charset"]) {
    const open = {
      RecordType: "Open",
      MessageID: `message with ${type}`,
      Recipient: "ann@example.com",
      ReceivedAt: "2026-06-15T11:05:00Z",
      Metadata: { campaign_id: "1" },
    };
    const { status, body } = await deliver(open, { "content-type": type });
    assert.deepEqual([status, body], [200, accepted(1)], type);
  }
});

test("415: names an invalid Content-Type and the accepted ones, and logs the reason without the value", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const put = (type: string) =>
    service.send(`${campaignsPath}/1`, {
      method: "PUT",
      key: ingestKey,
      body: countedCampaign(1),
      headers: { "content-type": type },
    });
  for (const type of ["", ...invalidTypes]) {
    const { status, body, headers } = await put(type);
    const given = type === "" ? "none" : JSON.stringify(type);
    const message = `Content-Type: ${given} is not supported; use application/json.`;
    assert.deepEqual([status, body], refusal(415, "unsupported_media_type", message));
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
  }
  const { body } = await put("x".repeat(5_000));
  assert.ok(body.error_message.length < 200, body.error_message);
  await service.stop();
  for (const { status, reason } of service.logged) {
    assert.deepEqual([status, reason], [415, "Content-Type is not supported; use application/json."]);
  }
  assert.equal(service.logged.length, invalidTypes.length + 2);
});
