// Every reason why an event is not counted, or not as sent, and whether such an event is quarantined.

import { minuteMs } from "../../campaign/calendar/durations.ts";

/** Accepted clock skew of a sender. An event further in the future gets the time of its arrival. */
export const maxClockSkewMs = 5 * minuteMs;

/** An event this long before its campaign's `sent_at` belongs to a test send. */
export const testSendLeadMs = 10 * minuteMs;

/** Events of a campaign, recipient and kind that wait. Beyond it they come from a program. */
export const maxAlike = 100;

export const problems = {
  unknown_campaign: {
    isQuarantined: true,
    meaning:
      "There is no campaign with this id (or external_id, if campaign_id is text). The event is counted once the campaign is registered.",
  },
  reported_campaign: {
    isQuarantined: true,
    meaning: "The numbers of the campaign were imported. Events are never added to imported numbers.",
  },
  test_sending: {
    isQuarantined: true,
    meaning: `The event is more than ${testSendLeadMs / minuteMs} minutes earlier than the campaign's sent_at, so it belongs to a test send.`,
  },
  unreadable: { isQuarantined: true, meaning: "A field is missing or invalid." },
  wrong_sender: {
    isQuarantined: true,
    meaning:
      "The recipients of the campaign have no names, so events come only from the key that registered it and the senders that its registration names.",
  },
  closed: { isQuarantined: false, meaning: "The campaign is closed. Its numbers no longer change." },
  forgotten: {
    isQuarantined: false,
    meaning: "The recipient was forgotten on request. The event is ignored.",
  },
  no_campaign: {
    isQuarantined: false,
    meaning: "The event has no campaign_id, so it belongs to no campaign. It is ignored.",
  },
  too_many: {
    isQuarantined: false,
    meaning: `${maxAlike} events of this kind wait already for the campaign and the recipient. The event is ignored.`,
  },
  unused_fields: {
    isQuarantined: false,
    meaning: "The event has fields that its type does not have. It is counted without them.",
  },
  time_ahead: {
    isQuarantined: false,
    meaning: `The time is more than ${maxClockSkewMs / minuteMs} minutes in the future. The event is counted with the time of its arrival.`,
  },
} as const satisfies Record<string, { isQuarantined: boolean; meaning: string }>;

export type ProblemReason = keyof typeof problems;
