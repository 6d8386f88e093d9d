// Why an event is not counted, or not as it was given: every reason, and whether the event is kept until it can be.

import { minuteMs } from "../../campaign/calendar/durations.ts";

/** The time of an event may be so far ahead of ours before it is taken as the time of arrival. In milliseconds. */
export const aheadMax = 5 * minuteMs;

/** An event that is so much earlier than its campaign is one of a test sending. In milliseconds. */
export const testSendingMs = 10 * minuteMs;

export const problems = {
  unknown_campaign: {
    isQuarantined: true,
    meaning:
      "The campaign is not known yet (text names it by its external_id). The event is counted as soon as the campaign is registered.",
  },
  reported_campaign: {
    isQuarantined: true,
    meaning: "The numbers of the campaign came finished, by an import; events are never mixed in.",
  },
  test_sending: {
    isQuarantined: true,
    meaning: `The event is more than ${testSendingMs / minuteMs} minutes earlier than the campaign: it belongs to a test sending.`,
  },
  unreadable: { isQuarantined: true, meaning: "A field is missing, or is not what is accepted." },
  closed: { isQuarantined: false, meaning: "The campaign is closed. Its numbers stand; nothing changes." },
  forgotten: {
    isQuarantined: false,
    meaning: "The recipient was forgotten on request. The event is ignored.",
  },
  no_campaign: {
    isQuarantined: false,
    meaning: "There is no campaign_id, so the event is none of ours. It is ignored.",
  },
  time_ahead: {
    isQuarantined: false,
    meaning: `The time is more than ${aheadMax / minuteMs} minutes ahead. The event is counted, with the time of its arrival.`,
  },
} as const satisfies Record<string, { isQuarantined: boolean; meaning: string }>;

export type ProblemReason = keyof typeof problems;
