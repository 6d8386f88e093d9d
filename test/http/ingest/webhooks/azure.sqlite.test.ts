// Webhooks of Azure Communication Services, which arrive through Event Grid.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { azure } from "../../../../src/providers/azure.ts";
import { randomCases } from "../../../support/random-cases.ts";
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

/** The CloudEvent example of github.com/Azure/azure-rest-api-specs (eventgrid), with a recipient and a campaign. */
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

/** The example with a new id and the given changes. */
function viewWith(data: Record<string, unknown>, given: Record<string, unknown> = {}) {
  count += 1;
  return { ...view, id: `view-${count}`, data: { ...view.data, ...data }, ...given };
}

test("Azure: counts an open and a click in the Event Grid schema and as CloudEvents", async (t) => {
  const source = await serveSource(t, "azure");
  const opened = await source.deliver([view], { "aeg-event-type": "Notification" });
  assert.equal(opened.status, 200);
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

test("Azure: accepts both spellings of every field", async (t) => {
  const source = await serveSource(t, "azure");
  await source.deliver([
    viewWith({ engagementType: "View" }),
    viewWith({
      engagementType: undefined,
      engagement: "view",
      userActionTimeStamp: undefined,
      userActionTimestamp: "2026-06-15T11:06:00Z",
    }),
    viewWith({ engagementType: undefined, engagement: "Click", engagementContext: "https://example.com" }),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 1, 0]);
});

test("Azure: counts a repeated delivery once and a second open as another", async (t) => {
  const source = await serveSource(t, "azure");
  await source.deliver([view]);
  assert.deepEqual((await source.deliver([view])).body, { ...accepted(0), repeated: 1 });
  await source.deliver([viewWith({ userActionTimeStamp: "2026-06-15T11:45:00Z" })]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});

test("Azure: takes the device from a word instead of a user agent, and classifies a user agent", async (t) => {
  const source = await serveSource(t, "azure");
  const to = (recipient: string, userAgent: string) => viewWith({ recipient, userAgent });
  await source.deliver([
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
  assert.deepEqual(await countsOfCampaign(source), [4, 0, 0, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate", "mobile_open_rate"), [25, 75]);
});

test("Azure: reads the campaign from the Message-ID under the campaign field", () => {
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

test("Azure: reads the campaign from the sender or the message id when there is no Message-ID", async (t) => {
  const external_id = "senderid@azure.com";
  const source = await serveSource(t, "azure", { campaignField: "sender", register: { external_id } });
  const given = viewWith({ internetMessageId: undefined });
  await source.deliver([given]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  assert.equal(
    azure.convertEvent(given, "messageId")[0]?.campaign_id,
    "00000000-0000-0000-0000-000000000000",
  );
});

test("Azure: acknowledges and ignores other mail and other event types", async (t) => {
  const source = await serveSource(t, "azure");
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
    const answer = await source.deliver([other]);
    assert.deepEqual([answer.status, answer.body], [200, accepted(0)], JSON.stringify(other));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Azure: ignores a report without a recipient, as for a message to several", async (t) => {
  const source = await serveSource(t, "azure");
  const { recipient: _, ...data } = view.data;
  const answer = await source.deliver([{ ...view, data }]);
  assert.deepEqual([answer.status, answer.body], [200, accepted(0)]);
  assert.deepEqual(await summarizeQuarantined(source), []);
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
    [view],
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

test("Azure: answers the handshake of CloudEvents", async (t) => {
  const { service, path } = await serveSource(t, "azure");
  const response = await fetch(service.url + path, {
    method: "OPTIONS",
    headers: { "webhook-request-origin": "eventgrid.azure.net" },
  });
  assert.equal(response.headers.get("webhook-allowed-origin"), "eventgrid.azure.net");
});

test("Azure: requires the secret as a delivery property", async (t) => {
  const source = await serveSource(t, "azure", { secret: "s3cret" });
  for (const headers of [{}, { authorization: "Bearer other" }, { authorization: "s3cret" }]) {
    assert.equal((await source.deliver([view], headers as Record<string, string>)).status, 401);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver([view], { authorization: "Bearer s3cret" })).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Azure: quarantines unreadable events instead of refusing them", async (t) => {
  const source = await serveSource(t, "azure");
  for (const body of [JSON.stringify([view]).slice(0, -20), "", "null", '"text"', "[7]"]) {
    const answer = await source.deliver(body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], body);
  }
  const unread = async (data: Record<string, unknown>, given = {}) =>
    (await source.deliver([viewWith(data, given)])).body.problems[0]?.message ?? "";
  assert.match(
    await unread({ userActionTimeStamp: "yesterday" }),
    /^at: "yesterday" is not an ISO-8601 time/,
  );
  assert.match(await unread({ userActionTimeStamp: undefined }), /^at: is missing/);
  assert.match(await unread({}, { id: undefined }), /^id: is missing/);
  assert.match(await unread({ engagementType: "click" }), /^url: "" is not text/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Azure: converts any document without throwing, into one event at most", async () => {
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
    { numRuns: randomCases(200) },
  );
});

test("Azure: parses an invalid Message-ID of any length in linear time", () => {
  const from = process.cpuUsage();
  for (const internetMessageId of [" ".repeat(1_000_000), "<".repeat(1_000_000), "x".repeat(1_000_000)]) {
    const [event] = azure.convertEvent({ ...view, data: { ...view.data, internetMessageId } }, "campaign_id");
    assert.equal(event?.campaign_id, undefined);
  }
  // Quadratic time would be hours.
  const { user } = process.cpuUsage(from);
  assert.ok(user < 10_000_000, `${user} µs`);
});
