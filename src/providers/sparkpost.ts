// SparkPost (Bird): a list of events, each in an envelope, unsigned
// (developers.sparkpost.com/api/webhooks and support.sparkpost.com/docs/tech-resources/open-pixel-location).

import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import { checkAuthorizationHeader } from "./authorization-header.ts";
import { parseCampaignId, parseIp, parseUserAgent, toIsoTime } from "./event-fields.ts";
import { type JsonObject, ownProperty, toJsonObject } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

/** Messages have a pixel at the top and one at the bottom. AMP is another format of the same message. */
const kinds = new Map<unknown, "top" | "bottom" | "click">([
  ["initial_open", "top"],
  ["amp_initial_open", "top"],
  ["open", "bottom"],
  ["amp_open", "bottom"],
  ["click", "click"],
  ["amp_click", "click"],
]);

const outcomes = new Map<unknown, MessageOutcome>([
  ["delivery", "delivered"],
  ["policy_rejection", "suppressed"],
  ["generation_rejection", "suppressed"],
  ["generation_failure", "suppressed"],
  ["spam_complaint", "complained"],
  ["list_unsubscribe", "unsubscribed"],
  ["link_unsubscribe", "unsubscribed"],
]);

/** Classes of bounces; all others are soft. Undefined for replies: the message has arrived. */
const bounceClasses = new Map<string, MessageOutcome | undefined>([
  ["10", "bounced_hard"],
  ["30", "bounced_hard"],
  ["25", "suppressed"],
  ["90", "unsubscribed"],
  ...["60", "80", "100"].map((reply) => [reply, undefined] as const),
]);

export const sparkpost: Provider = {
  title: "SparkPost (Bird)",
  secret: {
    isRequired: false,
    description:
      "a password that you choose; in SparkPost, enter it under Authentication as the Basic Auth password",
  },
  maxBodyBytes: 10 * 1024 * 1024,
  campaignFieldLocation: "`metadata` of the transmission or of the recipient, or its `campaign_id`",
  authenticate: checkAuthorizationHeader,
  listEvents: (document) => (Array.isArray(document) ? document : undefined),
  convertEvent({ msys }, campaignField) {
    // The test request of SparkPost has an empty envelope.
    const { track_event: tracked, ...others } = toJsonObject(msys);
    const event = toJsonObject(
      tracked ?? others.message_event ?? others.unsubscribe_event ?? others.gen_event,
    );
    const kind = tracked === undefined ? undefined : kinds.get(event.type);
    const outcome = tracked === undefined ? outcomeIn(event) : undefined;
    const base = {
      campaign_id: parseCampaignId(
        ownProperty(toJsonObject(event.rcpt_meta), campaignField),
        ownProperty(event, campaignField),
      ),
      id: event.event_id,
      recipient: event.rcpt_to ?? event.raw_rcpt_to,
      at: toIsoTime(event.timestamp),
    };
    if (outcome) return [{ ...base, ...reportOf(outcome) }];
    if (kind === undefined) return [];
    const read = { ...base, ...clientOf(event) };
    return [
      kind === "click" ? { ...read, type: "click", url: event.target_link_url } : toOpen(read, kind, event),
    ];
  },
};

function outcomeIn({ type, bounce_class: bounceClass }: JsonObject): MessageOutcome | undefined {
  if (type !== "bounce" && type !== "out_of_band") return outcomes.get(type);
  const known = String(bounceClass);
  return bounceClasses.has(known) ? bounceClasses.get(known) : "bounced_soft";
}

/**
 * A mail client loads both pixels of a message, but that is one open. The top pixel is the open, because mail clients
 * cut off long messages. The bottom pixel becomes a read of unknown duration: it implies an open if the top pixel was
 * not reported, and adds none if it was. In a message without a top pixel, the bottom one is the open.
 */
function toOpen(
  base: Omit<ProviderEvent, "type">,
  pixel: "top" | "bottom",
  { initial_pixel: hasTop }: JsonObject,
): ProviderEvent {
  return pixel === "bottom" && hasTop === true
    ? { ...base, type: "read", seconds: 0 }
    : { ...base, type: "open" };
}

function clientOf({ user_agent: userAgent, ip_address: ip, user_agent_parsed: value }: JsonObject) {
  const parsed = toJsonObject(value);
  const isMachine = parsed.is_prefetched === true;
  // A proxy is not a recipient's device. Clients that are not mobile may be anything; there the user agent decides.
  const isMobile = parsed.is_mobile === true && parsed.is_proxy !== true && !isMachine;
  return {
    user_agent: parseUserAgent(userAgent),
    ip: parseIp(ip),
    ...(isMobile && { device: "mobile" as const }),
    ...(isMachine && { machine: true }),
  };
}
