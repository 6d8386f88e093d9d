// Whether a source of events has fallen silent: it used to send, and nothing comes any more.

import { dayMs, hourMs } from "../calendar/durations.ts";

/** The limits of the rule, in milliseconds. */
export const silenceLimits = {
  /** So long nothing comes, whatever was sent. */
  wholeMs: 7 * dayMs,
  /** So long nothing comes, although a campaign was sent since. */
  afterCampaignMs: dayMs,
  /** Readers of a campaign get so long before their events are missed. */
  firstEventMs: hourMs,
} as const;

/** Why it is taken to be silent: a campaign was sent since its last event, or simply for too long. */
export type Silence = "after_campaign" | "for_long";

/**
 * @param lastEventAt undefined where it has never sent, and so cannot have stopped
 * @param lastSentAt when the last counted campaign was sent whose readers have had their time; undefined without one
 * @returns undefined where nothing is missed
 */
export function detectSilence({
  lastEventAt,
  lastSentAt,
  now,
}: {
  lastEventAt: number | undefined;
  lastSentAt: number | undefined;
  now: number;
}): Silence | undefined {
  if (lastEventAt === undefined) return undefined;
  const silentMs = now - lastEventAt;
  const isCampaignDue = lastSentAt !== undefined && lastSentAt > lastEventAt;
  const isMissed = isCampaignDue && lastSentAt <= now - silenceLimits.firstEventMs;
  if (isMissed && silentMs > silenceLimits.afterCampaignMs) return "after_campaign";
  return silentMs > silenceLimits.wholeMs ? "for_long" : undefined;
}
