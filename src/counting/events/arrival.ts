// An event as it arrives: read and judged by what it carries, before anything is known of its campaign; and then,
// whether it can be counted.

import {
  type CampaignReference,
  type Event,
  eventTypes,
  normalizeRecipient,
  readCampaignReference,
  readEvent,
} from "../../campaign/events/event.ts";
import {
  type Device,
  deviceOf,
  devices,
  judgeTraffic,
  type TrafficEvidence,
  type TrafficReason,
} from "../../campaign/events/traffic.ts";
import { type FieldError, formatErrors } from "../../campaign/validate-fields.ts";
import type { StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import type { Ledger } from "../../storage/ledgers.ts";
import type { Origin } from "./hashes.ts";
import { aheadMax, type ProblemReason, problems, testSendingMs } from "./problems.ts";

/** What was found out about an event on its arrival, when there was still everything to judge it by. */
export interface Judgement {
  traffic: TrafficReason;
  device: Device | null;
  origin: Origin;
  isAhead: boolean;
}

/** One event as it came; `kept` when it was set aside before. */
export interface Entry {
  input: unknown;
  /** What is wrong with a text that could not be read at all, in place of `input`. */
  unreadable?: string;
  /**
   * Whose it is, where the message that it comes from does not say it openly: the hash that {@link Origin} has in place
   * of the recipient.
   */
  recipientHash?: string;
  /** It comes from a message of ours: if there is no such campaign, it was deleted, and will not come. */
  isTracked?: boolean;
  kept?: { judgement: Judgement; receivedAt: number; event: string };
}

export interface Problem {
  /** The place of the event in the batch, from 0. */
  index: number;
  reason: ProblemReason;
  message: string;
}

/** An event as it was read and judged, before its campaign is looked for. */
export interface Arrival {
  entry: Entry;
  /** Its place among those that are counted together, from 0. */
  index: number;
  /** Undefined when it cannot be read. */
  event: Event | undefined;
  /** What cannot be read. */
  errors: readonly FieldError[];
  reference: CampaignReference | undefined;
  traffic: TrafficReason;
  device: Device | null;
  isAhead: boolean;
  evidence: ArrivalEvidence;
}

/** What tells whose an event is, and who was at work. */
type ArrivalEvidence = TrafficEvidence & Pick<Event, "recipient" | "ip"> & Pick<Entry, "recipientHash">;

/**
 * Needs nothing of the database, and is the same for whoever asks again.
 *
 * @param now the time of arrival, in milliseconds since 1970
 */
export function arriveAll(entries: readonly Entry[], now: number): Arrival[] {
  return entries.map((entry, index) => arrive(entry, index, now));
}

function arrive(entry: Entry, index: number, now: number): Arrival {
  const { input, kept, unreadable } = entry;
  const read = unreadable === undefined ? readEvent(input) : { errors: [] };
  const event = "errors" in read ? undefined : read;
  const errors = "errors" in read ? read.errors : [];
  const carried: ArrivalEvidence = event ?? evidenceOf(input);
  const { recipientHash } = entry;
  const evidence = recipientHash === undefined ? carried : { ...carried, recipientHash };
  const isAhead = kept?.judgement.isAhead ?? (event !== undefined && event.at > now + aheadMax);
  if (event && isAhead && !kept) event.at = now;
  return {
    entry,
    index,
    event,
    errors,
    reference: event?.campaign ?? readCampaignReference(input),
    traffic: kept?.judgement.traffic ?? judgeTraffic(evidence),
    device: kept ? kept.judgement.device : deviceOf(evidence),
    isAhead,
    evidence,
  };
}

/** What can be read of an event that as a whole cannot: enough to judge it, should it ever be counted. */
function evidenceOf(input: unknown): ArrivalEvidence {
  const given = (input ?? {}) as Record<string, unknown>;
  const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
  return {
    type: eventTypes.find((each) => each === given.type) ?? "open",
    recipient: normalizeRecipient(textOf(given.recipient) ?? ""),
    ip: textOf(given.ip),
    userAgent: textOf(given.user_agent),
    device: devices.find((each) => each === given.device),
    isMachine: given.machine === true,
    isHidden: given.hidden === true,
    isHead: given.head === true,
  };
}

/** A campaign that events name, with its ledger where it is counted and not closed. */
export interface NamedCampaign {
  stored: StoredCampaign;
  ledger: Ledger | undefined;
}

/** Undefined for what is to be counted. */
export function whyNotCounted(
  { event, entry, reference }: Arrival,
  campaign: NamedCampaign | undefined,
): ProblemReason | undefined {
  if (campaign?.stored.counting && !campaign.ledger) return "closed";
  if (!event) return reference === undefined && namesNoCampaign(entry) ? "no_campaign" : "unreadable";
  if (!campaign) return entry.isTracked ? "no_campaign" : "unknown_campaign";
  if (!campaign.stored.counting) return "reported_campaign";
  return event.at < campaign.stored.campaign.sentAt - testSendingMs ? "test_sending" : undefined;
}

function namesNoCampaign({ input, kept }: Entry): boolean {
  // Of what was set aside, a campaign that could not be read may not have been kept.
  if (kept || typeof input !== "object" || input === null || Array.isArray(input)) return false;
  const { campaign_id: reference } = input as { campaign_id?: unknown };
  return reference === undefined || reference === null;
}

export function problemOf({ index, errors, entry }: Arrival, reason: ProblemReason): Problem {
  if (reason !== "unreadable") return { index, reason, message: problems[reason].meaning };
  return { index, reason, message: entry.unreadable ?? formatErrors(errors) };
}
