// Hashes that replace recipients and devices on disk. Campaigns with Individual tracking store the recipient itself.

import type { TrackingType } from "../../campaign/campaign.ts";
import type { Event } from "../../campaign/events/event.ts";
import { forgottenMark } from "../../campaign/events/parse-event.ts";
import { keyedHash } from "./keyed-hash.ts";

type RecipientEvidence = Pick<Event, "recipient" | "ip" | "userAgent"> & {
  /** Replaces the recipient if only its hash is known. */
  recipientHash?: string;
};

/** Hash of a recipient, keyed with the organization's secret. */
export function hashRecipient(
  organizationSecret: string,
  { recipient, recipientHash }: RecipientEvidence,
): string {
  return recipientHash ?? keyedHash(organizationSecret, "recipient", recipient);
}

/**
 * Identifies recipient and device of a quarantined event after recipient, IP and user agent are dropped. Both hashes are
 * keyed with the organization's secret.
 */
export interface RecipientHashes {
  recipient: string;
  /** The hash of IP address and user agent; of the recipient if neither is known. */
  device: string;
}

export function hashRecipientAndDevice(
  organizationSecret: string,
  evidence: RecipientEvidence,
): RecipientHashes {
  return {
    recipient: hashRecipient(organizationSecret, evidence),
    device: hashDevice(organizationSecret, evidence),
  };
}

function hashDevice(organizationSecret: string, evidence: RecipientEvidence): string {
  const { ip, userAgent } = evidence;
  if (ip === undefined && userAgent === undefined) return hashRecipient(organizationSecret, evidence);
  return keyedHash(organizationSecret, "device", `${ip?.trim().toLowerCase() ?? ""}\n${userAgent ?? ""}`);
}

/**
 * Name under which a ledger stores the recipient of an event. Individual tracking uses the recipient itself, Anonymous a
 * hash of the recipient, Overall a hash of the device.
 *
 * @param hashes of an event that was quarantined, computed at its arrival
 */
export function storedRecipientName(
  secrets: { organization: string; campaign: string },
  trackingType: TrackingType,
  evidence: RecipientEvidence,
  hashes?: RecipientHashes,
): string {
  if (trackingType === "Individual") return evidence.recipient;
  const hash =
    trackingType === "Anonymous"
      ? (hashes?.recipient ?? hashRecipient(secrets.organization, evidence))
      : (hashes?.device ?? hashDevice(secrets.organization, evidence));
  return keyedHash(secrets.campaign, "recipient", hash);
}

/**
 * Name of a forgotten recipient. It identifies no one, but later events of the same recipient map to it, also after the
 * campaign has lost its names.
 *
 * @param hashes as in {@link storedRecipientName}
 */
export function forgottenRecipientName(
  secrets: { organization: string; campaign: string },
  trackingType: TrackingType,
  evidence: RecipientEvidence,
  hashes?: RecipientHashes,
): string {
  const nameless = trackingType === "Individual" ? "Anonymous" : trackingType;
  const name = storedRecipientName(secrets, nameless, evidence, hashes);
  return `${forgottenMark}${keyedHash(secrets.campaign, "forgotten", name)}`;
}
