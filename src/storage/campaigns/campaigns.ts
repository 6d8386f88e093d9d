// The table `campaigns`: campaigns with their numbers.

import { sql } from "kysely";
import { chunks, type Queries } from "../database.ts";
import { campaignTables } from "../tables.ts";
import { findTagsOfCampaigns, saveTagsOfCampaigns } from "./campaign-tags.ts";
import { findIndexEntries, type IndexEntry } from "./index-entries.ts";
import {
  type PublishedCampaign,
  type StoredCampaign,
  toCampaignRow,
  toStoredCampaign,
  unchangedRevision,
} from "./stored-campaign.ts";

/** Inserts or replaces campaigns, with their tags. */
export async function saveCampaigns(
  queries: Queries,
  organizationId: number,
  campaigns: readonly PublishedCampaign[],
): Promise<void> {
  for (const some of chunks(campaigns)) {
    await queries
      .insertInto("campaigns")
      .values(some.map((campaign) => toCampaignRow(organizationId, campaign)))
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "id"]).doUpdateSet((set) => ({
          subject: set.ref("excluded.subject"),
          sent_at: set.ref("excluded.sent_at"),
          sent_from: set.ref("excluded.sent_from"),
          team: set.ref("excluded.team"),
          sending_type: set.ref("excluded.sending_type"),
          tracking_type: set.ref("excluded.tracking_type"),
          recipient_count: set.ref("excluded.recipient_count"),
          recipients: set.ref("excluded.recipients"),
          surveys_count: set.ref("excluded.surveys_count"),
          reported_metrics: set.ref("excluded.reported_metrics"),
          tallies: set.ref("excluded.tallies"),
          external_id: set.ref("excluded.external_id"),
          ledger_id: set.ref("excluded.ledger_id"),
          registered_at: set.ref("excluded.registered_at"),
          closed_at: set.ref("excluded.closed_at"),
          timeline_revision: sql<number>`
            case when excluded.timeline_revision = ${unchangedRevision} then campaigns.timeline_revision
              else excluded.timeline_revision end`,
        })),
      )
      .execute();
  }
  await saveTagsOfCampaigns(queries, organizationId, campaigns);
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

/** A page of campaigns, last sent first: those after an entry. */
export async function findCampaignsInOrder(
  queries: Queries,
  organizationId: number,
  range: { after: IndexEntry | undefined; limit: number },
): Promise<StoredCampaign[]> {
  const entries = await findIndexEntries(queries, organizationId, range);
  const ids = entries.map(({ id }) => id);
  const byId = new Map(
    (await findCampaigns(queries, organizationId, ids)).map((stored) => [stored.campaign.id, stored]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Deletes a campaign and its rows in other tables. Returns whether it existed. */
export async function deleteCampaign(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  for (const table of campaignTables) {
    await queries
      .deleteFrom(table)
      .where("organization_id", "=", organizationId)
      .where("campaign_id", "=", id)
      .execute();
  }
  const { numDeletedRows } = await queries
    .deleteFrom("campaigns")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
