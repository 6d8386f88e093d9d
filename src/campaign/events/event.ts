// What a recipient did with a campaign, such as an open, or what became of its message.

import { type DeliveryReport, deliveryReports, type MessageOutcome } from "./outcomes.ts";
import type { Device } from "./traffic.ts";

export type Event = EventBase &
  (
    | { type: "open" }
    | { type: "click"; url: string; isHidden: boolean }
    | { type: "read"; seconds: number }
    | {
        type: "survey";
        surveyId: string;
        kind: SurveyKind;
        /** A score from 0 to 10, or the chosen answer. */
        reaction?: number | string | undefined;
        comment?: string | undefined;
      }
    | { type: DeliveryReport; outcome: MessageOutcome }
  );

export const eventTypes = ["open", "click", "read", "survey", ...deliveryReports] as const;
export type EventType = Event["type"];

export const surveyKinds = ["enps", "pulse"] as const;
export type SurveyKind = (typeof surveyKinds)[number];

/** The number of a campaign, or its external id. */
export type CampaignReference = number | string;

interface EventBase {
  /** Unique within the campaign; a repeated id is a duplicate of the same event. */
  id: string;
  campaign: CampaignReference;
  /** An email address or an opaque id: trimmed, lower case, Unicode NFC. */
  recipient: string;
  /** When the event happened, in milliseconds since 1970. */
  at: number;
  userAgent?: string | undefined;
  ip?: string | undefined;
  device?: Device | undefined;
  /** The provider reports the event as automated. */
  isMachine: boolean;
  /** The tracking request was a HEAD request. */
  isHead: boolean;
}
