// The ids, send times and last changes of the campaigns in a feed, without their records.

import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";
import type { Organization } from "../organizations.ts";
import type { Tables } from "../tables.ts";
import type { FeedSelection } from "./feed-sources.ts";
import type { IndexEntry } from "./index-entries.ts";

export interface FeedEntry extends IndexEntry {
  /** When its record last changed. */
  updatedAt: number;
}

/** The next campaigns of a selection, newest first: those after an entry. */
export async function findEntriesBySendTime(
  queries: Queries,
  { id, renderRevision }: Pick<Organization, "id" | "renderRevision">,
  selection: FeedSelection,
  { after = beforeAll(selection), limit }: { after?: IndexEntry | undefined; limit: number },
): Promise<FeedEntry[]> {
  const rows = await selectCampaigns(queries, id, selection, after)
    .innerJoin("campaign_revisions", (join) =>
      join
        .onRef("campaign_revisions.organization_id", "=", "campaigns.organization_id")
        .onRef("campaign_revisions.campaign_id", "=", "campaigns.id"),
    )
    .select(["campaigns.id", "campaigns.sent_at as sentAt", "campaign_revisions.revision"])
    .orderBy("campaigns.sent_at", "desc")
    .orderBy("campaigns.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => withUpdate(row, renderRevision));
}

/** The next campaigns of a selection by id, from one id until before another. */
export async function findEntriesById(
  queries: Queries,
  { id, renderRevision }: Pick<Organization, "id" | "renderRevision">,
  { sentFrom, sentUntil, tagIds }: FeedSelection,
  { from, until, limit }: { from: number; until: number; limit: number },
): Promise<FeedEntry[]> {
  // A deleted campaign has no send time.
  let entries = queries
    .selectFrom("campaign_revisions")
    .where("campaign_revisions.organization_id", "=", id)
    .where("campaign_revisions.campaign_id", ">=", from)
    .where("campaign_revisions.campaign_id", "<", until)
    .where("campaign_revisions.sent_at", "<", sentUntil);
  if (sentFrom !== undefined) entries = entries.where("campaign_revisions.sent_at", ">=", sentFrom);
  if (tagIds) {
    entries = entries.where((where) =>
      hasTag(queries, where, tagIds, [
        "campaign_revisions.organization_id",
        "campaign_revisions.campaign_id",
      ]),
    );
  }
  const rows = await entries
    .select(["campaign_revisions.campaign_id as id", "campaign_revisions.revision"])
    .select(sql<number>`campaign_revisions.sent_at`.as("sentAt"))
    .orderBy("campaign_revisions.campaign_id")
    .limit(limit)
    .execute();
  return rows.map((row) => withUpdate(row, renderRevision));
}

/** The campaign at an index of a selection, newest first; undefined if the selection has no more than `index`. */
export async function findEntryAt(
  queries: Queries,
  organizationId: number,
  selection: FeedSelection,
  index: number,
): Promise<IndexEntry | undefined> {
  return selectCampaigns(queries, organizationId, selection)
    .select(["campaigns.id", "campaigns.sent_at as sentAt"])
    .orderBy("campaigns.sent_at", "desc")
    .orderBy("campaigns.id", "desc")
    .limit(1)
    .offset(index)
    .executeTakeFirst();
}

/** The number of campaigns in a selection. */
export async function countEntries(
  queries: Queries,
  organizationId: number,
  selection: FeedSelection,
): Promise<number> {
  const { count } = await selectCampaigns(queries, organizationId, selection)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const beforeAll = ({ sentUntil }: FeedSelection): IndexEntry => ({ sentAt: sentUntil, id: 0 });

function selectCampaigns(
  queries: Queries,
  organizationId: number,
  selection: FeedSelection,
  after: IndexEntry = beforeAll(selection),
): SelectQueryBuilder<Tables, "campaigns", object> {
  const { sentFrom, tagIds } = selection;
  // One upper bound: with two of them, SQLite may search by the wrong one.
  let campaigns = queries
    .selectFrom("campaigns")
    .where("campaigns.organization_id", "=", organizationId)
    .where(sql<boolean>`(campaigns.sent_at, campaigns.id) < (${after.sentAt}, ${after.id})`);
  if (sentFrom !== undefined) campaigns = campaigns.where("campaigns.sent_at", ">=", sentFrom);
  if (tagIds === undefined) return campaigns;
  return campaigns.where((where) =>
    hasTag(queries, where, tagIds, ["campaigns.organization_id", "campaigns.id"]),
  );
}

function hasTag<Table extends keyof Tables>(
  queries: Queries,
  where: ExpressionBuilder<Tables, Table>,
  tagIds: readonly number[],
  [organizationId, campaignId]: readonly [organizationId: string, campaignId: string],
) {
  return where.exists(
    queries
      .selectFrom("campaign_tags")
      .select("campaign_tags.tag_id")
      .where(sql<boolean>`campaign_tags.organization_id = ${sql.ref(organizationId)}`)
      .where(sql<boolean>`campaign_tags.campaign_id = ${sql.ref(campaignId)}`)
      .where(isAnyOf(queries, "campaign_tags.tag_id", "integer", tagIds)),
  );
}

/** A campaign registered ahead appears at its send time, without a write. */
function withUpdate(
  { revision, ...entry }: IndexEntry & { revision: number },
  renderRevision: number,
): FeedEntry {
  return { ...entry, updatedAt: Math.max(revision, renderRevision, entry.sentAt) };
}
