// Finds one page of changes: everything that reads differently since a position, and deleted campaigns.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeedRecord } from "../campaign/feed/feed-fields.ts";
import { toFeedRecord } from "../campaign/feed/typed-record.ts";
import { type Change, findChangesAfter } from "../storage/campaigns/changes.ts";
import { findTypedRecords } from "../storage/campaigns/emails.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Scope } from "../storage/queries/scope.ts";
import { type ChangesPosition, positionAt } from "./changes-position.ts";

interface ChangesPage {
  changes: Change[];
  hasMore: boolean;
  /** The position of the client once it has this page; unchanged if there is nothing new. */
  position: ChangesPosition;
}

/**
 * Finds the next changes. The first page of a pass fixes its end: what changes later is in the next pass. So every pass
 * ends, and a campaign that changes meanwhile is missed by none.
 *
 * @param organization of the same snapshot
 */
export async function findChangesPage(
  scope: Scope,
  organization: Organization,
  position: ChangesPosition,
  limit: number,
): Promise<ChangesPage> {
  const { revision, pass } = position;
  const untilRevision = pass?.untilRevision ?? organization.revision;
  const after = pass?.after ?? { revision, id: Number.MAX_SAFE_INTEGER };
  const range = { after, until: untilRevision, limit: limit + 1 };
  const rows = await findChangesAfter(scope, range);
  const changes = rows.slice(0, limit);
  const last = changes.at(-1);
  if (!last && !pass) return { changes, hasMore: false, position };
  if (!last || rows.length === changes.length) {
    return { changes, hasMore: false, position: await positionAt(scope, organization, untilRevision) };
  }
  const next = { untilRevision, after: { revision: last.revision, id: last.id } };
  return { changes, hasMore: true, position: { ...position, pass: next } };
}

/** A feed record, or the id of a campaign that was deleted. */
export type ChangeRecord =
  | (FeedRecord & { deleted: false })
  | { id: number; updated_at: string; deleted: true };

/** Reads and formats as many records in one turn of the event loop: about two milliseconds of work. */
const recordsPerTurn = 100;

/** The records of changes, in their order. @param scope of the same snapshot as the organization */
export async function readChangeRecords(scope: Scope, changes: readonly Change[]): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  for (let from = 0; from < changes.length; from += recordsPerTurn) {
    if (from > 0) await nextTurn();
    const some = changes.slice(from, from + recordsPerTurn);
    const sent = some.filter(({ sentAt }) => sentAt !== null).map(({ id }) => id);
    const found = await findTypedRecords(scope, sent);
    for (const { id, revision, sentAt } of some) {
      const record = found.get(id);
      if (sentAt === null) {
        records.push({ id, updated_at: new Date(revision).toISOString(), deleted: true });
      } else if (record) records.push({ ...toFeedRecord(record), deleted: false });
      else throw new Error(`campaign ${id} is in the change log, but has no record`);
    }
  }
  return records;
}
