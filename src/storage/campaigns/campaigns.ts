// The table `campaigns`: campaigns with their numbers.

import { sql } from "kysely";
import { chunks, type Queries, rowsPerStatement } from "../queries/database.ts";
import { inputRowsForUpdate, isAnyOf } from "../queries/dialect-differences.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import { countRows } from "../queries/rows.ts";
import { tablesOfCampaigns } from "../tables/tables.ts";
import { findTagsOfCampaigns, saveTagsOfCampaigns } from "./campaign-tags.ts";
import type { EmailKey } from "./emails.ts";
import { type StoredCampaign, toCampaignRow, toStoredCampaign } from "./stored-campaign.ts";

const saveRows = upsertInto("campaigns");

/** Inserts or replaces campaigns, with their tags. */
export async function saveCampaigns(
  queries: Queries,
  organizationId: number,
  campaigns: readonly StoredCampaign[],
): Promise<void> {
  await saveRows(queries, organizationId, campaigns.map(toCampaignRow));
  await saveTagsOfCampaigns(queries, organizationId, campaigns);
}

/** Which of these campaigns are not published yet, whatever the clock of this process says. */
export async function findScheduledIds(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .whereRef("publish_at", "=", "sent_at")
    .where(isAnyOf(queries, "id", "integer", ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The existing ones of these campaigns, in no particular order. */
export async function findCampaigns(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<StoredCampaign[]> {
  const found: StoredCampaign[] = [];
  for (const some of chunks(ids)) {
    const rows = await queries
      .selectFrom("campaigns")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("id", "in", some)
      .execute();
    const tags = await findTagsOfCampaigns(queries, organizationId, some);
    found.push(...rows.map((row) => toStoredCampaign(row, tags.get(row.id) ?? [])));
  }
  return found;
}

/** The keys of campaigns newest first, also of scheduled ones: those after one. */
export async function findCampaignKeys(
  queries: Queries,
  organizationId: number,
  { after, limit }: { after: EmailKey | undefined; limit: number },
): Promise<(EmailKey & { isScheduled: boolean })[]> {
  let keys = queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt", "publish_at as publishAt"])
    .where("organization_id", "=", organizationId);
  if (after) keys = keys.where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`);
  const rows = await keys.orderBy("sent_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return rows.map(({ id, sentAt, publishAt }) => ({ id, sentAt, isScheduled: publishAt === sentAt }));
}

async function findCampaignsInOrder(
  queries: Queries,
  organizationId: number,
  range: { after: EmailKey | undefined; limit: number },
): Promise<StoredCampaign[]> {
  const ids = (await findCampaignKeys(queries, organizationId, range)).map(({ id }) => id);
  const found = await findCampaigns(queries, organizationId, ids);
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** All campaigns newest first, also scheduled ones. Consistent if `queries` is one transaction. */
export async function* readAllCampaigns(
  queries: Queries,
  organizationId: number,
): AsyncGenerator<StoredCampaign> {
  for (let after: EmailKey | undefined; ; ) {
    const batch = await findCampaignsInOrder(queries, organizationId, { after, limit: rowsPerStatement });
    yield* batch;
    if (batch.length < rowsPerStatement) return;
    after = batch.at(-1)?.campaign;
  }
}

/** The number of campaigns of an organization. */
export async function countCampaigns(queries: Queries, organizationId: number): Promise<number> {
  return countRows(queries, "campaigns", { organization_id: organizationId });
}

/** Organizations with campaigns to publish at an instant or earlier. */
export async function findOrganizationsWithDue(queries: Queries, now: number): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("organization_id")
    .distinct()
    .where("publish_at", "is not", null)
    .where("publish_at", "<=", now)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** Campaigns to publish at an instant or earlier. The partial index is used only with the condition that it has. */
export async function findDueCampaigns(
  queries: Queries,
  organizationId: number,
  { now, limit, onlyScheduled }: { now: number; limit: number; onlyScheduled: boolean },
): Promise<StoredCampaign[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("publish_at", "is not", null)
    .where("publish_at", "<=", now)
    .$if(onlyScheduled, (query) => query.whereRef("publish_at", "=", "sent_at"))
    .orderBy("publish_at")
    .limit(limit)
    .execute();
  return findCampaigns(
    queries,
    organizationId,
    rows.map(({ id }) => id),
  );
}

/** Saves when the records of campaigns change next without an event. */
export async function savePublishTimes(
  queries: Queries,
  organizationId: number,
  campaigns: readonly { id: number; publishAt: number | null }[],
): Promise<void> {
  const rows = campaigns.map(({ id, publishAt }) => [id, publishAt]);
  const input = inputRowsForUpdate(queries, { id: "integer", publish_at: "integer" }, rows);
  await sql`update campaigns set publish_at = input.publish_at from ${input}
    where campaigns.organization_id = ${organizationId} and campaigns.id = input.id`.execute(queries);
}

/** The ids of all campaigns with a tag, or of all; also scheduled ones. */
export async function findCampaignIds(
  queries: Queries,
  organizationId: number,
  { tagId }: { tagId?: number | undefined } = {},
): Promise<number[]> {
  if (tagId === undefined) {
    const rows = await queries
      .selectFrom("campaigns")
      .select("id")
      .where("organization_id", "=", organizationId)
      .orderBy("id")
      .execute();
    return rows.map(({ id }) => id);
  }
  const rows = await queries
    .selectFrom("campaign_tags")
    .select("campaign_id")
    .where("organization_id", "=", organizationId)
    .where("tag_id", "=", tagId)
    .orderBy("campaign_id")
    .execute();
  return rows.map(({ campaign_id }) => campaign_id);
}

/** Deletes campaigns and their rows in other tables. */
export async function deleteCampaigns(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  for (const some of chunks(ids)) {
    for (const table of tablesOfCampaigns) {
      await queries
        .deleteFrom(table)
        .where("organization_id", "=", organizationId)
        .where("campaign_id", "in", some)
        .execute();
    }
    await queries
      .deleteFrom("campaigns")
      .where("organization_id", "=", organizationId)
      .where("id", "in", some)
      .execute();
  }
}
