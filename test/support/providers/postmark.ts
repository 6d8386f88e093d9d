// Webhooks of Postmark.

import { type ProviderExample, sharedSecret } from "./provider-example.ts";

/** The example of postmarkapp.com/developer/webhooks/open-tracking-webhook, with a campaign, without what means nothing here. */
export const open = {
  FirstOpen: true,
  Platform: "WebMail",
  UserAgent:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_7_5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/35.0.1916.153 Safari/537.36",
  ReadSeconds: 5,
  Geo: { Country: "Serbia", IP: "8.8.8.8" },
  MessageID: "00000000-0000-0000-0000-000000000000",
  MessageStream: "outbound",
  Metadata: { campaign_id: "1" },
  ReceivedAt: "2026-06-15T11:05:00.0000000Z",
  Tag: "welcome-email",
  Recipient: "john@example.com",
  RecordType: "Open",
};

/** The example of postmarkapp.com/developer/webhooks/click-webhook, with a campaign. */
const click = {
  ...open,
  RecordType: "Click",
  ClickLocation: "HTML",
  Platform: "Desktop",
  OriginalLink: "https://example.com",
};
const openWith = (given: object) => ({ ...open, ...given });

export const postmarkExample: ProviderExample = {
  ...sharedSecret,
  isBatch: false,
  open,
  click,
  read: {
    open: { at: open.ReceivedAt, recipient: "john@example.com" },
    click: { at: open.ReceivedAt, url: "https://example.com" },
  },
  // An open and its reading.
  eventsOfOpen: 2,
  later: openWith({ FirstOpen: false, ReceivedAt: "2026-06-15T11:45:00Z", ReadSeconds: 0 }),
  address: (event, Recipient) => ({ ...event, Recipient }),
  clients: [[open, "desktop"]],
  campaigns: [
    ["Tag", openWith({ Metadata: {} }), "welcome-email"],
    ["campaign_id", openWith({ Metadata: {} }), undefined],
  ],
  external: { campaignField: "Tag", event: openWith({ Metadata: {} }), external_id: "welcome-email" },
  ignored: [openWith({ RecordType: "Inbound" }), openWith({ Metadata: {} })],
  unreadable: [JSON.stringify(open).slice(0, -20)],
  invalid: [
    [openWith({ ReceivedAt: "yesterday", ReadSeconds: 0 }), /^at: "yesterday" is not an ISO-8601 time/],
  ],
};
