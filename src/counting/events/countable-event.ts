// An event of an open counted campaign, with the name under which its recipient is stored.

import type { TrackingType } from "../../campaign/campaign.ts";
import type { Event } from "../../campaign/events/event.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Ledger } from "../../storage/ledgers/ledgers.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../hashes/hash-recipient.ts";
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
  { stored, ledger }: Pick<CountableEvent, "stored" | "ledger">,
): CountableEvent {
  const recipientName = storedRecipientName(...namesOf(organization, classified, { stored, ledger }));
  return { classified, event, recipientName, stored, ledger };
}

/** The name that the recipient has once it is forgotten; undefined if no recipient of the campaign was. */
export function forgottenNameOf(
  organization: Organization,
  classified: ClassifiedEvent,
  campaign: Pick<CountableEvent, "stored" | "ledger">,
): string | undefined {
  if (campaign.ledger.forgottenId === null) return undefined;
  return forgottenRecipientName(...namesOf(organization, classified, campaign));
}

/** What the names of a recipient come from. */
function namesOf(
  organization: Organization,
  { evidence, incoming }: ClassifiedEvent,
  { stored, ledger }: Pick<CountableEvent, "stored" | "ledger">,
): Parameters<typeof storedRecipientName> {
  const trackingType = stored.campaign.trackingType as TrackingType;
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  return [secrets, trackingType, evidence, incoming.replayed?.classification.hashes];
}

/** The hash under which the directory has the recipient. */
export function directoryHashOf({ secret }: Organization, { evidence, incoming }: ClassifiedEvent): string {
  return incoming.replayed?.classification.hashes.recipient ?? hashRecipient(secret, evidence);
}
