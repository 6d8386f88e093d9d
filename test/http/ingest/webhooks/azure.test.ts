// What Azure Communication Services sends by Event Grid.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { azure } from "../../../../src/providers/azure.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const resource =
  "/subscriptions/{subscription-id}/resourceGroups/{group-name}/providers/microsoft.communication/communicationservices/{communication-services-resource-name}";

/** The example of learn.microsoft.com/azure/event-grid/communication-services-email-events, with a recipient and a campaign. */
const view = {
  id: "00000000-0000-0000-0000-000000000000",
  topic: resource,
  subject: "sender/senderid@azure.com/message/00000000-0000-0000-0000-000000000000",
  data: {
    sender: "senderid@azure.com",
    recipient: "receiver@azure.com",
    messageId: "00000000-0000-0000-0000-000000000000",
    internetMessageId: "<campaign_id.1.9f0728f0-338f-454b-b3a2-ca0e924518e9@azure.com>",
    userActionTimeStamp: "2026-06-15T11:05:52.1303595+00:00",
    engagementContext: "",
    userAgent: "",
    engagementType: "view",
  },
  eventType: "Microsoft.Communication.EmailEngagementTrackingReportReceived",
  dataVersion: "1.0",
  metadataVersion: "1",
  eventTime: "2026-06-15T11:05:52.688Z",
};

/** The example of a CloudEvent in github.com/Azure/azure-rest-api-specs (eventgrid), with the same. */
const cloudClick = {
  id: "b69d6528-f09f-4ba7-93f9-dab8baf98d0e",
  source: resource,
  subject: "sender/test2@contoso.org/message/fe26a737-6941-410c-b126-7eacbe4035d1",
  data: {
    sender: "test2@contoso.org",
    recipient: "receiver@azure.com",
    messageId: "fe26a737-6941-410c-b126-7eacbe4035d1",
    internetMessageId: "<campaign_id.1.48905fe7-f318-4ef3-b2f9-cc68e56ac203@contoso.org>",
    userActionTimestamp: "2026-06-15T11:07:22.745555+00:00",
    engagementContext: "www.example.com",
    userAgent: "Desktop",
    engagementType: "click",
  },
  type: "Microsoft.Communication.EmailEngagementTrackingReportReceived",
  time: "2026-06-15T11:07:22.7453611Z",
  specversion: "1.0",
};

/** The example of learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema. */
const validation = {
  id: "2d1781af-3a4c-4d7c-bd0c-e34b19da4e66",
  topic: "/subscriptions/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
  subject: "",
  data: {
    validationCode: "512d38b6-c7b8-40c8-89fe-f46f9e9622b6",
    validationUrl:
      "https://rp-eastus2.eventgrid.azure.net:553/eventsubscriptions/myeventsub/validate?id=0000000000-0000-0000-0000-00000000000000&t=2018-04-26T20:30:54.4538837Z&apiVersion=2018-05-01-preview&token=1A1A1A1A",
  },
  eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
  eventTime: "2018-01-25T22:12:19.4556811Z",
  metadataVersion: "1",
  dataVersion: "1",
};
const validating = { "aeg-event-type": "SubscriptionValidation" };

let count = 0;

/** The example with other data, and with an id of its own. */
function viewWith(data: Record<string, unknown>, given: Record<string, unknown> = {}) {
  count += 1;
  return { ...view, id: `view-${count}`, data: { ...view.data, ...data }, ...given };
}

test("Azure: an open and a click are counted, in the schema of Event Grid and as CloudEvents", async (t) => {
  const provided = await serveSource(t, "azure");
  const opened = await provided.deliver([view], { "aeg-event-type": "Notification" });
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.body, accepted(1));
  const clicked = await provided.deliver(cloudClick, { "content-type": "application/cloudevents+json" });
  assert.deepEqual(clicked.body, accepted(1));
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 1, 0]);
  const batch = [
    { ...cloudClick, id: "b-1" },
    { ...cloudClick, id: "b-2", data: { ...cloudClick.data, userActionTimestamp: "2026-06-15T11:30:00Z" } },
  ];
  const batched = await provided.deliver(batch, { "content-type": "application/cloudevents-batch+json" });
  assert.deepEqual(batched.body, accepted(2));
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 1, 2]);
});

