// The body of a provider's webhook as events.

import assert from "node:assert/strict";
import test from "node:test";
import { parseWebhookBatch } from "../../../src/counting/events/webhook-batch.ts";
import { AppError } from "../../../src/errors.ts";

const source = { provider: "sendgrid", campaignField: "campaign_id" };
const open = {
  event: "open",
  email: "ann@example.com",
  timestamp: 1_781_524_800,
  sg_event_id: "e",
  campaign_id: "7",
};
const parse = (document: unknown) => parseWebhookBatch(Buffer.from(JSON.stringify(document)), source);
const other = { ...open, campaign_id: undefined };

test("prefixes the ids of events with the provider, and counts events without a campaign as ignored", () => {
  const { events, ignored } = parse([open, other, other]);
  assert.equal(ignored, 2);
  const found = events.map(({ input }) => (input as { id: string }).id);
  assert.deepEqual(found, ["sendgrid:e"]);
});

test("represents all values that are not objects by one unreadable event", () => {
  const notObject = {
    input: undefined,
    unreadable: "is not a webhook of Twilio SendGrid: an event has to be an object",
  };
  assert.deepEqual(parse([1, "x", null]), { events: [notObject], ignored: 0 });
  const { events } = parse([open, 1]);
  assert.deepEqual(events[0], notObject);
  assert.equal(events.length, 2);
});

test("represents a body that cannot be parsed, or is no list of events, by one unreadable event", () => {
  assert.deepEqual(parseWebhookBatch(Buffer.from("{"), source), {
    events: [
      { input: undefined, unreadable: "is not a webhook of Twilio SendGrid: the body cannot be parsed" },
    ],
    ignored: 0,
  });
  assert.deepEqual(parse(7), {
    events: [{ input: undefined, unreadable: "is not a webhook of Twilio SendGrid" }],
    ignored: 0,
  });
});

test("accepts up to 20,000 events that name a campaign", () => {
  const full = Array.from({ length: 20_000 }, () => open);
  assert.equal(parse([...full, other]).events.length, 20_000);
  assert.throws(
    () => parse([...full, open]),
    (error) =>
      error instanceof AppError &&
      error.code === "payload_too_large" &&
      error.message === "The request has 20001 events; a request may have up to 20000.",
  );
});
