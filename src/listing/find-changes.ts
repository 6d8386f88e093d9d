// Finds one page of changes: everything that reads differently since a position, and deleted campaigns.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeedRecord } from "../campaign/feed/feed-fields.ts";
import { type Change, type ChangesWindow, findChanges } from "../storage/campaigns/changes.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import type { ChangesPosition } from "./changes-position.ts";
import { findFeedRecords } from "./find-feed-records.ts";

export interface ChangesPage {
  changes: Change[];
  hasMore: boolean;
  /** Of the client, once it has this page. The same as before if there is nothing new. */
  position: ChangesPosition;
}

/** Before the first change. */
const start = { updatedAt: -1, id: 0 };

/**
 * Finds the next changes. The first page of a pass fixes its bounds: what changes later is in the next pass. So every pass
 * ends, and a campaign that changes meanwhile is missed by none, but may be in both.
 *
 * @param organization of the same snapshot
 */
export async function findChangesPage(
  queries: Queries,
  organization: Organization,
  position: ChangesPosition,
  { limit, now }: { limit: number; now: number },
): Promise<ChangesPage> {
  const { historyId, timelineRevision, timelineRevisionId } = position.pass ? position : organization;
  const untilRevision = position.pass?.untilRevision ?? organization.revision;
  // Clocks of several processes differ: the time of a client never goes back.
  const untilTime = position.pass?.untilTime ?? Math.max(now, position.time);
  const window: ChangesWindow = {
    afterRevision: position.revision,
    untilRevision,
    afterTime: position.time,
    untilTime,
  };
  const after = position.pass?.after ?? start;
  const found = await findChanges(queries, organization, window, { after, limit: limit + 1 });
  const changes = found.slice(0, limit);
  const last = changes.at(-1);
  if (!last && !position.pass) return { changes, hasMore: false, position };
  const history = { historyId, timelineRevision, timelineRevisionId };
  if (!last || found.length === changes.length) {
    return { changes, hasMore: false, position: { ...history, revision: untilRevision, time: untilTime } };
  }
  const pass = { untilRevision, untilTime, after: { updatedAt: last.updatedAt, id: last.id } };
  const { revision, time } = position;
  return { changes, hasMore: true, position: { ...history, revision, time, pass } };
}

/** A feed record, or the id of a campaign that was deleted or is not sent yet. */
export type ChangeRecord =
  | (FeedRecord & { deleted: false })
  | { id: number; updated_at: string; deleted: true };

/** Reads and renders as many records in one turn of the event loop: about two milliseconds of work. */
const recordsPerTurn = 100;

/** The records of changes, in their order. @param queries of the same snapshot as the organization */
export async function readChangeRecords(
  queries: Queries,
  organization: Organization,
  changes: readonly Change[],
): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  for (let from = 0; from < changes.length; from += recordsPerTurn) {
    if (from > 0) await nextTurn();
    const some = changes.slice(from, from + recordsPerTurn);
    const sent = some.flatMap((change) =>
      change.sentAt === undefined ? [] : [{ ...change, sentAt: change.sentAt }],
    );
    const found = await findFeedRecords(queries, organization, sent);
    records.push(...some.map((change) => toChangeRecord(change, found.get(change.id))));
  }
  return records;
}

function toChangeRecord({ id, updatedAt, sentAt }: Change, record: FeedRecord | undefined): ChangeRecord {
  if (sentAt === undefined) return { id, updated_at: new Date(updatedAt).toISOString(), deleted: true };
  if (!record) throw new Error(`campaign ${id} has a revision, but no record`);
  return { ...record, deleted: false };
}
