// Parses incoming events and classifies their traffic by what each event carries, without the database.

import { eventTypes } from "../../campaign/events/event.ts";
import { normalizeRecipient, parseCampaignReference, parseEvent } from "../../campaign/events/parse-event.ts";
import { classifyTraffic, deviceOf, devices } from "../../campaign/events/traffic.ts";
import type { ClassifiedEvent, EventEvidence, IncomingEvent } from "./incoming-event.ts";
import { maxClockSkewMs } from "./problems.ts";
import { type ScannerNetworks, shippedNetworks } from "./scanner-networks.ts";

/**
 * A pure function: retries of a transaction can reuse the result.
 *
 * @param now time of arrival, in milliseconds since 1970
 */
export function classifyEvents(
  events: readonly IncomingEvent[],
  now: number,
  networks: ScannerNetworks = shippedNetworks,
): ClassifiedEvent[] {
  return events.map((incoming, index) => classifyEvent(incoming, index, { now, networks }));
}

function classifyEvent(
  incoming: IncomingEvent,
  index: number,
  { now, networks }: { now: number; networks: ScannerNetworks },
): ClassifiedEvent {
  const { input, unreadable } = incoming;
  const before = incoming.replayed?.classification;
  const read = unreadable === undefined ? parseEvent(input) : { errors: [] };
  const event = "errors" in read ? undefined : read;
  const errors = "errors" in read ? read.errors : [];
  const carried: EventEvidence = event ?? evidenceOf(input);
  if (networks.isScanner(carried.ip, carried.type)) carried.isScannerNetwork = true;
  const evidence = incoming.registration !== undefined ? withTracking(carried, incoming) : carried;
  const isAhead = before?.isAhead ?? (event !== undefined && event.at > now + maxClockSkewMs);
  if (event && isAhead && !before) event.at = now;
  return {
    incoming,
    index,
    event,
    errors,
    reference: event?.campaign ?? parseCampaignReference(input),
    traffic: before?.traffic ?? classifyTraffic(evidence),
    device: before ? before.device : deviceOf(evidence),
    isAhead,
    evidence,
  };
}

/** Adds what only a tracked message knows. */
function withTracking(evidence: EventEvidence, { recipientHash, isFlood }: IncomingEvent): EventEvidence {
  return {
    ...evidence,
    ...(recipientHash !== undefined && { recipientHash }),
    ...(isFlood && { isFlood }),
  };
}

/** The readable part of an unreadable event: enough to classify it, in case it is corrected and counted later. */
function evidenceOf(input: unknown): EventEvidence {
  const fields = (input ?? {}) as Record<string, unknown>;
  const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
  return {
    type: eventTypes.find((each) => each === fields.type) ?? "open",
    recipient: normalizeRecipient(textOf(fields.recipient) ?? ""),
    ip: textOf(fields.ip),
    userAgent: textOf(fields.user_agent),
    device: devices.find((each) => each === fields.device),
    isMachine: fields.machine === true,
    isHidden: fields.hidden === true,
    isHead: fields.head === true,
  };
}