test("Azure: both spellings of every field are read", async (t) => {
  const provided = await serveSource(t, "azure");
  await provided.deliver([
    viewWith({ engagementType: "View" }),
    viewWith({
      engagementType: undefined,
      engagement: "view",
      userActionTimeStamp: undefined,
      userActionTimestamp: "2026-06-15T11:06:00Z",
    }),
    viewWith({ engagementType: undefined, engagement: "Click", engagementContext: "https://example.com" }),
  ]);
  assert.deepEqual(await countsOfCampaign(provided), [1, 1, 1, 0]);
});

test("Azure: a repeated delivery is counted once, a second open as a second one", async (t) => {
  const provided = await serveSource(t, "azure");
  await provided.deliver([view]);
  assert.deepEqual((await provided.deliver([view])).body, { ...accepted(0), repeated: 1 });
  await provided.deliver([viewWith({ userActionTimeStamp: "2026-06-15T11:45:00Z" })]);
  assert.deepEqual(await countsOfCampaign(provided), [1, 1, 0, 0]);
});

test("Azure: a word in place of the user agent is the device, and a user agent is judged", async (t) => {
  const provided = await serveSource(t, "azure");
  const to = (recipient: string, userAgent: string) => viewWith({ recipient, userAgent });
  await provided.deliver([
    to("a@example.com", "Desktop"),
    to("b@example.com", "Mobile"),
    to("c@example.com", "tablet"),
    to(
      "d@example.com",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    ),
    to("e@example.com", "Googlebot/2.1 (+http://www.google.com/bot.html)"),
    to("f@example.com", "Mozilla/5.0"),
  ]);
  assert.deepEqual(await countsOfCampaign(provided), [4, 0, 0, 0]);
  assert.deepEqual(await provided.numbers("desktop_open_rate", "mobile_open_rate"), [25, 75]);
});

test("Azure: the campaign stands in the Message-ID, under the campaign field", () => {
  for (const [field, internetMessageId, campaign] of [
    ["campaign_id", "<campaign_id.1.9f0728f0@azure.com>", 1],
    ["campaign_id", "campaign_id.1.9f0728f0@azure.com", 1],
    ["campaign_id", "<campaign_id.weekly.2026-05.9f0728f0@azure.com>", "weekly.2026-05"],
    ["news", "<news.weekly.9f0728f0@azure.com>", "weekly"],
  ] as const) {
    const events = azure.convertEvent(viewWith({ internetMessageId }), field);
    assert.deepEqual(
      events.map(({ campaign_id }) => campaign_id),
      [campaign],
    );
  }
});

test("Azure: the campaign may be the sender or the message, where no Message-ID comes back", async (t) => {
  const external_id = "senderid@azure.com";
  const provided = await serveSource(t, "azure", { campaignField: "sender", register: { external_id } });
  const given = viewWith({ internetMessageId: undefined });
  await provided.deliver([given]);
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 0, 0]);
  assert.equal(
    azure.convertEvent(given, "messageId")[0]?.campaign_id,
    "00000000-0000-0000-0000-000000000000",
  );
});

test("Azure: other mail and other kinds of events are acknowledged and ignored", async (t) => {
  const provided = await serveSource(t, "azure");
  for (const other of [
    ...[
      "<9f0728f0-338f-454b-b3a2-ca0e924518e9@azure.com>",
      "<202501131823.34067409c4494c2c8b2de03ceb26f173-NVZOA======@microsoft.com>",
      "<campaign_id.1@azure.com>",
      "<campaign_id..1@azure.com>",
      "<other.1.9f0728f0@azure.com>",
      "<campaign_idx1.2.3@azure.com>",
      "<campaign_id.1.9f0728f0>",
      "",
      7,
      undefined,
    ].map((internetMessageId) => viewWith({ internetMessageId })),
    viewWith({}, { eventType: "Microsoft.Communication.EmailDeliveryReportReceived" }),
    viewWith({ engagementType: "forward" }),
    viewWith({}, { data: null }),
    { ...validation, eventType: "Microsoft.EventGrid.SubscriptionDeletedEvent" },
  ]) {
    const answer = await provided.deliver([other]);
    assert.deepEqual([answer.status, answer.body], [200, accepted(0)], JSON.stringify(other));
  }
  assert.deepEqual(await summarizeQuarantined(provided), []);
});

test("Azure: a report of a message to several, which names no recipient, is ignored", async (t) => {
  const provided = await serveSource(t, "azure");
  const { recipient: _, ...data } = view.data;
  const answer = await provided.deliver([{ ...view, data }]);
  assert.deepEqual([answer.status, answer.body], [200, accepted(0)]);
  assert.deepEqual(await summarizeQuarantined(provided), []);
});

