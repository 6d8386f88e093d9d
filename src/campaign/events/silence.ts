// Detects that a source of events has stopped sending, and which campaigns may miss events because of it.

import { dayMs, hourMs } from "../calendar/durations.ts";
import { recordedAges } from "./ages.ts";

export const silenceLimits = {
  /** A source is silent after this time without events, even if no campaign was sent. */
  wholeMs: 7 * dayMs,
  /** A source is silent after this time without events if a campaign was sent since the last one. */
  afterCampaignMs: dayMs,
  /** After a campaign is sent, readers have this long before their events are missed. */
  firstEventMs: hourMs,
} as const;

/** Why a source is silent: a campaign was sent since its last event, or there was none for too long. */
export type Silence = "after_campaign" | "for_long";

/**
 * @param lastEventAt undefined if the source has never sent events, and so cannot have stopped
 * @param lastSentAt when the last counted campaign was sent; undefined if there is none
 * @returns undefined if the source is not silent
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
  const isCampaignSince = lastSentAt !== undefined && lastSentAt > lastEventAt;
  const isMissed = isCampaignSince && lastSentAt <= now - silenceLimits.firstEventMs;
  if (isMissed && silentMs > silenceLimits.afterCampaignMs) return "after_campaign";
  return silentMs > silenceLimits.wholeMs ? "for_long" : undefined;
}

/** A source that has stopped sending. */
export interface SilentSource {
  id: string;
  provider: string;
  lastEventAt: number;
}

/**
 * The silent source whose events a campaign may miss: the one that delivered its events or, if it had none since it was sent, any
 * that was silent by then. Nearly all events come in the first week, so the silence of a source does not concern older ones.
 *
 * @param campaign.closedAt null while the campaign is open
 * @param campaign.sourceId null if no source delivered events
 */
export function findMissedSource(
  campaign: { sentAt: number; closedAt: number | null; sourceId: string | null; hasEvents: boolean },
  silent: readonly SilentSource[],
  now: number,
): SilentSource | undefined {
  const { sentAt, closedAt, sourceId, hasEvents } = campaign;
  if (sentAt > now - silenceLimits.firstEventMs) return undefined;
  const countedUntil = Math.min(sentAt + recordedAges["7d"], closedAt ?? Infinity);
  return silent.find(({ id, lastEventAt }) => {
    if (lastEventAt >= countedUntil) return false;
    return sourceId === null ? !hasEvents && sentAt > lastEventAt : sourceId === id;
  });
}
