// The table `timeline_changes`: the history of the timeline, from which readers bring a cached timeline up to date.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../database.ts";

/** A timeline cached for longer is read again from the start. */
export const timelineRetentionMs = 30 * dayMs;

/** What was deleted. Added and changed campaigns carry the timeline revision themselves. */
export type DeletedRow = { campaignId: number } | { tagId: number };

export async function addTimelineChange(
  queries: Queries,
  organizationId: number,
  { revision, revisionId }: { revision: number; revisionId: number },
  deleted: DeletedRow | undefined,
): Promise<void> {
  await queries
    .insertInto("timeline_changes")
    .values({
      organization_id: organizationId,
      revision,
      revision_id: revisionId,
      campaign_id: deleted && "campaignId" in deleted ? deleted.campaignId : null,
      tag_id: deleted && "tagId" in deleted ? deleted.tagId : null,
    })
    .execute();
}

/** Keeps the last change, however old: every current timeline is at that revision. */
export async function deleteOldTimelineChanges(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<void> {
  await queries
    .deleteFrom("timeline_changes")
    .where("organization_id", "=", organizationId)
    .where("revision", "<", now - timelineRetentionMs)
    .where("revision", "<", (where) =>
      where.selectFrom("organizations").select("timeline_revision").where("id", "=", organizationId),
    )
    .execute();
}

/**
 * The campaigns and tags deleted since a timeline revision.
 *
 * @param limit deletions that the caller can apply
 * @returns undefined if the revision is unknown (too old, or from before a restored backup) or the limit is reached
 */
export async function findDeletedSince(
  queries: Queries,
  organizationId: number,
  { revision, revisionId, limit }: { revision: number; revisionId: number; limit: number },
): Promise<{ campaignIds: number[]; tagIds: number[] } | undefined> {
  if (!(await findsTimelineRevision(queries, organizationId, { revision, revisionId }))) return undefined;
  const deleted = await queries
    .selectFrom("timeline_changes")
    .select(["campaign_id", "tag_id"])
    .where("organization_id", "=", organizationId)
    .where("revision", ">", revision)
    .where((where) => where.or([where("campaign_id", "is not", null), where("tag_id", "is not", null)]))
    .limit(limit)
    .execute();
  if (deleted.length === limit) return undefined;
  return {
    campaignIds: deleted.flatMap(({ campaign_id }) => campaign_id ?? []),
    tagIds: deleted.flatMap(({ tag_id }) => tag_id ?? []),
  };
}

/** Whether the history of the timeline has a revision. It lacks those that are too old, or were lost by restoring a backup. */
export async function findsTimelineRevision(
  queries: Queries,
  organizationId: number,
  { revision, revisionId }: { revision: number; revisionId: number },
): Promise<boolean> {
  const found = await queries
    .selectFrom("timeline_changes")
    .select("revision")
    .where("organization_id", "=", organizationId)
    .where("revision", "=", revision)
    .where("revision_id", "=", revisionId)
    .executeTakeFirst();
  return found !== undefined;
}
