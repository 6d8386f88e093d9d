// A campaign as it is stored, and how it maps to a row.

import type { Campaign, Tag } from "../../campaign/campaign.ts";
import type { KindOfNumbers } from "../../campaign/campaign-number.ts";
import { recordedAges } from "../../campaign/events/ages.ts";
import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Tallies } from "../../campaign/events/tally.ts";
import type { Numbers, ReportedMetrics } from "../../campaign/metrics.ts";
import type { CampaignsTable } from "../tables.ts";

/** Everything that a campaign's record is rendered from. */
export interface StoredCampaign {
  campaign: Campaign;
  numbers: Numbers;
  tags: Tag[];
  /** Null for a reported campaign. */
  counting: CountingState | null;
  /** The next of the {@link publishTimes}: readers see the campaign as it is from the one before. Null after the last. */
  publishAt: number | null;
}

/** The state of a counted campaign. */
interface CountingState {
  /** The sender's own id for the campaign, unique in the organization. */
  externalId: string | null;
  /** Null once the campaign is closed. */
  ledgerId: number | null;
  registeredAt: number;
  closedAt: number | null;
  /** The attributes by which it is counted. Every recipient of its ledger has a group of each. */
  attributeIds: number[];
  /** Recipients of its list; null without a list. */
  listed: number | null;
}

/** Whether a campaign is not published yet, because its send time has not come. */
export function isScheduled({ sentAt }: Pick<Campaign, "sentAt">, now: number): boolean {
  return sentAt > now;
}

interface TimedCampaign {
  campaign: Pick<Campaign, "sentAt">;
  /** Null for a reported campaign. */
  counting: unknown;
}

/**
 * When a campaign is published without a change: at its send time and, if it is counted, at each of the recorded ages. A
 * reported one has only sums that change, at the last age.
 */
export function publishTimes({ campaign: { sentAt }, counting }: TimedCampaign): number[] {
  const aged = Object.values(recordedAges).map((age) => sentAt + age);
  return [sentAt, ...(counting ? aged : aged.slice(-1))];
}

/** The next of the {@link publishTimes}; null if there is none. */
export function nextPublishAt(stored: TimedCampaign, now: number): number | null {
  return publishTimes(stored).find((at) => at > now) ?? null;
}

/**
 * Whether most of its opens may still be to come: until the last of the recorded ages, or until it is closed. Its rates
 * are compared with those of no other campaign.
 */
export function isStillCounting({
  counting,
  publishAt,
}: Pick<StoredCampaign, "counting" | "publishAt">): boolean {
  return publishAt !== null && (counting?.closedAt ?? null) === null;
}

export function kindOf({ counting }: Pick<StoredCampaign, "counting">): KindOfNumbers {
  if (counting === null) return "reported";
  return counting.ledgerId === null ? "closed" : "counted";
}

/** Every reference by which events may name the campaign. */
export function referencesOf({
  campaign,
  counting,
}: Pick<StoredCampaign, "campaign" | "counting">): CampaignReference[] {
  const externalId = counting?.externalId ?? null;
  return externalId === null ? [campaign.id] : [campaign.id, externalId];
}

export function toCampaignRow(
  organizationId: number,
  { campaign, numbers, counting, publishAt }: StoredCampaign,
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
    tallies: "tallies" in numbers ? JSON.stringify(numbers.tallies) : null,
    external_id: counting?.externalId ?? null,
    ledger_id: counting?.ledgerId ?? null,
    registered_at: counting?.registeredAt ?? null,
    closed_at: counting?.closedAt ?? null,
    publish_at: publishAt,
    attributes: counting?.attributeIds.length ? JSON.stringify(counting.attributeIds) : null,
    listed: counting?.listed ?? null,
  };
}

export function toStoredCampaign(row: CampaignsTable, tags: Tag[]): StoredCampaign {
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
  const publishAt = row.publish_at;
  if (row.tallies === null) {
    const reported = JSON.parse(row.reported_metrics) as ReportedMetrics;
    return { campaign, tags, numbers: { reported }, counting: null, publishAt };
  }
  const counting = {
    externalId: row.external_id,
    ledgerId: row.ledger_id,
    registeredAt: row.registered_at ?? 0,
    closedAt: row.closed_at,
    attributeIds: JSON.parse(row.attributes ?? "[]") as number[],
    listed: row.listed,
  };
  return { campaign, tags, numbers: { tallies: JSON.parse(row.tallies) as Tallies }, counting, publishAt };
}
