// The table `campaigns`: what was sent, its numbers, and its finished record.

import { sql } from "kysely";
import type { Campaign, Tag } from "../../campaign/campaign.ts";
import { recordFormat } from "../../campaign/email-record.ts";
import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Tallies } from "../../campaign/events/tally.ts";
import type { Numbers, ReportedMetrics } from "../../campaign/metrics.ts";
import { chunks, type Queries } from "../database.ts";
import { recordFormatsMax, tablesOfCampaigns } from "../organizations.ts";
import type { CampaignsTable } from "../tables.ts";
import { findTagsOfCampaigns, saveTagsOfCampaigns } from "./campaign-tags.ts";

/** A campaign with all that its record is made of. */
export interface StoredCampaign {
  campaign: Campaign;
  numbers: Numbers;
  tags: Tag[];
  /** Of a counted campaign. */
  counting: Counting | null;
}

/** How the numbers of a campaign come about. */
export interface Counting {
  /** The sender's own name for the campaign, unique in the organization. */
  externalId: string | null;
  /** What its numbers are counted from; null once it is closed. */
  ledgerId: number | null;
  /** When it was registered. */
  registeredAt: number;
  closedAt: number | null;
}

/** Every name under which events may name a campaign. */
export function namesOf({
  campaign,
  counting,
}: Pick<StoredCampaign, "campaign" | "counting">): CampaignReference[] {
  const externalId = counting?.externalId ?? null;
  return externalId === null ? [campaign.id] : [campaign.id, externalId];
}

/** No revision; stands for the one that a campaign has already. */
const unchanged = -1;

/** A campaign that is to be saved with its finished record. */
export interface PublishedCampaign extends StoredCampaign {
  record: string;
  renderVersion: number;
  /** Null where neither its place in the order of the records nor its tags have changed. */
  timelineRevision: number | null;
}

/** Adds campaigns, or replaces those of the same id, with their finished records and their tags. */
export async function saveCampaigns(
  queries: Queries,
  organizationId: number,
  campaigns: readonly PublishedCampaign[],
): Promise<void> {
  for (const some of chunks(campaigns)) {
    await queries
      .insertInto("campaigns")
      .values(some.map((campaign) => toRow(organizationId, campaign)))
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
          record: set.ref("excluded.record"),
          render_version: set.ref("excluded.render_version"),
          timeline_revision: sql<number>`
            case when excluded.timeline_revision = ${unchanged} then campaigns.timeline_revision
              else excluded.timeline_revision end`,
        })),
      )
      .execute();
  }
  await saveTagsOfCampaigns(queries, organizationId, campaigns);
}

/** The campaigns of these ids, as far as there are any, in no particular order. */
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

/** Organizations that have campaigns whose record was made under an older rendering number than theirs. */
export async function findOrganizationsWithOutdatedRecords(queries: Queries): Promise<number[]> {
  const rows = await queries
    .selectFrom("organizations")
    .select("id")
    .where((where) =>
      where.exists(
        where
          .selectFrom("campaigns")
          .select("campaigns.id")
          .whereRef("campaigns.organization_id", "=", "organizations.id")
          .where(
            "campaigns.render_version",
            "<",
            sql<number>`${sql.ref("organizations.render_version")} * ${recordFormatsMax} + ${recordFormat}`,
          ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Campaigns whose record was made under an older rendering number than the organization's. */
export async function findOutdatedCampaigns(
  queries: Queries,
  { organizationId, renderVersion, limit }: { organizationId: number; renderVersion: number; limit: number },
): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("render_version", "<", renderVersion)
    .orderBy("render_version")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns whether there was such a campaign. */
export async function deleteCampaign(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  for (const table of tablesOfCampaigns) {
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

function toRow(
  organizationId: number,
  { campaign, numbers, counting, record, renderVersion, timelineRevision }: PublishedCampaign,
): CampaignsTable {
  return {
    organization_id: organizationId,
    id: campaign.id,
    subject: campaign.subject,
    sent_at: campaign.sentAt,
    sent_from: campaign.sentFrom,
    team: campaign.team,
    sending_type: campaign.sendingType,
    tracking_type: campaign.trackingType,
    recipient_count: campaign.recipientCount,
    recipients: campaign.recipients,
    surveys_count: campaign.surveysCount,
    reported_metrics: JSON.stringify("reported" in numbers ? numbers.reported : null),
    tallies: "counted" in numbers ? JSON.stringify(numbers.counted) : null,
    external_id: counting?.externalId ?? null,
    ledger_id: counting?.ledgerId ?? null,
    registered_at: counting?.registeredAt ?? null,
    closed_at: counting?.closedAt ?? null,
    record,
    render_version: renderVersion,
    timeline_revision: timelineRevision ?? unchanged,
  };
}

function toStoredCampaign(row: CampaignsTable, tags: Tag[]): StoredCampaign {
  const campaign = {
    id: row.id,
    subject: row.subject,
    sentAt: row.sent_at,
    sentFrom: row.sent_from,
    team: row.team,
    sendingType: row.sending_type,
    trackingType: row.tracking_type,
    recipientCount: row.recipient_count,
    recipients: row.recipients,
    surveysCount: row.surveys_count,
  };
  if (row.tallies === null) {
    const reported = JSON.parse(row.reported_metrics) as ReportedMetrics;
    return { campaign, tags, numbers: { reported }, counting: null };
  }
  const counting = {
    externalId: row.external_id,
    ledgerId: row.ledger_id,
    registeredAt: row.registered_at ?? 0,
    closedAt: row.closed_at,
  };
  return { campaign, tags, numbers: { counted: JSON.parse(row.tallies) as Tallies }, counting };
}
