// Webhooks of Brevo.

import { googleProxy, type ProviderExample, scanner, sharedSecret } from "./provider-example.ts";

/** 2026-06-15T11:05:00Z plus the given seconds. */
export const secondsAt = (later = 0) => Date.UTC(2026, 5, 15, 11, 5) / 1000 + later;
export const times = (later = 0) => ({
  ts: secondsAt(later),
  ts_event: secondsAt(later),
  ts_epoch: secondsAt(later) * 1000 + 286,
});

/** The example "First Opening" of developers.brevo.com/docs/transactional-webhooks, with a campaign. */
export const firstOpen = {
  event: "unique_opened",
  email: "example@domain.com",
  id: 948562,
  // In the time zone of the account.
  date: "2026-06-15 04:05:00",
  ...times(),
  "message-id": "<201798300811.5787683@relay.domain.com>",
  subject: "My first Transactional",
  "X-Mailin-custom": '{"campaign_id": "1"}',
  sending_ip: "203.0.113.7",
  template_id: 22,
  tags: ["transac_messages"],
  tag: '["transac_messages"]',
  user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
  device_used: "MOBILE",
  link: "",
};

/** The example "Clicked" of the same page. */
export const click = { ...firstOpen, event: "click", ...times(60), link: "https://domain.com/product" };

/** The example "Unique Proxy Open" of the same page: Apple's Mail Privacy Protection. */
const proxyOpen = {
  id: 25290,
  email: "example@domain.com",
  "message-id": "an#2705147202202651768",
  date: "2026-06-15 13:05:00",
  event: "unique_proxy_open",
  sending_ip: "::",
  ...times(),
  link: "",
  user_agent: "Mozilla/5.0",
  device_used: "DESKTOP",
  "X-Mailin-custom": "campaign_id:1",
};
export const proxyOpens = [
  proxyOpen,
  { ...proxyOpen, event: "proxy_open", ...times(30) },
  { ...proxyOpen, user_agent: undefined, ...times(60) },
];

/** The example "Clicked" of developers.brevo.com/docs/marketing-webhooks; `ts` is an hour off there. */
export const marketingClick = {
  id: 123,
  camp_id: 1,
  email: "example@domain.com",
  "campaign name": "My First Campaign",
  date_sent: "2026-06-15 13:00:00",
  date_event: "2026-06-15 13:05:00",
  event: "click",
  segment_ids: [1, 10],
  tag: "",
  ts_sent: secondsAt(-300),
  ts_event: secondsAt(),
  ts: secondsAt(3600),
  URL: "https://myCampaignUrl.net",
};

const openWith = (given: object) => ({ ...firstOpen, ...given });
const header = (text: unknown) => openWith({ "X-Mailin-custom": text });
const withoutAgent = openWith({ user_agent: undefined });
const opened = openWith({ event: "opened", ts_epoch: firstOpen.ts_epoch + 40 });

export const brevoExample: ProviderExample = {
  ...sharedSecret,
  isBatch: true,
  open: firstOpen,
  click,
  read: {
    open: { at: "2026-06-15T11:05:00.000Z", ip: "203.0.113.7" },
    click: { at: "2026-06-15T11:06:00.000Z", url: "https://domain.com/product" },
  },
  // An open arrives under both of its names.
  repeated: [opened, { ...opened, ts_event: undefined }],
  later: openWith({ event: "opened", ...times(600) }),
  address: (event, email) => ({ ...event, email }),
  distinct: [
    firstOpen,
    openWith({ "message-id": "<2@relay.domain.com>" }),
    openWith({ email: "other@domain.com" }),
    openWith(times(1)),
    openWith({ event: "proxy_open" }),
    openWith({ event: "click" }),
    click,
    { ...click, ts_epoch: click.ts_epoch + 1 },
    { ...click, link: "https://domain.com/other" },
    { ...click, "message-id": undefined, camp_id: 1 },
    { ...click, "message-id": undefined, camp_id: 2 },
  ],
  clients: [
    [firstOpen, "mobile"],
    ...proxyOpens.map((event) => [event, "machine"] as const),
    // The user agent identifies Gmail's proxy, whichever device Brevo reports.
    [openWith({ user_agent: googleProxy, device_used: "DESKTOP" }), "person"],
    [{ ...withoutAgent, device_used: "DESKTOP" }, "desktop"],
    [withoutAgent, "mobile"],
    // Invalid evidence is ignored.
    [openWith({ user_agent: 7, sending_ip: {} }), "mobile"],
    [{ ...click, user_agent: scanner }, "machine"],
  ],
  campaigns: [
    ["campaign_id", header('{"campaign_id": 7}'), 7],
    ["campaign_id", header(' {"a": {"campaign_id": 2}, "campaign_id": " weekly "}'), "weekly"],
    ["campaign_id", header("campaign_id:7"), 7],
    ["campaign_id", header("language:en | campaign_id : a:b|campaign_id:8"), "a:b"],
    ["campaign_id", header('{"campaign_id": {"id": 7}}'), undefined],
    ["campaign_id", header('{"campaign_id": 7'), undefined],
    ["campaign_id", header('{"__proto__": {"campaign_id": 7}}'), undefined],
    ["campaign_id", header("xcampaign_id:7|campaign_id"), undefined],
    ["campaign_id", header(""), undefined],
    ["campaign_id", header(["campaign_id:7"]), undefined],
    ["campaign_id", header(null), undefined],
    ["tags", firstOpen, "transac_messages"],
    ["tags", openWith({ tags: ["7"] }), 7],
    ["tags", openWith({ tags: [] }), undefined],
    ["tag", firstOpen, "transac_messages"],
    ["tag", openWith({ tag: "weekly" }), "weekly"],
    ["tag", openWith({ tag: "[draft" }), "[draft"],
    ["tag", openWith({ tag: "[]" }), undefined],
    ["template_id", firstOpen, 22],
    ["subject", openWith({ subject: "[1]" }), "[1]"],
    ["X-Mailin-custom", header("weekly"), "weekly"],
    ["constructor", firstOpen, undefined],
  ],
  external: { campaignField: "tags", event: firstOpen, external_id: "transac_messages" },
  ignored: [
    ...["request", "deferred", "list_addition", "toString"].map((event) => openWith({ event })),
    header("some_custom_header"),
    marketingClick,
    { event: "contact_deleted", email: ["example@domain.com"], id: 1, ts: 1 },
    [marketingClick, header("some_custom_header")],
  ],
  unreadable: [
    JSON.stringify(firstOpen).slice(0, -20),
    {},
    { events: [firstOpen] },
    "7",
    "null",
    [7],
    ["opened"],
  ],
  invalid: [
    [
      openWith({ ts_event: "2026-06-15 11:05:00", ts_epoch: undefined }),
      /^at: "2026-06-15 11:05:00" is not an ISO-8601/,
    ],
    [openWith({ ts_event: undefined, ts_epoch: undefined }), /^at: is missing/],
    [openWith({ email: "" }), /^recipient: "" is not text/],
    [openWith({ "message-id": undefined }), /^id: is missing/],
    [openWith({ event: "click", link: "" }), /^url: "" is not text/],
  ],
  oddities: ["opened", "click", "proxy_open", "{", "[", "a:b|c", '{"campaign_id":', "::", "DESKTOP", 1],
};
