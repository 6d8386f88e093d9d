// The position of a client in the changes of an organization: what it has seen, and in which history.

import { dayMs } from "../campaign/calendar/durations.ts";
import { AppError } from "../errors.ts";
import type { ChangeKey } from "../storage/campaigns/changes.ts";
import { findsTimelineRevision, timelineRetentionMs } from "../storage/campaigns/timeline-changes.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

export interface ChangesPosition {
  /** The client has seen all changes up to this revision, and all campaigns sent until this time. */
  revision: number;
  time: number;
  /** Identify the history to which the revision belongs. */
  historyId: number;
  timelineRevision: number;
  timelineRevisionId: number;
  /** The pass that the client is in, and the last change that it has. Its bounds are those of its first page. */
  pass?: { untilRevision: number; untilTime: number; after: ChangeKey };
}

/**
 * The position of a client that has seen everything before an instant, or nothing.
 *
 * @param instant milliseconds since 1970; 0 is nothing
 */
export function positionBefore(instant: number, organization: Organization, now: number): ChangesPosition {
  const current = currentPosition(organization, now);
  const seen = Math.max(instant - 1, 0);
  return { ...current, revision: Math.min(seen, current.revision), time: Math.min(seen, current.time) };
}

/** The position of a client that has seen all campaigns sent until now, in this state of the organization. */
export function currentPosition(organization: Organization, now: number): ChangesPosition {
  const { revision, historyId, timelineRevision, timelineRevisionId } = organization;
  return { revision, time: now, historyId, timelineRevision, timelineRevisionId };
}

/** A clock that deleted the history of a timeline may have been ahead. */
const clockToleranceMs = dayMs;

/**
 * Refuses a position in a history that a restored backup replaced: the client may have changes that the database lost. It
 * is recognized if the revision is still to come, or if the timeline never had the revision of the position.
 *
 * @throws AppError `gone`
 */
export async function checkHistory(
  queries: Queries,
  organization: Organization,
  position: ChangesPosition,
  now: number,
): Promise<void> {
  const { historyId, timelineRevision: revision, timelineRevisionId: revisionId, pass } = position;
  const isAhead = Math.max(position.revision, pass?.untilRevision ?? 0) > organization.revision;
  if (historyId !== organization.historyId || isAhead) throw new AppError("gone");
  if (revisionId === organization.timelineRevisionId) return;
  // The history of the timeline is deleted after a while, so an old revision that it does not have means nothing.
  if (revision < now - timelineRetentionMs + clockToleranceMs) return;
  if (await findsTimelineRevision(queries, organization.id, { revision, revisionId })) return;
  throw new AppError("gone");
}
