// What feed records are made from: the rendered records of campaigns, and the columns that those do not have.

import { sql } from "kysely";
import type { FeedSource } from "../../campaign/feed/feed-record.ts";
import type { Queries } from "../database.ts";
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
