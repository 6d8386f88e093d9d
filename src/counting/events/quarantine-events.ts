// Quarantines events that cannot be counted, or not yet, until a replay can count them.

import type { FieldError } from "../../campaign/fields/validate-fields.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { deleteQuarantinedEvents } from "../../storage/quarantine/delete-quarantined.ts";
import {
  bytesOf,
  countAlike,
  countQuarantined,
  findQuarantined,
  type NewQuarantinedEvent,
  type QuarantinedEvent,
  saveQuarantined,
} from "../../storage/quarantine/quarantine.ts";
import type { QuarantineFilter } from "../../storage/quarantine/quarantine-filter.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { QuarantineReason } from "../../storage/tables/campaigns.ts";
import { hashAlike, hashQuarantinedEvent, hashUnreadableEvent } from "../hashes/hash-event.ts";
import { hashRecipientAndDevice } from "../hashes/hash-recipient.ts";
import type { ExcludedEvent } from "./exclude-events.ts";
import { eventIdOf } from "./incoming-event.ts";
import { maxAlike, problems } from "./problems.ts";
import { encryptContent, storableInput } from "./quarantined-content.ts";

/** Whether it is time to tell people, before events are refused. */
export const isAlmostFull = (bytes: number, maxBytes: number): boolean => bytes > 0.9 * maxBytes;

/** Test sends may take this share of the quarantine: anyone with a message of a test can send events. */
const testSendingShare = 0.5;

/**
 * Quarantines the events that may be counted later. If they exceed the quota, or test sends exceed theirs, it saves no such
 * event, and the sender has to retry. It ignores floods and events beyond {@link maxAlike}: their reason becomes `too_many`.
 *
 * @param maxQuarantineBytes how much those of one organization may take
 * @returns the events that were refused
 */
export async function quarantineEvents(
  scope: Scope,
  organization: Organization,
  events: readonly ExcludedEvent[],
  { now, maxQuarantineBytes }: { now: number; maxQuarantineBytes: number },
): Promise<ReadonlySet<ExcludedEvent>> {
  const excluded = events.filter(({ reason }) => problems[reason].isQuarantined);
  if (excluded.length === 0) return new Set();
  const rows = new Map(excluded.map((event) => [event, toQuarantinedEvent(organization, event, now)]));
  await dropAlike(scope, rows);
  const refused = new Set<ExcludedEvent>();
  const refuse = async (some: readonly ExcludedEvent[], filter: QuarantineFilter, max: number) => {
    const saved = some.flatMap((event) => rows.get(event) ?? []);
    if (await isWithinQuota(scope, saved, { filter, max })) return;
    for (const event of some) if (rows.delete(event)) refused.add(event);
  };
  const tests = excluded.filter(({ reason }) => reason === "test_sending");
  await refuse(tests, { reason: "test_sending" }, maxQuarantineBytes * testSendingShare);
  await refuse(excluded, {}, maxQuarantineBytes);
  await saveQuarantined(scope, [...rows.values()]);
  await removeUnreadable(scope, organization, [...rows]);
  return refused;
}

/** Removes unreadable events of which these are the corrected versions. */
async function removeUnreadable(
  scope: Scope,
  { secret }: Organization,
  rows: readonly (readonly [ExcludedEvent, NewQuarantinedEvent])[],
): Promise<void> {
  const hashes = rows.flatMap(([{ classified }, { campaign }]) =>
    classified.event && !classified.isAhead && campaign !== undefined
      ? hashQuarantinedEvent(secret, campaign, {
          id: classified.event.id,
          sender: classified.incoming.sender,
        })
      : [],
  );
  await deleteQuarantinedEvents(scope, hashes);
}

/** Drops the ignored events. Replayed ones were in quarantine already. */
async function dropAlike(scope: Scope, rows: Map<ExcludedEvent, NewQuarantinedEvent>): Promise<void> {
  const hashes = [...rows.values()].flatMap(({ alikeHash }) => alikeHash ?? []);
  const counts = await countAlike(scope, [...new Set(hashes)]);
  for (const [event, { alikeHash }] of rows) {
    const { isFlood, replayed } = event.classified.incoming;
    if (alikeHash === undefined || replayed) continue;
    const waiting = (counts.get(alikeHash) ?? 0) + 1;
    counts.set(alikeHash, waiting);
    if (!isFlood && waiting <= maxAlike) continue;
    event.reason = "too_many";
    rows.delete(event);
  }
}

/** An event that is already quarantined does not count again. */
async function isWithinQuota(
  scope: Scope,
  events: readonly QuarantinedEvent[],
  { filter, max }: { filter: QuarantineFilter; max: number },
): Promise<boolean> {
  if (events.length === 0) return true;
  const { bytes: total } = await countQuarantined(scope, filter);
  const sizes = new Map(events.map(({ eventHash, content }) => [eventHash, bytesOf(content)]));
  const isWithin = () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, total) <= max;
  if (isWithin()) return true;
  for (const known of await findQuarantined(scope, [...sizes.keys()])) sizes.delete(known);
  return isWithin();
}

function toQuarantinedEvent(
  organization: Organization,
  { classified, campaign, reason }: ExcludedEvent,
  receivedAt: number,
): NewQuarantinedEvent {
  const { incoming, event, errors, traffic, device, isAhead, evidence } = classified;
  const { replayed } = incoming;
  // Refer to a known campaign by its id: its external id may belong to another campaign later.
  const reference = campaign?.stored.campaign.id ?? classified.reference;
  const hashes = replayed?.classification.hashes ?? hashRecipientAndDevice(organization.secret, evidence);
  // Campaigns with Anonymous or Overall tracking never store an email address, not even here.
  const isNameless =
    organization.persons === "refuse" ||
    (campaign?.stored.campaign.trackingType ?? "Individual") !== "Individual";
  const sender = campaign?.stored.campaign.trackingType === "Overall" ? hashes.device : hashes.recipient;
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
    alikeHash:
      event &&
      hashAlike(organization.secret, reference, {
        type: event.type,
        // Separate for each sender, so that none learns how many events of another one wait.
        hash: `${sender} ${incoming.sender}`,
      }),
    receivedAt: replayed?.receivedAt ?? receivedAt,
    content: encryptContent(organization.secret, {
      input,
      ...(error !== undefined && { error }),
      classification: { traffic, device, hashes, isAhead, sender: incoming.sender },
    }),
  };
}

/** Identifies a quarantined event. All inputs that are not objects share one hash, because nothing of them is stored. */
function eventHashOf(
  { secret }: Organization,
  reference: QuarantinedEvent["campaign"],
  classified: ExcludedEvent["classified"],
): string {
  const { incoming, event, isAhead } = classified;
  const id = eventIdOf(classified);
  // A time in the future is another one in each repetition.
  const at = isAhead ? undefined : event?.at;
  if (reference !== undefined && typeof id === "string")
    return hashQuarantinedEvent(secret, reference, { id, sender: incoming.sender, at });
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
