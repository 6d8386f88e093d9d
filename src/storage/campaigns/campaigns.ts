// The table `campaigns`: campaigns with their numbers.

import { sql } from "kysely";
import { rowsPerStatement } from "../queries/database.ts";
import { inputRowsForUpdate } from "../queries/dialect-differences.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import { tablesOfCampaigns } from "../tables/tables.ts";
import { findTagsOfCampaigns, saveTagsOfCampaigns } from "./campaign-tags.ts";
import type { EmailKey } from "./emails.ts";
import { isListSaved } from "./named-campaigns.ts";
import { type Corrections, type StoredCampaign, toCampaignRow, toStoredCampaign } from "./stored-campaign.ts";

const saveRows = upsertInto("campaigns");

/** Inserts or replaces campaigns, with their tags. */
export async function saveCampaigns(scope: Scope, campaigns: readonly StoredCampaign[]): Promise<void> {
  await saveRows(scope, campaigns.map(toCampaignRow));
  await saveTagsOfCampaigns(scope, campaigns);
}

/** Which of these campaigns are not published yet, whatever the clock of this process says. */
export async function findScheduledIds(scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const rows = await scope
    .from("campaigns", { id: ids })
    .select("id")
    .whereRef("publish_at", "=", "sent_at")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The existing ones of these campaigns, in the order of their ids here. */
export async function findCampaigns(scope: Scope, ids: readonly number[]): Promise<StoredCampaign[]> {
  if (ids.length === 0) return [];
  const rows = await scope.selectRows("campaigns", { id: ids }).execute();
  const tags = await findTagsOfCampaigns(scope, ids);
  const byId = new Map(rows.map((row) => [row.id, toStoredCampaign(row, tags.get(row.id) ?? [])]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** The ids of campaigns by the ids that they have in a tool; missing for those that were not imported from it. */
export async function findIdsInTool(
  scope: Scope,
  tool: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const found = scope.from("campaigns", { origin_tool: tool, origin_id: ids });
  const rows = await found.select(["id", "origin_id"]).execute();
  return new Map(rows.map(({ id, origin_id }) => [origin_id ?? "", id]));
}

/** The keys of campaigns newest first, also of scheduled ones: those after one. */
export async function findCampaignKeys(
  scope: Scope,
  { after, limit }: { after: EmailKey | undefined; limit: number },
): Promise<(EmailKey & { isScheduled: boolean })[]> {
  let keys = scope.from("campaigns").select(["id", "sent_at as sentAt", "publish_at as publishAt"]);
  if (after) keys = keys.where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`);
  const rows = await keys.orderBy("sent_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return rows.map(({ id, sentAt, publishAt }) => ({ id, sentAt, isScheduled: publishAt === sentAt }));
}

/** All campaigns newest first, also scheduled ones. Consistent if `scope` is of one transaction. */
export async function* readAllCampaigns(scope: Scope): AsyncGenerator<StoredCampaign> {
  for (let after: EmailKey | undefined; ; ) {
    const keys = await findCampaignKeys(scope, { after, limit: rowsPerStatement });
    yield* await findCampaigns(
      scope,
      keys.map(({ id }) => id),
    );
    after = keys.at(-1);
    if (keys.length < rowsPerStatement) return;
  }
}

/** The ids of the tags that files and senders say of campaigns whose tags people have set. */
export async function findCorrectedTags(scope: Scope): Promise<number[]> {
  const rows = await scope
    .from("campaigns")
    .select("corrections")
    .where("corrections", "is not", null)
    .execute();
  return rows.flatMap(({ corrections }) => (JSON.parse(corrections ?? "{}") as Corrections).tags?.said ?? []);
}

/** The number of campaigns of an organization. */
export async function countCampaigns(scope: Scope): Promise<number> {
  return scope.countRows("campaigns");
}

/** Organizations with campaigns to publish at an instant or earlier. */
export async function findOrganizationsWithDue(queries: Queries, now: number): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("organization_id")
    .distinct()
    .where("publish_at", "is not", null)
    .where("publish_at", "<=", now)
    .where(isListSaved)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/**
 * Campaigns to publish at an instant or earlier, without those whose list is being saved: groups of a part of it would be
 * copied for readers. The partial index is used only with the condition that it has.
 */
export async function findDueCampaigns(
  scope: Scope,
  { now, limit, onlyScheduled }: { now: number; limit: number; onlyScheduled: boolean },
): Promise<StoredCampaign[]> {
  const rows = await scope
    .from("campaigns")
    .select("id")
    .where("publish_at", "is not", null)
    .where("publish_at", "<=", now)
    .where(isListSaved)
    .$if(onlyScheduled, (query) => query.whereRef("publish_at", "=", "sent_at"))
    .orderBy("publish_at")
    .limit(limit)
    .execute();
  return findCampaigns(
    scope,
    rows.map(({ id }) => id),
  );
}

/** Saves when the records of campaigns change next without an event. */
export async function savePublishTimes(
  scope: Scope,
  campaigns: readonly { id: number; publishAt: number | null }[],
): Promise<void> {
  const rows = campaigns.map(({ id, publishAt }) => [id, publishAt]);
  const input = inputRowsForUpdate(scope, { id: "integer", publish_at: "integer" }, rows);
  await sql`update campaigns set publish_at = input.publish_at from ${input}
    where campaigns.organization_id = ${scope.organizationId} and campaigns.id = input.id`.execute(scope);
}

/** The ids of all campaigns with a tag, or of all; also scheduled ones. */
export async function findCampaignIds(
  scope: Scope,
  { tagId }: { tagId?: number | undefined } = {},
): Promise<number[]> {
  if (tagId === undefined) {
    const rows = await scope.from("campaigns").select("id").orderBy("id").execute();
    return rows.map(({ id }) => id);
  }
  const rows = await scope
    .from("campaign_tags", { tag_id: tagId })
    .select("campaign_id")
    .orderBy("campaign_id")
    .execute();
  return rows.map(({ campaign_id }) => campaign_id);
}

/** Deletes campaigns and their rows in other tables. */
export async function deleteCampaigns(scope: Scope, ids: readonly number[]): Promise<void> {
  for (const table of tablesOfCampaigns) await scope.deleteRows(table, { campaign_id: ids });
  await scope.deleteRows("campaigns", { id: ids });
}
