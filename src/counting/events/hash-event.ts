// Hashes that replace event ids and links on disk, keyed with the secret of a campaign or an organization. Closing a
// campaign deletes its secret.

import type { CampaignReference } from "../../campaign/events/event.ts";
import { linkNumber } from "../../campaign/events/link-number.ts";
import { shownUrl } from "../../campaign/events/shown-url.ts";
import { keyedHash } from "./keyed-hash.ts";

/** Hash of an event id, to deduplicate events of one campaign. */
export function hashEventId(campaignSecret: string, id: string): string {
  return keyedHash(campaignSecret, "event", id);
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

/** Hash of a quarantined event with a readable campaign and id. */
export function hashQuarantinedEvent(
  organizationSecret: string,
  campaign: CampaignReference,
  id: string,
): string {
  return keyedHash(organizationSecret, "waiting", `${JSON.stringify(campaign)}\n${id}`);
}

/** Hash of a quarantined event without a readable campaign or id: of its whole text. */
export function hashUnreadableEvent(organizationSecret: string, text: string): string {
  return keyedHash(organizationSecret, "unreadable", text);
}
