// What stands on disk in place of ids, links, and people who are not to be known: hashes under a secret of one campaign
// or organization. Without the secret nothing can be compared with them; it is deleted when a campaign is closed.

import { hash } from "node:crypto";
import type { TrackingType } from "../../campaign/campaign.ts";
import type { CampaignReference, Event } from "../../campaign/events/event.ts";
import { linkNumber } from "../../campaign/events/link-number.ts";
import { shownUrl } from "../../campaign/events/shown-url.ts";

/** 16 bytes in hex: so long that no two different texts will ever share one. (Half of SHA-256 cannot be extended.) */
function keyedHash(secret: string, kind: string, text: string): string {
  return hash("sha256", `${secret}\n${kind}\n${text}`, "hex").slice(0, 32);
}

export function hashOfEventId(campaignSecret: string, id: string): string {
  return keyedHash(campaignSecret, "event", id);
}

/** Links that are shown alike share a part of it (see link-number.ts, which also says how seldom others do). */
export function hashOfLink(campaignSecret: string, url: string): number {
  const shown = keyedHash(campaignSecret, "shown link", shownUrl(url));
  return linkNumber(shown, keyedHash(campaignSecret, "link", url));
}

/**
 * The id of an event in place of what a provider tells it by: that may be made of an address and a time, and would tell
 * whose it is to anybody who tries some.
 */
export function hashOfProviderId(organizationSecret: string, id: string): string {
  return keyedHash(organizationSecret, "provider event", id);
}

/** An event that waits for its campaign. */
export function hashOfWaiting(organizationSecret: string, campaign: CampaignReference, id: string): string {
  return keyedHash(organizationSecret, "waiting", `${JSON.stringify(campaign)}\n${id}`);
}

/** An event whose campaign or id cannot be read: by its whole text. */
export function hashOfUnreadable(organizationSecret: string, text: string): string {
  return keyedHash(organizationSecret, "unreadable", text);
}

/**
 * What tells whose an event is when address, IP and user agent are gone: hashes under the secret of the organization.
 * An event that waits for its campaign carries them, so that it will be the same one's whenever it is counted.
 */
export interface Origin {
  recipient: string;
  /** Of IP and user agent; of the recipient where neither is known. */
  device: string;
}

type RecipientEvidence = Pick<Event, "recipient" | "ip" | "userAgent"> & {
  /** In place of the recipient, where only this is known of it. */
  recipientHash?: string;
};

export function originOf(organizationSecret: string, evidence: RecipientEvidence): Origin {
  return {
    recipient: hashOfPerson(organizationSecret, evidence),
    device: hashOfDevice(organizationSecret, evidence),
  };
}

export function hashOfPerson(
  organizationSecret: string,
  { recipient, recipientHash }: RecipientEvidence,
): string {
  return recipientHash ?? keyedHash(organizationSecret, "recipient", recipient);
}

function hashOfDevice(organizationSecret: string, evidence: RecipientEvidence): string {
  const { ip, userAgent } = evidence;
  if (ip === undefined && userAgent === undefined) return hashOfPerson(organizationSecret, evidence);
  return keyedHash(organizationSecret, "device", `${ip?.trim().toLowerCase() ?? ""}\n${userAgent ?? ""}`);
}

/**
 * The name under which a recipient is kept, by what the campaign tracks: the address only where individuals are.
 *
 * @param kept what was found out when the event was set aside, if it was
 */
export function nameOfRecipient(
  secrets: { organization: string; campaign: string },
  trackingType: TrackingType,
  evidence: RecipientEvidence,
  kept?: Origin,
): string {
  if (trackingType === "Individual") return evidence.recipient;
  const origin =
    trackingType === "Anonymous"
      ? (kept?.recipient ?? hashOfPerson(secrets.organization, evidence))
      : (kept?.device ?? hashOfDevice(secrets.organization, evidence));
  return keyedHash(secrets.campaign, "recipient", origin);
}

/** The name that a recipient has once forgotten: nobody's, but the same for later events of the same one. */
export function nameOfForgotten(campaignSecret: string, name: string): string {
  return `forgotten:${keyedHash(campaignSecret, "forgotten", name)}`;
}
