// SparkPost, which is Bird's: a list of events, each in an envelope, without a signature
// (developers.sparkpost.com/api/webhooks and support.sparkpost.com/docs/tech-resources/open-pixel-location).

import { admitByAuthorization } from "./authorization.ts";
import { campaignOf, fieldOf, fieldsOf, ipOf, timeOfSeconds, userAgentOf } from "./fields.ts";
import type { Fields, Provider, ProviderEvent } from "./provider.ts";

/** The pixels at the top and at the bottom of a message; AMP is another form of the same message. */
const kinds = new Map<unknown, "top" | "bottom" | "click">([
  ["initial_open", "top"],
  ["amp_initial_open", "top"],
  ["open", "bottom"],
  ["amp_open", "bottom"],
  ["click", "click"],
  ["amp_click", "click"],
]);

export const sparkpost: Provider = {
  title: "SparkPost (Bird)",
  secret: {
    isNeeded: false,
    meaning:
      "a password of your own choice, to be entered at SparkPost under Authentication as Basic Auth Password",
  },
  bodyBytesMax: 10 * 1024 * 1024,
  carrier: "`metadata` of the transmission or of the recipient, or its `campaign_id`",
  admit: admitByAuthorization,
  listOf: (document) => (Array.isArray(document) ? document : undefined),
  read({ msys }, campaignField) {
    // A test of the address has an envelope with nothing in it.
    const event = fieldsOf(fieldsOf(msys).track_event);
    const kind = kinds.get(event.type);
    if (kind === undefined) return [];
    const base = {
      campaign_id: campaignOf(
        fieldOf(fieldsOf(event.rcpt_meta), campaignField),
        fieldOf(event, campaignField),
      ),
      id: event.event_id,
      recipient: event.rcpt_to ?? event.raw_rcpt_to,
      at: timeOfSeconds(event.timestamp),
      ...evidenceOf(event),
    };
    return [
      kind === "click" ? { ...base, type: "click", url: event.target_link_url } : openOf(base, kind, event),
    ];
  },
};

/**
 * Who looks at a message fetches both of its pixels, and has opened it once: the one at the top is the open, since long
 * messages are cut off before the other. The one at the bottom is a reading which was not measured: it implies an open
 * where the first was not told of, and adds none where it was. Without a pixel at the top, it is the open.
 */
function openOf(
  base: Omit<ProviderEvent, "type">,
  pixel: "top" | "bottom",
  { initial_pixel: hasTop }: Fields,
): ProviderEvent {
  return pixel === "bottom" && hasTop === true
    ? { ...base, type: "read", seconds: 0 }
    : { ...base, type: "open" };
}

function evidenceOf({ user_agent: userAgent, ip_address: ip, user_agent_parsed: given }: Fields) {
  const parsed = fieldsOf(given);
  const isMachine = parsed.is_prefetched === true;
  // A proxy is nobody's device. Whatever is not mobile may be anything: there the user agent tells.
  const isMobile = parsed.is_mobile === true && parsed.is_proxy !== true && !isMachine;
  return {
    user_agent: userAgentOf(userAgent),
    ip: ipOf(ip),
    ...(isMobile && { device: "mobile" as const }),
    ...(isMachine && { machine: true }),
  };
}
