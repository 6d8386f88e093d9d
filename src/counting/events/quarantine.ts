// Sets events aside that cannot be counted, or not yet: without IP and user agent, the rest encrypted with the secret of
// the organization.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { keptFieldNames } from "../../campaign/events/event.ts";
import type { FieldError } from "../../campaign/validate-fields.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import {
  countQuarantined,
  findQuarantined,
  type QuarantinedEvent,
  saveQuarantined,
} from "../../storage/quarantine.ts";
import type { QuarantineReason } from "../../storage/tables.ts";
import type { Arrival, Judgement, NamedCampaign } from "./arrival.ts";
import { hashOfUnreadable, hashOfWaiting, originOf } from "./hashes.ts";
import { type ProblemReason, problems } from "./problems.ts";

/** An event that is not counted, and why. */
export interface Uncountable {
  arrival: Arrival;
  campaign: NamedCampaign | undefined;
  reason: ProblemReason;
}

/**
 * Keeps those that may be counted one day, within the quota; beyond it nothing is kept, and the sender has to try again.
 *
 * @param quarantineMax how many events of one organization may wait
 */
export async function quarantineEvents(
  queries: Queries,
  organization: Organization,
  events: readonly Uncountable[],
  { now, quarantineMax }: { now: number; quarantineMax: number },
): Promise<{ quarantined: number; refused: number }> {
  const waiting: QuarantinedEvent[] = [];
  for (const { arrival, campaign, reason } of events) {
    if (problems[reason].isQuarantined)
      waiting.push(toWaiting(organization, arrival, campaign, reason as QuarantineReason, now));
  }
  if (waiting.length === 0) return { quarantined: 0, refused: 0 };
  if (!(await hasRoom(queries, organization.id, waiting, quarantineMax))) {
    return { quarantined: 0, refused: waiting.length };
  }
  await saveQuarantined(queries, organization.id, waiting);
  return { quarantined: waiting.length, refused: 0 };
}

/** Events that wait already take no more room when they come again. */
async function hasRoom(
  queries: Queries,
  organizationId: number,
  events: readonly QuarantinedEvent[],
  quarantineMax: number,
): Promise<boolean> {
  const total = await countQuarantined(queries, organizationId);
  if (total + events.length <= quarantineMax) return true;
  const given = new Set(events.map(({ eventHash }) => eventHash));
  const waiting = await findQuarantined(queries, organizationId, [...given]);
  return total + given.size - waiting.size <= quarantineMax;
}

function toWaiting(
  organization: Organization,
  arrival: Arrival,
  campaign: NamedCampaign | undefined,
  reason: QuarantineReason,
  now: number,
): QuarantinedEvent {
  const { entry, event, errors, traffic, device, isAhead } = arrival;
  // A campaign that is known goes by its number: its other name may be another one's tomorrow.
  const reference = campaign?.stored.campaign.id ?? arrival.reference;
  const origin = entry.kept?.judgement.origin ?? originOf(organization.secret, arrival.evidence);
  const id = event?.id ?? (entry.input as { id?: unknown } | null | undefined)?.id;
  // Of texts that are no object nothing can be kept; one row stands for all of them.
  const text = JSON.stringify(keptInput(entry.input));
  const trackingType = campaign?.stored.campaign.trackingType ?? "Individual";
  // Where it is known already that nobody is to be known, not even this keeps the address.
  const isNameless = trackingType !== "Individual";
  const isNamed = errors.every(({ field }) => field !== "recipient");
  const input = keptInput(entry.input, {
    ...(campaign && { campaign_id: reference }),
    ...(event && { at: new Date(event.at).toISOString() }),
    ...(isNameless && { recipient: isNamed ? origin.recipient : undefined }),
  });
  const fault = entry.unreadable ?? lostFields(entry.input, input, errors);
  return {
    campaign: reference,
    eventHash:
      reference !== undefined && typeof id === "string"
        ? hashOfWaiting(organization.secret, reference, id)
        : (entry.kept?.event ?? hashOfUnreadable(organization.secret, text)),
    reason,
    receivedAt: entry.kept?.receivedAt ?? now,
    content: encrypt(organization.secret, {
      input,
      ...(fault !== undefined && { fault }),
      judgement: { traffic, device, origin, isAhead },
    }),
  };
}

/** The names, and not what stood there: that may be an IP, or an address. Undefined when nothing is lost. */
function lostFields(
  given: unknown,
  kept: Record<string, unknown> | null,
  errors: readonly FieldError[],
): string | undefined {
  if (kept === null) return "is not an object with the fields of an event";
  const before = given as Record<string, unknown>;
  const lost = errors.filter(({ field }) => (before[field] ?? null) !== null && kept[field] === undefined);
  if (lost.length === 0) return undefined;
  return `${lost.map(({ field }) => field).join(", ")}: could not be read, and was not kept`;
}

/** What is kept of an event that is set aside. */
export interface KeptEvent {
  /** Its fields as they were given, without IP and user agent; null where it had none. */
  input: Record<string, unknown> | null;
  /** What could not be read and was not kept: as it is, the event must never be counted. */
  fault?: string;
  judgement: Judgement;
}

/**
 * Of a field only a plain value is kept: anything else cannot be read, and may be nested without end.
 *
 * @param change fields that are kept in place of those that were given
 */
function keptInput(input: unknown, change: Record<string, unknown> = {}): Record<string, unknown> | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null;
  const given = { ...input, ...change } as Record<string, unknown>;
  const kept = keptFieldNames.filter((name) => Object.hasOwn(given, name) && typeof given[name] !== "object");
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

const nonceLength = 12;
const tagLength = 16;

function encrypt(organizationSecret: string, event: KeptEvent): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  const content = Buffer.concat([cipher.update(JSON.stringify(event)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

/** @throws Error when the content is not what {@link encrypt} gave */
export function decrypt(organizationSecret: string, sealed: Buffer): KeptEvent {
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const content = decipher.update(sealed.subarray(nonceLength + tagLength));
  return JSON.parse(Buffer.concat([content, decipher.final()]).toString()) as KeptEvent;
}
