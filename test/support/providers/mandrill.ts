// Webhooks of Mailchimp Transactional (Mandrill) and their signatures.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import {
  appleProxy,
  changeBody,
  changeHeader,
  googleProxy,
  type ProviderExample,
  type SentRequest,
  scanner,
} from "./provider-example.ts";

const secret = "ntynTMaFpM_octE5R1DKAw";
const signatureHeader = "x-mandrill-signature";

/** JSON as PHP serializes it. */
export const serialize = (events: unknown) => JSON.stringify(events).replaceAll("/", "\\/");
export const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** The signature of a form for a URL: it covers the fields in the order of their names. */
export function signatureOf(url: string, fields: Record<string, string>, key = secret): string {
  const names = Object.keys(fields).sort();
  const text = url + names.map((name) => name + fields[name]).join("");
  return createHmac("sha1", key).update(text).digest("base64");
}

/** A form with its signature. */
export const signForm = (url: string, fields: Record<string, string>, key = secret): SentRequest => ({
  body: formOf(fields),
  headers: {
    "content-type": "application/x-www-form-urlencoded",
    [signatureHeader]: signatureOf(url, fields, key),
  },
});

/** 2026-06-15T11:05:00Z */
const ts = 1_781_521_500;

/** The test events of Mailchimp Transactional, with a campaign and another time. */
export const message = {
  ts: 1_781_521_200,
  subject: "This an example webhook message",
  email: "example.webhook@mandrillapp.com",
  sender: "example.sender@mandrillapp.com",
  tags: ["webhook-example"],
  opens: [{ ts }],
  clicks: [{ ts, url: "http://mandrill.com" }],
  state: "sent",
  metadata: { user_id: 111, campaign_id: "1" },
  _id: "exampleaaaaaaaaaaaaaaaaaaaaaaaaa",
  _version: "exampleaaaaaaaaaaaaaaa",
};
const parsed = {
  type: "Email Client",
  ua_family: "Postbox",
  ua_name: "Postbox 1.1.3",
  ua_version: "1.1.3",
  ua_url: "http://www.postbox-inc.com/",
  ua_company: "Postbox, Inc.",
  ua_company_url: "http://www.postbox-inc.com/",
  ua_icon: "http://cdn.mandrill.com/img/email-client-icons/postbox.png",
  os_family: "OS X",
  os_name: "OS X 10.6 Snow Leopard",
  os_url: "http://www.apple.com/osx/",
  os_company: "Apple Computer, Inc.",
  os_company_url: "http://www.apple.com/",
  os_icon: "http://cdn.mandrill.com/img/email-client-icons/macosx.png",
  mobile: false,
};
const location = {
  country_short: "US",
  country: "United States",
  region: "Oklahoma",
  city: "Oklahoma City",
  latitude: 35.4675598145,
  longitude: -97.5164337158,
  postal_code: "73101",
  timezone: "-05:00",
};
const client = {
  ip: "127.0.0.1",
  location,
  user_agent:
    "Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10.6; en-US; rv:1.9.1.8) Gecko/20100317 Postbox/1.1.3",
  user_agent_parsed: parsed,
};
export const open = { event: "open", msg: message, _id: message._id, ...client, ts };
export const click = { ...open, event: "click", url: "http://mandrill.com" };

/** The click of a request that the library mandrill-rails publishes, together with its key, URL and signature. */
export const publishedClick = {
  event: "click",
  msg: {
    ...message,
    ts: 1_365_109_999,
    opens: [{ ts: 1_365_111_111 }],
    clicks: [{ ts: 1_365_111_111, url: "http://mandrill.com" }],
    metadata: { user_id: 111 },
  },
  ...client,
  url: "http://mandrill.com",
  ts: 1_379_233_940,
};

const openWith = (given: object) => ({ ...open, ...given });
const openOf = (given: object) => openWith({ msg: { ...message, ...given } });
const by = (event: object, type: unknown, user_agent: unknown = client.user_agent) => ({
  ...event,
  user_agent,
  user_agent_parsed: { ...parsed, type },
});
const on = (mobile: unknown, user_agent: string) =>
  openWith({ user_agent, user_agent_parsed: { ...parsed, mobile } });
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 6_1 like Mac OS X) AppleWebKit/536.26 Mobile/10B143";
const reader = "Mozilla/4.0 (Acme Reader)";

