// The table `timeline_changes`: what changed which campaigns an organization has, when they were sent, and their tags.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../database.ts";
import { raiseRevision } from "../organizations.ts";

/** Whoever remembers an older timeline reads it anew. */
const keptMs = 30 * dayMs;

/** What was deleted. Campaigns that come or change carry the timeline revision themselves. */
export type Deleted = { campaignId: number } | { tagId: number };

/**
 * To be called in place of `raiseRevision` where a change concerns which campaigns there are, when they were sent, or which
 * tags they carry.
 *
 * @returns the organization's revision and timeline revision from now on
 */
export async function raiseTimelineRevision(
  queries: Queries,
  organizationId: number,
  now: number,
  deleted?: Deleted,
): Promise<number> {
  await forgetOld(queries, organizationId, now);
  const revision = await raiseRevision(queries, organizationId, now);
  await queries
    .updateTable("organizations")
    .set({ timeline_revision: revision })
    .where("id", "=", organizationId)
    .execute();
  await queries
    .insertInto("timeline_changes")
    .values({
      organization_id: organizationId,
      revision,
      campaign_id: deleted && "campaignId" in deleted ? deleted.campaignId : null,
      tag_id: deleted && "tagId" in deleted ? deleted.tagId : null,
    })
    .execute();
  return revision;
}

/** The last one is kept, however old: everybody who remembers a timeline may be waiting there. */
async function forgetOld(queries: Queries, organizationId: number, now: number): Promise<void> {
  await queries
    .deleteFrom("timeline_changes")
    .where("organization_id", "=", organizationId)
    .where("revision", "<", now - keptMs)
    .where("revision", "<", (where) =>
      where.selectFrom("organizations").select("timeline_revision").where("id", "=", organizationId),
    )
    .execute();
}

/**
 * What was deleted since a timeline revision, if that is one of this history: after a backup was restored it may be none,
 * and after a long while it is not known any more.
 *
 * @param limit of things that were deleted
 * @returns undefined where they cannot be told, or are so many
 */
export async function findDeletedSince(
  queries: Queries,
  organizationId: number,
  { timelineRevision, limit }: { timelineRevision: number; limit: number },
): Promise<{ campaignIds: number[]; tagIds: number[] } | undefined> {
  const changes = queries.selectFrom("timeline_changes").where("organization_id", "=", organizationId);
  const known = await changes.select("revision").where("revision", "=", timelineRevision).executeTakeFirst();
  if (!known) return undefined;
  const deleted = await changes
    .select(["campaign_id", "tag_id"])
    .where("revision", ">", timelineRevision)
    .where((where) => where.or([where("campaign_id", "is not", null), where("tag_id", "is not", null)]))
    .limit(limit)
    .execute();
  if (deleted.length === limit) return undefined;
  return {
    campaignIds: deleted.flatMap(({ campaign_id }) => campaign_id ?? []),
    tagIds: deleted.flatMap(({ tag_id }) => tag_id ?? []),
  };
}
