// Quarantines events that cannot be counted, or not yet, until a replay can count them.

import type { FieldError } from "../../campaign/validate-fields.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import {
  countQuarantined,
  findQuarantined,
  type QuarantinedEvent,
  saveQuarantined,
} from "../../storage/quarantine/quarantine.ts";
import type { QuarantineReason } from "../../storage/tables/campaigns.ts";
import type { ExcludedEvent } from "./exclude-events.ts";
import { hashQuarantinedEvent, hashUnreadableEvent } from "./hash-event.ts";
import { hashRecipientAndDevice } from "./hash-recipient.ts";
import { eventIdOf } from "./incoming-event.ts";
import { problems } from "./problems.ts";
import { encryptContent, storableInput } from "./quarantined-content.ts";

/**
 * Quarantines the events that may be counted later. If they exceed the quota, it saves no event, and the sender has to
 * retry.
 *
 * @param maxQuarantined how many quarantined events one organization may have
 */
export async function quarantineEvents(
  queries: Queries,
  organization: Organization,
  events: readonly ExcludedEvent[],
  { now, maxQuarantined }: { now: number; maxQuarantined: number },
): Promise<{ quarantined: number; refused: number }> {
  const excluded = events.filter(({ reason }) => problems[reason].isQuarantined);
  if (excluded.length === 0) return { quarantined: 0, refused: 0 };
  const quarantined = excluded.map((event) => toQuarantinedEvent(organization, event, now));
  if (!(await isWithinQuota(queries, organization.id, quarantined, maxQuarantined))) {
    return { quarantined: 0, refused: quarantined.length };
  }
  await saveQuarantined(queries, organization.id, quarantined);
  return { quarantined: quarantined.length, refused: 0 };
}

/** An event that is already quarantined does not count again. */
async function isWithinQuota(
  queries: Queries,
  organizationId: number,
  events: readonly QuarantinedEvent[],
  maxQuarantined: number,
): Promise<boolean> {
  const total = await countQuarantined(queries, organizationId);
  if (total + events.length <= maxQuarantined) return true;
  const hashes = new Set(events.map(({ eventHash }) => eventHash));
  const known = await findQuarantined(queries, organizationId, [...hashes]);
  return total + hashes.size - known.size <= maxQuarantined;
}

function toQuarantinedEvent(
  organization: Organization,
  { classified, campaign, reason }: ExcludedEvent,
  receivedAt: number,
): QuarantinedEvent {
  const { incoming, event, errors, traffic, device, isAhead, evidence } = classified;
  const { replayed } = incoming;
  // Refer to a known campaign by its id: its external id may belong to another campaign later.
  const reference = campaign?.stored.campaign.id ?? classified.reference;
  const hashes = replayed?.classification.hashes ?? hashRecipientAndDevice(organization.secret, evidence);
  // Campaigns with Anonymous or Overall tracking never store an email address, not even here.
  const isNameless =
    organization.persons === "refuse" ||
    (campaign?.stored.campaign.trackingType ?? "Individual") !== "Individual";
  const hasRecipient = errors.every(({ field }) => field !== "recipient");
  const input = storableInput(incoming.input, {
    ...(campaign && { campaign_id: reference }),
    ...(event && { at: new Date(event.at).toISOString() }),
    ...(isNameless && { recipient: hasRecipient ? hashes.recipient : undefined }),
  });
  const error = incoming.unreadable ?? errorOfLostFields(incoming.input, input, errors);
  return {
    campaign: reference,
    eventHash: eventHashOf(organization, reference, classified),
    reason: reason as QuarantineReason,
    receivedAt: replayed?.receivedAt ?? receivedAt,
    content: encryptContent(organization.secret, {
      input,
      ...(error !== undefined && { error }),
      classification: { traffic, device, hashes, isAhead },
    }),
  };
}

/** Identifies a quarantined event. All inputs that are not objects share one hash, because nothing of them is stored. */
function eventHashOf(
  { secret }: Organization,
  reference: QuarantinedEvent["campaign"],
  classified: ExcludedEvent["classified"],
): string {
  const { incoming } = classified;
  const id = eventIdOf(classified);
  if (reference !== undefined && typeof id === "string") return hashQuarantinedEvent(secret, reference, id);
  if (incoming.replayed) return incoming.replayed.eventHash;
  return hashUnreadableEvent(secret, JSON.stringify(storableInput(incoming.input)));
}

/** Names the lost fields but not their values, which may be an IP or an email address. Undefined if no field is lost. */
function errorOfLostFields(
  input: unknown,
  stored: Record<string, unknown> | null,
  errors: readonly FieldError[],
): string | undefined {
  if (stored === null) return "is not an object with the fields of an event";
  const before = input as Record<string, unknown>;
  const lost = errors.filter(({ field }) => (before[field] ?? null) !== null && stored[field] === undefined);
  if (lost.length === 0) return undefined;
  return `${lost.map(({ field }) => field).join(", ")}: invalid value, which was not stored`;
}
