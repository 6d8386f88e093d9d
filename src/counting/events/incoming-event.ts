// An event before it is counted: as it arrived, and what classification found out about it.

import type { CampaignReference, Event } from "../../campaign/events/event.ts";
import type { Device, TrafficEvidence, TrafficReason } from "../../campaign/events/traffic.ts";
import type { FieldError } from "../../campaign/fields/validate-fields.ts";
import type { RecipientHashes } from "../hashes/hash-recipient.ts";
import type { EventSource } from "../tallies/update-tallies.ts";

/** One event as it arrived. */
export interface IncomingEvent {
  input: unknown;
  /** Why the text could not be parsed; `input` is then undefined. */
  unreadable?: string;
  /** Hash of the recipient, if the event comes from a tracked message that carries only the hash. */
  recipientHash?: string;
  /** The email provider's webhook that it came by. */
  source?: EventSource;
  /** Set if it comes from a tracked message: that of its campaign. Any other campaign with the id is a later one. */
  registration?: number;
  /** The number of the key or source that sent it, or {@link trackedSender}; undefined for a command. */
  sender?: number | undefined;
  /** Whether it comes from a tracked message and exceeds the limits of a flood. */
  isFlood?: boolean;
  /** Set if the event is replayed from the quarantine. */
  replayed?: { classification: EventClassification; receivedAt: number; eventHash: string };
}

/** The sender of events of tracked messages. Their campaign existed, so a missing one was deleted. */
export const trackedSender = 0;

/** Result of judging an event at its arrival. A quarantined event keeps it, because IP and user agent are dropped. */
export interface EventClassification {
  traffic: TrafficReason;
  device: Device | null;
  hashes: RecipientHashes;
  /** Whether the time of the event was in the future. */
  isAhead: boolean;
  sender?: number | undefined;
}

/** What identifies the recipient and the traffic of an event. */
export type EventEvidence = TrafficEvidence &
  Pick<Event, "recipient" | "ip"> &
  Pick<IncomingEvent, "recipientHash">;

/** An event after parsing and classification, before its campaign is looked up. */
export interface ClassifiedEvent {
  incoming: IncomingEvent;
  /** Position in its batch, from 0. */
  index: number;
  /** Undefined if the event is unreadable. */
  event: Event | undefined;
  /** Why the event is unreadable. */
  errors: readonly FieldError[];
  reference: CampaignReference | undefined;
  traffic: TrafficReason;
  device: Device | null;
  isAhead: boolean;
  evidence: EventEvidence;
}

/** The id of an event, even if other fields of it are unreadable. */
export function eventIdOf({ event, incoming }: ClassifiedEvent): unknown {
  return event?.id ?? (incoming.input as { id?: unknown } | null | undefined)?.id;
}
