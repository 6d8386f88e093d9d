// The table `campaign_revisions`: when each campaign last changed, so that clients read only new changes. A column
// of the wide table would need an index there, which would cost PostgreSQL its heap-only updates.

import { sql } from "kysely";
import { chunks, type Queries } from "../database.ts";
import { fromInputOf, inputRows, isAnyOf } from "../dialect-differences.ts";
import type { IndexEntry } from "./index-entries.ts";

/**
 * Saves that campaigns changed. Call it for every change of a record.
 *
 * @param campaigns `sentAt` is null if the campaign was deleted
 */
export async function saveCampaignRevisions(
  queries: Queries,
  organizationId: number,
  revision: number,
  campaigns: readonly { id: number; sentAt: number | null }[],
): Promise<void> {
  for (const some of chunks(campaigns)) {
    const rows = some.map(({ id, sentAt }) => [id, sentAt]);
    const input = inputRows(queries, { campaign_id: "integer", sent_at: "integer" }, rows);
    await sql`
      insert into campaign_revisions (organization_id, campaign_id, revision, sent_at)
      select organizations.id, input.campaign_id, cast(${revision} as bigint), input.sent_at
      ${fromInputOf(organizationId, input)}
      on conflict (organization_id, campaign_id) do update set
        revision = excluded.revision, sent_at = excluded.sent_at`.execute(queries);
  }
}

/** The campaigns that changed or were deleted after a revision of the organization, in the order of their changes. */
export async function findCampaignIdsChangedSince(
  queries: Queries,
  organizationId: number,
  { revision, limit }: { revision: number; limit: number },
): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaign_revisions")
    .select("campaign_id as id")
    .where("organization_id", "=", organizationId)
    .where("revision", ">", revision)
    .orderBy("revision")
    .orderBy("campaign_id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The revision at which each of these campaigns last changed, by campaign id. */
export async function findRevisionsOfCampaigns(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await queries
    .selectFrom("campaign_revisions")
    .select(["campaign_id as id", "revision"])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", campaignIds))
    .execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** The entries whose campaign has no revision with its send time: there are none unless the database is damaged. */
export async function findEntriesWithoutRevision(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<IndexEntry[]> {
  const ids = entries.map(({ id }) => id);
  const rows = await queries
    .selectFrom("campaign_revisions")
    .select(["campaign_id as id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", ids))
    .execute();
  const sendTimes = new Map(rows.map(({ id, sentAt }) => [id, sentAt]));
  return entries.filter(({ id, sentAt }) => sendTimes.get(id) !== sentAt);
}
