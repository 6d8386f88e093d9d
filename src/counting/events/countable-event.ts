// An event of an open counted campaign, with the name under which its recipient is stored.

import type { TrackingType } from "../../campaign/campaign.ts";
import type { Event } from "../../campaign/events/event.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Ledger } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { hashRecipient, storedRecipientName } from "./hash-recipient.ts";
import type { ClassifiedEvent } from "./incoming-event.ts";

export interface CountableEvent {
  classified: ClassifiedEvent;
  event: Event;
  recipientName: string;
  stored: StoredCampaign;
  ledger: Ledger;
}

export function toCountableEvent(
  organization: Organization,
  classified: ClassifiedEvent,
  event: Event,
  { stored, ledger }: { stored: StoredCampaign; ledger: Ledger },
): CountableEvent {
  const recipientName = recipientNameOf(organization, classified, { stored, ledger });
  return { classified, event, recipientName, stored, ledger };
}

export function recipientNameOf(
  organization: Organization,
  { evidence, incoming }: ClassifiedEvent,
  { stored, ledger }: { stored: StoredCampaign; ledger: Ledger },
): string {
  const trackingType = stored.campaign.trackingType as TrackingType;
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  return storedRecipientName(secrets, trackingType, evidence, incoming.replayed?.classification.hashes);
}

/** The hash under which the directory has the recipient. */
export function directoryHashOf({ secret }: Organization, { evidence, incoming }: ClassifiedEvent): string {
  return incoming.replayed?.classification.hashes.recipient ?? hashRecipient(secret, evidence);
}
