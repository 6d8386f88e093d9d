// The table `campaigns`: what was sent, its numbers, and its finished record.

import { sql } from "kysely";
import type { Campaign, Tag } from "../campaign/campaign.ts";
import { recordFormat } from "../campaign/email-record.ts";
import type { CampaignReference } from "../campaign/event.ts";
import type { Numbers, ReportedMetrics } from "../campaign/metrics.ts";
import type { Tallies } from "../campaign/tally.ts";
import { findTagsOfCampaigns, saveTagsOfCampaigns } from "./campaign-tags.ts";
import { chunks, type Queries } from "./database.ts";
import { givenRows, isAmong } from "./differences.ts";
import { recordFormatsMax } from "./organizations.ts";
import type { CampaignsTable } from "./tables.ts";

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
  since: number;
  closedAt: number | null;
}

/** A finished record: its JSON and the rendering number it was made under. */
export interface FinishedRecord {
  id: number;
  record: string;
  rendering: number;
}

/** Which campaigns of an organization. */
export interface CampaignFilter {
  organizationId: number;
  /** Sent at this instant or later. */
  sentFrom?: number | undefined;
  /** Sent before this instant. */
  sentUntil?: number | undefined;
  /** With any of these tags, at least one. */
  tagIds?: readonly number[] | undefined;
}

/** Every name under which events may name a campaign. */
export function namesOf({
  campaign,
  counting,
}: Pick<StoredCampaign, "campaign" | "counting">): CampaignReference[] {
  const externalId = counting?.externalId ?? null;
  return externalId === null ? [campaign.id] : [campaign.id, externalId];
}

/** Adds campaigns, or replaces those of the same id, with their finished records and their tags. */
export async function saveCampaigns(
  queries: Queries,
  organizationId: number,
  campaigns: readonly (StoredCampaign & { record: string; rendering: number })[],
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
          counted_since: set.ref("excluded.counted_since"),
          closed_at: set.ref("excluded.closed_at"),
          record: set.ref("excluded.record"),
          rendering: set.ref("excluded.rendering"),
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

export async function countCampaigns(queries: Queries, filter: CampaignFilter): Promise<number> {
  const { total } = await filtered(queries, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Finished records by `sent_at`, then id, the latest first: a total order, so that pages never overlap. */
export async function findFinishedRecords(
  queries: Queries,
  filter: CampaignFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<FinishedRecord[]> {
  return filtered(queries, filter)
    .select(["id", "record", "rendering"])
    .orderBy("sent_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The ids of campaigns in the order of their records, after a place in that order: for reading all of them. */
export async function findCampaignPlaces(
  queries: Queries,
  organizationId: number,
  { after, limit }: { after: { sentAt: number; id: number } | undefined; limit: number },
): Promise<{ id: number; sentAt: number }[]> {
  let places = queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId);
  if (after) {
    places = places.where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`);
  }
  return places.orderBy("sent_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** When the latest campaign before an instant was sent; 0 when there is none. */
export async function findLatestSentAt(
  queries: Queries,
  organizationId: number,
  until: number,
): Promise<number> {
  const latest = await queries
    .selectFrom("campaigns")
    .select("sent_at")
    .where("organization_id", "=", organizationId)
    .where("sent_at", "<", until)
    .orderBy("sent_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest?.sent_at ?? 0;
}

/** Organizations that have campaigns whose record was made under an older rendering number than theirs. */
export async function findOrganizationsToRenew(queries: Queries): Promise<number[]> {
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
            "campaigns.rendering",
            "<",
            sql<number>`${sql.ref("organizations.rendering")} * ${recordFormatsMax} + ${recordFormat}`,
          ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Campaigns whose record was made under an older rendering number than the organization's. */
export async function findOutdatedCampaigns(
  queries: Queries,
  { organizationId, rendering, limit }: { organizationId: number; rendering: number; limit: number },
): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("rendering", "<", rendering)
    .orderBy("rendering")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function saveFinishedRecords(
  queries: Queries,
  organizationId: number,
  records: readonly FinishedRecord[],
): Promise<void> {
  // By their keys, as in saveTallies.
  const ids = records.map(({ id }) => id);
  const rows = records.map(({ id, record, rendering }) => [id, record, rendering]);
  const given = givenRows(queries, { id: "integer", record: "text", rendering: "integer" }, rows);
  await sql`
    update campaigns set record = given.record, rendering = given.rendering
    from ${given} where campaigns.organization_id = ${organizationId} and campaigns.id = given.id
      and ${isAmong(queries, "campaigns.id", "integer", ids)}`.execute(queries);
}

/** Returns whether there was such a campaign. */
export async function deleteCampaign(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom("campaigns")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function filtered(queries: Queries, { organizationId, sentFrom, sentUntil, tagIds }: CampaignFilter) {
  let campaigns = queries.selectFrom("campaigns").where("organization_id", "=", organizationId);
  if (sentFrom !== undefined) campaigns = campaigns.where("sent_at", ">=", sentFrom);
  if (sentUntil !== undefined) campaigns = campaigns.where("sent_at", "<", sentUntil);
  if (tagIds !== undefined) {
    const tagged = queries
      .selectFrom("campaign_tags")
      .select("campaign_id")
      .where("organization_id", "=", organizationId)
      .where("tag_id", "in", tagIds);
    campaigns = campaigns.where("id", "in", tagged);
  }
  return campaigns;
}

function toRow(
  organizationId: number,
  { campaign, numbers, counting, record, rendering }: StoredCampaign & { record: string; rendering: number },
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
    counted_since: counting?.since ?? null,
    closed_at: counting?.closedAt ?? null,
    record,
    rendering,
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
    since: row.counted_since ?? 0,
    closedAt: row.closed_at,
  };
  return { campaign, tags, numbers: { counted: JSON.parse(row.tallies) as Tallies }, counting };
}
