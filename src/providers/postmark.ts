// Postmark: one event per request, unsigned (postmarkapp.com/developer/webhooks/open-tracking-webhook and …/click-webhook).

import type { Device } from "../campaign/events/traffic.ts";
import { checkAuthorizationHeader } from "./authorization-header.ts";
import { composeEventId, parseCampaignId, parseClient, parseIp } from "./event-fields.ts";
import { type JsonObject, ownProperty, toJsonObject } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

/** `WebMail` may be any device; there the user agent decides. */
const devices = new Map<unknown, Device>([
  ["Desktop", "desktop"],
  ["Mobile", "mobile"],
]);

export const postmark: Provider = {
  title: "Postmark",
  secret: {
    isRequired: false,
    description:
      "a password that you choose; in Postmark, put it into the webhook URL: `https://any:PASSWORD@…`",
  },
  maxBodyBytes: 1024 * 1024,
  campaignFieldLocation: "`Metadata` of the message, or `Tag`",
  authenticate: checkAuthorizationHeader,
  listEvents: (document) => [document],
  convertEvent(event, campaignField) {
    const { RecordType: type, MessageID: message, Recipient: recipient, ReceivedAt: at } = event;
    if (type !== "Open" && type !== "Click") return [];
    const base = {
      campaign_id: parseCampaignId(
        ownProperty(toJsonObject(event.Metadata), campaignField),
        ownProperty(event, campaignField),
      ),
      recipient,
      at,
      ...clientOf(event, type === "Click" ? "click" : "open"),
    };
    // Without a message the id stays missing, so that the event is unreadable.
    const idOf = (...more: unknown[]) =>
      typeof message === "string" ? composeEventId(message, recipient, at, type, ...more) : message;
    if (type === "Click") {
      const { OriginalLink: url } = event;
      return [{ ...base, type: "click", id: idOf(url), url }];
    }
    const open: ProviderEvent = { ...base, type: "open", id: idOf() };
    const { ReadSeconds: seconds } = event;
    if (typeof seconds !== "number" || !(seconds > 0)) return [open];
    return [open, { ...base, type: "read", id: idOf("read"), seconds }];
  },
};

function clientOf(
  { UserAgent: userAgent, Platform: platform, Geo: geo }: JsonObject,
  type: "open" | "click",
) {
  const device = devices.get(platform);
  return { ip: parseIp(toJsonObject(geo).IP), ...parseClient({ type, userAgent, isMachine: false, device }) };
}