test("Azure: the validation of a subscription is answered with its code, also before the secret can come", async (t) => {
  for (const secret of [undefined, "s3cret"]) {
    const provided = await serveSource(t, "azure", { secret });
    const answer = await provided.deliver([validation], validating);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { validationResponse: "512d38b6-c7b8-40c8-89fe-f46f9e9622b6" });
  }
});

test("Azure: what only looks like a validation opens nothing", async (t) => {
  const provided = await serveSource(t, "azure", { secret: "s3cret" });
  for (const body of [
    [view],
    [{ ...validation, data: {} }],
    [],
    null,
    "[",
    [{ ...validation, eventType: "other" }],
  ]) {
    const answer = await provided.deliver(body ?? "null", validating);
    assert.equal(answer.status, 401, JSON.stringify(body));
  }
  assert.equal((await provided.deliver([validation])).status, 401);
  assert.deepEqual(await countsOfCampaign(provided), [0, 0, 0, 0]);
});

test("Azure: the handshake of CloudEvents is answered", async (t) => {
  const { service, path } = await serveSource(t, "azure");
  const response = await fetch(service.url + path, {
    method: "OPTIONS",
    headers: { "webhook-request-origin": "eventgrid.azure.net" },
  });
  assert.equal(response.headers.get("webhook-allowed-origin"), "eventgrid.azure.net");
});

test("Azure: with a secret, it has to come as a delivery property", async (t) => {
  const provided = await serveSource(t, "azure", { secret: "s3cret" });
  for (const headers of [{}, { authorization: "Bearer other" }, { authorization: "s3cret" }]) {
    assert.equal((await provided.deliver([view], headers as Record<string, string>)).status, 401);
  }
  assert.deepEqual(await countsOfCampaign(provided), [0, 0, 0, 0]);
  assert.equal((await provided.deliver([view], { authorization: "Bearer s3cret" })).status, 200);
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 0, 0]);
});

test("Azure: what cannot be read is set aside, not refused", async (t) => {
  const provided = await serveSource(t, "azure");
  for (const body of [JSON.stringify([view]).slice(0, -20), "", "null", '"text"', "[7]"]) {
    const answer = await provided.deliver(body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], body);
  }
  const unread = async (data: Record<string, unknown>, given = {}) =>
    (await provided.deliver([viewWith(data, given)])).body.problems[0]?.message ?? "";
  assert.match(
    await unread({ userActionTimeStamp: "yesterday" }),
    /^at: "yesterday" is not an ISO-8601 time/,
  );
  assert.match(await unread({ userActionTimeStamp: undefined }), /^at: is missing/);
  assert.match(await unread({}, { id: undefined }), /^id: is missing/);
  assert.match(await unread({ engagementType: "click" }), /^url: "" is not text/);
  assert.deepEqual(await countsOfCampaign(provided), [0, 0, 0, 0]);
});

test("Azure: no document throws, and none is read as more than one event", async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>("click", "VIEW", "<campaign_id.1.2@x>", "<@", "..@"),
  );
  const changes = (keys: string[]) => fc.dictionary(fc.constantFrom(...keys, "__proto__"), value);
  const mutated = fc
    .tuple(changes(Object.keys(view)), changes([...Object.keys(view.data), "engagement"]))
    .map(([outer, inner]) => ({ ...view, data: { ...view.data, ...inner }, ...outer }));
  const document = fc.oneof(fc.jsonValue(), mutated, fc.array(mutated));
  await fc.assert(
    fc.asyncProperty(document, fc.constantFrom("campaign_id", "", "__proto__"), async (given, field) => {
      for (const each of azure.listEvents(given) ?? []) {
        if (typeof each !== "object" || each === null || Array.isArray(each)) continue;
        assert.ok(azure.convertEvent(each as Record<string, unknown>, field).length <= 1);
      }
      const body = Buffer.from(JSON.stringify(given));
      await azure.authenticate({ headers: validating, body, url: "", secret: undefined, fetch: assert.fail });
    }),
    { numRuns: 2_000 },
  );
});

test("Azure: a Message-ID that is none is read in no time, however long it is", () => {
  const from = process.cpuUsage();
  for (const internetMessageId of [" ".repeat(1_000_000), "<".repeat(1_000_000), "x".repeat(1_000_000)]) {
    const [event] = azure.convertEvent({ ...view, data: { ...view.data, internetMessageId } }, "campaign_id");
    assert.equal(event?.campaign_id, undefined);
  }
  // Where the time grew with the square of the length it was hours.
  const { user } = process.cpuUsage(from);
  assert.ok(user < 10_000_000, `${user} µs`);
});
