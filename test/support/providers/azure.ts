// Webhooks of Azure Communication Services, which arrive through Event Grid.

import { appleProxy, iPhone, type ProviderExample, sharedSecret } from "./provider-example.ts";

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
export const cloudClick = {
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
export const validation = {
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

const reports = (data: Record<string, unknown>, given: Record<string, unknown> = {}) => ({
  ...view,
  data: { ...view.data, ...data },
  ...given,
});
const from = (internetMessageId: unknown) => reports({ internetMessageId });
const withoutMessageId = reports({ internetMessageId: undefined });

export const azureExample: ProviderExample = {
  ...sharedSecret,
  isBatch: true,
  open: view,
  click: cloudClick,
  read: {
    open: { at: view.data.userActionTimeStamp, recipient: "receiver@azure.com" },
    click: { at: cloudClick.data.userActionTimestamp, url: "www.example.com", device: "desktop" },
  },
  later: reports({ userActionTimeStamp: "2026-06-15T11:45:00Z" }, { id: "another" }),
  address: (event, recipient) => ({
    ...event,
    id: recipient,
    data: { ...(event.data as object), recipient },
  }),
  clients: [
    [reports({ userAgent: "Desktop" }), "desktop"],
    [reports({ userAgent: "Mobile" }), "mobile"],
    [reports({ userAgent: "tablet" }), "mobile"],
    [reports({ userAgent: iPhone }), "mobile"],
    [reports({ userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }), "machine"],
    [reports({ userAgent: appleProxy }), "machine"],
    // Both spellings of every field.
    [reports({ engagementType: "View" }), "person"],
    [
      reports({
        engagementType: undefined,
        engagement: "view",
        userActionTimeStamp: undefined,
        userActionTimestamp: "2026-06-15T11:06:00Z",
      }),
      "person",
    ],
    [
      reports({ engagementType: undefined, engagement: "Click", engagementContext: "https://example.com" }),
      "person",
    ],
  ],
  campaigns: [
    ["campaign_id", from("<campaign_id.1.9f0728f0@azure.com>"), 1],
    ["campaign_id", from("campaign_id.1.9f0728f0@azure.com"), 1],
    ["campaign_id", from("<campaign_id.weekly.2026-05.9f0728f0@azure.com>"), "weekly.2026-05"],
    ["news", from("<news.weekly.9f0728f0@azure.com>"), "weekly"],
    ["messageId", withoutMessageId, "00000000-0000-0000-0000-000000000000"],
  ],
  external: { campaignField: "sender", event: withoutMessageId, external_id: "senderid@azure.com" },
  ignored: [
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
    ].map((internetMessageId) => [from(internetMessageId)]),
    [reports({ engagementType: "forward" })],
    [reports({}, { data: null })],
    [{ ...validation, eventType: "Microsoft.EventGrid.SubscriptionDeletedEvent" }],
    // As for a message to several recipients.
    [reports({ recipient: undefined })],
  ],
  unreadable: [JSON.stringify([view]).slice(0, -20), "", "null", '"text"', [7]],
  invalid: [
    [reports({ userActionTimeStamp: "yesterday" }), /^at: "yesterday" is not an ISO-8601 time/],
    [reports({ userActionTimeStamp: undefined }), /^at: is missing/],
    [reports({}, { id: undefined }), /^id: is missing/],
    [reports({ engagementType: "click" }), /^url: "" is not text/],
  ],
  oddities: ["click", "VIEW", "<campaign_id.1.2@x>", "<@", "..@"],
};
