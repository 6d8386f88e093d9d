// Webhooks of SparkPost.

import { appleProxy, googleProxy, type ProviderExample, sharedSecret } from "./provider-example.ts";

/** 2026-06-15T11:05:00Z plus the given seconds, as text. */
export const secondsAt = (later = 0) => String(Date.UTC(2026, 5, 15, 11, 5) / 1000 + later);

/** The engagement event of developers.sparkpost.com/api/webhooks, with a campaign, without most of what means nothing here. */
const sample = {
  campaign_id: "Example Campaign Name",
  event_id: "92356927693813856",
  friendly_from: "sender@example.com",
  geo_ip: { country: "US", latitude: 39.1749 },
  injection_time: "2026-06-15T11:00:00.000Z",
  initial_pixel: true,
  ip_address: "18.236.253.72",
  message_id: "000443ee14578172be22",
  rcpt_meta: { customKey: "customValue", campaign_id: "1" },
  rcpt_tags: ["male", "US"],
  rcpt_to: "recipient@example.com",
  raw_rcpt_to: "Recipient@example.com",
  sending_ip: "127.0.0.1",
  subject: "Summer deals are here!",
  template_id: "templ-1234",
  timestamp: secondsAt(),
  transmission_id: "65832150921904138",
  user_agent:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_3) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2272.118 Safari/537.36",
  user_agent_parsed: {
    agent_family: "Chrome",
    is_mobile: false,
    is_proxy: false,
    is_prefetched: false,
  },
};

let count = 0;

/** The event in its envelope, with a new id. */
export function event(type: string, given: Record<string, unknown> = {}) {
  count += 1;
  const own = { type, event_id: `9235692769381${count}`, ...given };
  return { msys: { track_event: { ...sample, ...own } }, cust: { id: "1" } };
}

const open = event("initial_open");
const click = event("click", {
  target_link_name: "Example Link Name",
  target_link_url: "http://example.com",
});
const by = (type: string, parsed: object, given: object = {}) =>
  event(type, { user_agent_parsed: { ...sample.user_agent_parsed, ...parsed }, ...given });
const withMeta = (rcpt_meta: unknown) => event("open", { rcpt_meta });

export const sparkpostExample: ProviderExample = {
  ...sharedSecret,
  isBatch: true,
  open,
  click,
  read: {
    open: { at: "2026-06-15T11:05:00.000Z", ip: "18.236.253.72" },
    click: { at: "2026-06-15T11:05:00.000Z", url: "http://example.com" },
  },
  later: event("initial_open", { timestamp: secondsAt(600) }),
  address: ({ msys, cust }, rcpt_to) => {
    const { track_event } = msys as typeof open.msys;
    return { msys: { track_event: { ...track_event, event_id: rcpt_to, rcpt_to } }, cust };
  },
  clients: [
    [open, "desktop"],
    [event("amp_initial_open"), "desktop"],
    [event("amp_click", { target_link_url: "http://example.com/2" }), "desktop"],
    [by("initial_open", { is_prefetched: true, is_mobile: true }), "machine"],
    [by("open", { is_prefetched: true, is_mobile: true }), "machine"],
    [by("initial_open", { is_proxy: true, is_mobile: true }, { user_agent: googleProxy }), "person"],
    [by("initial_open", {}, { user_agent: appleProxy }), "machine"],
    // A mobile client, with any user agent.
    [event("initial_open", { user_agent_parsed: { is_mobile: true } }), "mobile"],
  ],
  campaigns: [
    ["campaign_id", withMeta({ campaign_id: 7 }), 7],
    ["customKey", withMeta({ customKey: "customValue" }), "customValue"],
    ["rcpt_tags", withMeta({}), "male"],
    ["constructor", withMeta({}), undefined],
  ],
  external: {
    campaignField: "campaign_id",
    event: event("initial_open", { rcpt_meta: { customKey: "customValue" } }),
    external_id: "Example Campaign Name",
  },
  ignored: [
    [{ msys: {} }],
    [],
    [{ msys: { message_event: { ...sample, type: "delay" } } }],
    [{ msys: { message_event: { ...sample, type: "open" } } }],
    [event("toString")],
    // SparkPost sends only this much from the sixtieth day after sending on.
    [event("initial_open", { campaign_id: undefined, rcpt_meta: undefined, rcpt_tags: undefined })],
  ],
  unreadable: [JSON.stringify([open]).slice(0, -20), JSON.stringify(open), "", "null", '["event"]'],
  invalid: [
    [event("initial_open", { timestamp: "yesterday" }), /^at: "yesterday" is not an ISO-8601/],
    [event("initial_open", { timestamp: undefined }), /^at: is missing/],
    [event("open", { event_id: 92356927693813856 }), /^id: \d+ is not text/],
    [event("open", { rcpt_to: undefined, raw_rcpt_to: undefined }), /^recipient: is missing/],
    [event("click"), /^url: is missing/],
  ],
  oddities: ["open", "initial_open", "click", "amp_open", "constructor", true, "NaN", -1, 1e300],
};
