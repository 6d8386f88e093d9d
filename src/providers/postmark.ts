// Postmark: one event a request, without a signature (postmarkapp.com/developer/webhooks/open-tracking-webhook and
// …/click-webhook).

import type { Device } from "../campaign/events/traffic.ts";
import { admitByAuthorization } from "./authorization.ts";
import { campaignOf, composedId, fieldOf, fieldsOf, ipOf, programOf } from "./fields.ts";
import type { Fields, Provider, ProviderEvent } from "./provider.ts";

/** A web mail is read on any device: there the user agent tells. */
const devices = new Map<unknown, Device>([
  ["Desktop", "desktop"],
  ["Mobile", "mobile"],
]);

export const postmark: Provider = {
  title: "Postmark",
  secret: {
    isNeeded: false,
    meaning:
      "a password of your own choice, to be put into the address at Postmark: `https://any:PASSWORD@…`",
  },
  bodyBytesMax: 1024 * 1024,
  carrier: "`Metadata` of the message, or `Tag`",
  admit: admitByAuthorization,
  listOf: (document) => [document],
  read(given, campaignField) {
    const { RecordType: type, MessageID: message, Recipient: recipient, ReceivedAt: at } = given;
    if (type !== "Open" && type !== "Click") return [];
    const base = {
      campaign_id: campaignOf(
        fieldOf(fieldsOf(given.Metadata), campaignField),
        fieldOf(given, campaignField),
      ),
      recipient,
      at,
      ...evidenceOf(given, type === "Click" ? "click" : "open"),
    };
    // Without what identifies it, the event has no id: it is unreadable, and not taken for another one.
    const idOf = (...more: unknown[]) =>
      typeof message === "string" ? composedId(message, recipient, at, type, ...more) : message;
    if (type === "Click") {
      const { OriginalLink: url } = given;
      return [{ ...base, type: "click", id: idOf(url), url }];
    }
    const open: ProviderEvent = { ...base, type: "open", id: idOf() };
    const { ReadSeconds: seconds } = given;
    if (typeof seconds !== "number" || !(seconds > 0)) return [open];
    return [open, { ...base, type: "read", id: idOf("read"), seconds }];
  },
};

function evidenceOf({ UserAgent: userAgent, Platform: platform, Geo: geo }: Fields, type: "open" | "click") {
  const device = devices.get(platform);
  return { ip: ipOf(fieldsOf(geo).IP), ...programOf({ type, userAgent, isMachine: false, device }) };
}
