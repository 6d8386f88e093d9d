// What feed records are made from: the rendered records of campaigns, and the columns that those do not have.

import { type SelectQueryBuilder, sql } from "kysely";
import type { FeedSource } from "../../campaign/feed/feed-record.ts";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";
import type { Organization } from "../organizations.ts";
import type { Tables } from "../tables.ts";
import type { IndexEntry } from "./index-entries.ts";
import { joinEntries } from "./rendered-records.ts";

export interface StoredFeedSource extends Omit<FeedSource, "updatedAt"> {
  id: number;
  renderVersion: number;
}

/** Of the existing ones of these campaigns, in no particular order. */
export async function findFeedSources(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<StoredFeedSource[]> {
  const { rows } = await sql<StoredFeedSource>`
    select page.*, campaigns.recipient_count as "recipientCount", campaigns.surveys_count as "surveysCount",
      case when campaigns.tallies is null then campaigns.reported_metrics end as "reportedMetrics",
      campaigns.closed_at as "closedAt"
    from (
      select records.campaign_id as id, records.sent_at as "sentAt", records.record,
        records.render_version as "renderVersion"
      ${joinEntries(queries, organizationId, entries)}) as page
    inner join campaigns on campaigns.organization_id = ${organizationId} and campaigns.id = page.id`.execute(
    queries,
  );
  return rows;
}

/** Which campaigns a feed has. */
export interface FeedSelection {
  /** Sent at this instant or later. */
  sentFrom?: number | undefined;
  /** Sent before this instant. */
  sentUntil: number;
  /** With at least one of these tags. */
  tagIds?: readonly number[] | undefined;
}

/** The next campaigns of a selection, newest first: those after an entry. */
export async function findSelectedFeedSources(
  queries: Queries,
  { id, renderRevision }: Pick<Organization, "id" | "renderRevision">,
  selection: FeedSelection,
  { after, limit }: { after: IndexEntry | undefined; limit: number },
): Promise<(StoredFeedSource & { updatedAt: number })[]> {
  const found = await selectRecords(queries, id, selection, after)
    .innerJoin("campaigns", (join) =>
      join
        .onRef("campaigns.organization_id", "=", "records.organization_id")
        .onRef("campaigns.id", "=", "records.campaign_id"),
    )
    .innerJoin("campaign_revisions", (join) =>
      join
        .onRef("campaign_revisions.organization_id", "=", "records.organization_id")
        .onRef("campaign_revisions.campaign_id", "=", "records.campaign_id"),
    )
    .select(["records.campaign_id as id", "records.sent_at as sentAt", "records.record"])
    .select(["records.render_version as renderVersion", "campaign_revisions.revision"])
    .select(["campaigns.recipient_count as recipientCount", "campaigns.surveys_count as surveysCount"])
    .select(["campaigns.closed_at as closedAt", reportedMetrics.as("reportedMetrics")])
    .orderBy("records.sent_at", "desc")
    .orderBy("records.campaign_id", "desc")
    .limit(limit)
    .execute();
  return found.map((source) => ({
    ...source,
    // A campaign registered ahead appears at its send time, without a write.
    updatedAt: Math.max(source.revision, renderRevision, source.sentAt),
  }));
}

const reportedMetrics = sql<
  string | null
>`case when campaigns.tallies is null then campaigns.reported_metrics end`;

/** When the newest campaign of an organization before an instant was sent; 0 if there is none. */
export async function findLastSentAt(
  queries: Queries,
  organizationId: number,
  until: number,
): Promise<number> {
  const row = await selectRecords(queries, organizationId, { sentUntil: until })
    .select("records.sent_at")
    .orderBy("records.sent_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sent_at ?? 0;
}

function selectRecords(
  queries: Queries,
  organizationId: number,
  { sentFrom, sentUntil, tagIds }: FeedSelection,
  after: IndexEntry = { sentAt: sentUntil, id: 0 },
): SelectQueryBuilder<Tables, "records", object> {
  // One upper bound: with two of them, SQLite may search by the wrong one and read all rows of earlier batches again.
  let records = queries
    .selectFrom("records")
    .where("records.organization_id", "=", organizationId)
    .where(sql<boolean>`(records.sent_at, records.campaign_id) < (${after.sentAt}, ${after.id})`);
  if (sentFrom !== undefined) records = records.where("records.sent_at", ">=", sentFrom);
  if (tagIds === undefined) return records;
  return records.where((where) =>
    where.exists(
      where
        .selectFrom("campaign_tags")
        .select("campaign_tags.tag_id")
        .whereRef("campaign_tags.organization_id", "=", "records.organization_id")
        .whereRef("campaign_tags.campaign_id", "=", "records.campaign_id")
        .where(isAnyOf(queries, "campaign_tags.tag_id", "integer", tagIds)),
    ),
  );
}
