// Hashes that replace event ids and links on disk, keyed with the secret of a campaign or an organization. Closing a
// campaign deletes its secret.

import type { CampaignReference, EventType } from "../../campaign/events/event.ts";
import { linkNumber } from "../../campaign/events/link-number.ts";
import { shownUrl } from "../../campaign/events/shown-url.ts";
import { keyedHash } from "./keyed-hash.ts";

/** RFC 9562, section 5.7: 48 bits of time, then random ones. */
const uuidVersion7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Hash of an event id, to deduplicate events of one campaign. If the id is a UUID of version 7, the hash starts with its
 * time: the ids of a batch are then in few pages of the index, and a commit writes those instead of one page per event.
 */
export function hashEventId(campaignSecret: string, id: string): string {
  const hashed = keyedHash(campaignSecret, "event", id);
  const [, high, low] = uuidVersion7.exec(id) ?? [];
  if (high === undefined || low === undefined) return hashed;
  const time = `${high}${low}`.toLowerCase();
  return time + hashed.slice(time.length);
}

/** Number of a link. Links that are shown alike share a part of it, see link-number.ts for collisions. */
export function hashLink(campaignSecret: string, url: string): number {
  const shown = keyedHash(campaignSecret, "shown link", shownUrl(url));
  return linkNumber(shown, keyedHash(campaignSecret, "link", url));
}

/**
 * Event id made from the id of a provider. Providers may build theirs from an email address and a time, so the raw id
 * would reveal the recipient to anyone who tries addresses.
 */
export function hashProviderEventId(organizationSecret: string, id: string): string {
  return keyedHash(organizationSecret, "provider event", id);
}

/**
 * Hash of a quarantined event with a readable campaign and id. Senders cannot replace each other's events.
 *
 * @param at of a readable event: of two with the same id and other times, only one may be of a test send
 */
export function hashQuarantinedEvent(
  organizationSecret: string,
  campaign: CampaignReference,
  { id, sender, at }: { id: string; sender: number | undefined; at?: number | undefined },
): string {
  const parts = [JSON.stringify([campaign, sender]), id, at ?? []].flat();
  return keyedHash(organizationSecret, "waiting", parts.join("\n"));
}

/** Hash that the quarantined events of a campaign, recipient or device, and kind share. */
export function hashAlike(
  organizationSecret: string,
  campaign: CampaignReference | undefined,
  { type, hash }: { type: EventType; hash: string },
): string {
  return keyedHash(organizationSecret, "alike", JSON.stringify([campaign, type, hash]));
}

/** Hash of a quarantined event without a readable campaign or id: of its whole text. */
export function hashUnreadableEvent(organizationSecret: string, text: string): string {
  return keyedHash(organizationSecret, "unreadable", text);
}
