// The position of a client in the changes of an organization: what it has seen, and in which history.

import { AppError } from "../errors.ts";
import {
  type Change,
  type ChangeKey,
  findChangesOf,
  findLastChanges,
  findLastMove,
} from "../storage/campaigns/changes.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Scope } from "../storage/queries/scope.ts";

/** A change that the client has seen, by which the history that it belongs to is recognized. Its numbers are 0 if none. */
interface Mark extends ChangeKey {
  revisionId: number;
}

export interface ChangesPosition {
  /** Random, of the organization: another one means that an admin started a new history. */
  historyId: number;
  /** The client has seen all changes up to this revision. */
  revision: number;
  /** The last of these changes. */
  lastChange: Mark;
  /** The last of these changes by which a campaign was added, moved, retagged or deleted. */
  lastMove: ChangeKey;
  /** The pass that the client is in: it ends with this revision, and this is the last change that the client has. */
  pass?: { untilRevision: number; after: ChangeKey };
}

const noMark: Mark = { id: 0, revision: 0, revisionId: 0 };

/** Returns the position of a client that has seen all changes up to a revision, by default all. */
export async function positionAt(
  scope: Scope,
  organization: Organization,
  revision = organization.revision,
): Promise<ChangesPosition> {
  const { historyId } = organization;
  const until = { revision, id: Number.MAX_SAFE_INTEGER };
  const [last = noMark] = await findLastChanges(scope, { until, limit: 1 });
  const move = await findLastMove(scope, revision);
  return {
    historyId,
    revision,
    lastChange: { id: last.id, revision: last.revision, revisionId: last.revisionId },
    lastMove: { id: move?.id ?? 0, revision: move?.orderRevision ?? 0 },
  };
}

/**
 * Refuses a position in a history that a restored backup replaced: the client may have changes that the database lost.
 * The database lost them if the revision is still to come, or if a campaign has an earlier change than the client saw, or
 * another one under the same revision.
 *
 * @throws AppError `gone`
 */
export async function checkHistory(
  scope: Scope,
  { historyId, revision }: Organization,
  position: ChangesPosition,
): Promise<void> {
  const { lastChange, lastMove, pass } = position;
  const isAhead = Math.max(position.revision, pass?.untilRevision ?? 0) > revision;
  if (historyId !== position.historyId || isAhead) throw new AppError("gone");
  const changes = await findChangesOf(scope, [lastChange.id, lastMove.id]);
  if (!hasChange(lastChange, changes.get(lastChange.id)) || !hasMove(lastMove, changes.get(lastMove.id))) {
    throw new AppError("gone");
  }
}

function hasChange(mark: Mark, found: Change | undefined): boolean {
  if (mark.id === 0) return true;
  if (!found || found.revision < mark.revision) return false;
  return found.revision > mark.revision || found.revisionId === mark.revisionId;
}

function hasMove(mark: ChangeKey, found: Change | undefined): boolean {
  return mark.id === 0 || (found !== undefined && found.orderRevision >= mark.revision);
}