export const mandrillExample: ProviderExample = {
  secret,
  otherSecret: "key-of-another-account",
  isBatch: true,
  send: (events, url, key) =>
    signForm(url, { mandrill_events: typeof events === "string" ? events : serialize(events) }, key),
  open,
  click,
  read: {
    open: { at: "2026-06-15T11:05:00.000Z", ip: "127.0.0.1" },
    click: { at: "2026-06-15T11:05:00.000Z", url: "http://mandrill.com" },
  },
  // The message has more opens by now, but the event is the same.
  repeated: [
    { ...click, msg: { ...message, opens: [{ ts }, { ts: ts + 60 }], clicks: [] } },
    openWith({ location: null }),
  ],
  later: openWith({ ts: ts + 1800 }),
  address: (event, email) => ({ ...event, _id: email, msg: { ...(event.msg as object), email } }),
  distinct: [
    open,
    click,
    openWith({ _id: "another" }),
    openWith({ ts: ts + 1 }),
    openWith({ ip: "127.0.0.2" }),
    openWith({ user_agent: "another" }),
    openOf({ email: "another@example.com" }),
    { ...click, url: "http://mandrill.com/another" },
  ],
  clients: [
    [open, "desktop"],
    [by(open, "Robot"), "machine"],
    [by(open, "robot"), "machine"],
    [by(click, "Robot"), "machine"],
    [by(click, "Robot", googleProxy), "machine"],
    [by(open, "Browser", appleProxy), "machine"],
    [by(click, "Browser", scanner), "machine"],
    // A person opens through a proxy.
    [by(open, "Robot", googleProxy), "person"],
    [by(open, "unknown", googleProxy), "person"],
    [by(open, "Browser"), "desktop"],
    // Invalid evidence is ignored.
    [by(open, ["Robot"], 7), "person"],
    [openWith({ user_agent: null, user_agent_parsed: null, ip: {}, location: null }), "person"],
    [openWith({ user_agent_parsed: [] }), "desktop"],
    [on(true, reader), "mobile"],
    [on(false, iPhone), "mobile"],
    [on("true", iPhone), "mobile"],
    [on(false, reader), "person"],
    [on(true, googleProxy), "person"],
    [on(false, googleProxy), "person"],
  ],
  campaigns: [
    ["campaign_id", openOf({ metadata: { campaign_id: 7 } }), 7],
    ["campaign_id", openOf({ metadata: { campaign_id: "weekly" } }), "weekly"],
    ["campaign_id", openOf({ metadata: [] }), undefined],
    ["campaign_id", openOf({ metadata: null }), undefined],
    ["tags", open, "webhook-example"],
    ["tags", openOf({ tags: [] }), undefined],
    ["tags", openOf({ metadata: { tags: "of metadata" } }), "of metadata"],
    ["subject", open, "This an example webhook message"],
    ["constructor", open, undefined],
    ["__proto__", open, undefined],
  ],
  external: { campaignField: "tags", event: openOf({ metadata: [] }), external_id: "webhook-example" },
  ignored: [
    [
      ...["send", "deferral"].map((event) => ({ event, msg: message, _id: message._id, ts })),
      { type: "blacklist", action: "add", reject: { reason: "hard-bounce", email: message.email }, ts },
      { type: "whitelist", action: "remove", entry: { email: message.email }, ts },
    ],
    [openWith({ msg: undefined })],
    [{ ...click, msg: { ...message, metadata: { user_id: 111 } } }],
    [openOf({ metadata: [] })],
    [openWith({ msg: null })],
    [openWith({ event: 7 })],
    [{}],
    [],
  ],
  unreadable: [serialize([open]).slice(0, -9), "", "null", "7", serialize(open), [7]],
  invalid: [
    [openWith({ ts: "soon" }), /^at: "soon" is not an ISO-8601 time/],
    [openWith({ ts: null }), /^at: is missing/],
    [openWith({ _id: undefined }), /^id: is missing/],
    [openWith({ _id: "" }), /^id: "" is not/],
    [openWith({ _id: 7 }), /^id: 7 is not/],
    [openOf({ email: {} }), /^recipient: {} is not/],
    [{ ...click, url: null }, /^url: is missing/],
  ],
  forgeries(right, url) {
    const fields = { mandrill_events: new URLSearchParams(right.body).get("mandrill_events") ?? "" };
    const signature = right.headers[signatureHeader] ?? "";
    return [
      ...changeHeader(
        right,
        signatureHeader,
        "%%%",
        signature.slice(0, -4),
        Buffer.from(signature, "base64").toString("hex"),
        signatureOf(url, fields, "test-webhook"),
        signatureOf(`${url}/`, fields),
        signatureOf(new URL(url).origin, fields),
        signatureOf("", fields),
      ),
      ...changeBody(
        right,
        right.body.slice(0, -2),
        right.body.replace("example.webhook", "forged"),
        fields.mandrill_events,
      ),
    ];
  },
  refusal: /source change --secret.* source list /,
  missingSecret: /^This source has no secret yet.* column Key.*source change --secret/,
  secretFormat: {
    description: /^the key that Mailchimp Transactional shows for the webhook/,
    right: [secret, "gplJ8yhGWl0ecvnWeqQHBg"],
    wrong: ["", "test-webhook", `${secret}\n`, `${secret} `, "a key of Mailchimp Transactional's"],
  },
  bodies: fc
    .array(fc.oneof(fc.string(), fc.constantFrom("%", "%E4", "&", "=", "+", "mandrill_events=[]")))
    .map((pieces) => pieces.join("")),
  oddities: ["Robot", true, 1e300, -1, "1781521500"],
};
