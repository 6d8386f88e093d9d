// The email record: a campaign as its 31 public fields, rendered as JSON.

import { formatSentAt } from "./calendar/sent-at.ts";
import { type Campaign, compareTags, type Tag } from "./campaign.ts";
import type { DeliveryCounts } from "./delivery/delivery-counts.ts";
import { deliveryCountNames } from "./delivery/delivery-fields.ts";
import { emailRecordFieldNames } from "./email-record-schema.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import { metricsOf, type Numbers, type ReportedMetrics } from "./metrics.ts";
import type { EmailRecordField } from "./record-fields.ts";

type NullableRecord = ReturnType<typeof toNullableRecord>;

type EmailRecord = {
  [Name in EmailRecordField]: Name extends "sent_at" ? string : NonNullable<NullableRecord[Name]>;
};

/** The record with `null` for missing values, and `sent_at` as an instant. */
export function toNullableRecord(campaign: Campaign, tags: readonly Tag[], metrics: ReportedMetrics) {
  return {
    id: campaign.id,
    subject: campaign.subject,
    sent_at: campaign.sentAt,
    sent_from: campaign.sentFrom,
    organization_team: campaign.team,
    sending_type: campaign.sendingType,
    tracking_type: campaign.trackingType,
    open_rate: metrics.open_rate,
    click_rate: metrics.click_rate,
    unique_opens: metrics.unique_opens,
    multiple_opens: metrics.multiple_opens,
    unopened: metrics.unopened,
    total_opens: metrics.total_opens,
    unique_clicks: metrics.unique_clicks,
    multiple_clicks: metrics.multiple_clicks,
    total_clicks: metrics.total_clicks,
    click_per_unique_open_rate: metrics.click_per_unique_open_rate,
    desktop_open_rate: metrics.desktop_open_rate,
    mobile_open_rate: metrics.mobile_open_rate,
    tags: [...tags].sort(compareTags).map(({ name, color }) => ({ name, color })),
    recipient_count: campaign.recipientCount,
    recipients: campaign.recipients,
    read_time_glanced: metrics.read_time_glanced,
    read_time_skimmed: metrics.read_time_skimmed,
    read_time_read: metrics.read_time_read,
    surveys_count: campaign.surveysCount,
    enps_score_average: metrics.enps_score_average,
    enps_reactions_count: metrics.enps_reactions_count,
    enps_comments_count: metrics.enps_comments_count,
    survey_reactions_count: metrics.survey_reactions_count,
    survey_reactions_comments_count: metrics.survey_reactions_comments_count,
  };
}

/** What an import has: the nullable record, and what became of the messages. */
export const toImportRecord = (campaign: Campaign, tags: readonly Tag[], metrics: ReportedMetrics) => ({
  ...toNullableRecord(campaign, tags, metrics),
  ...(Object.fromEntries(deliveryCountNames.map((name) => [name, metrics[name] ?? null])) as DeliveryCounts),
});

const textFields = ["sent_from", "organization_team", "sending_type", "tracking_type", "recipients"] as const;

/** The public record, without nulls: a missing number is 0, a missing text is empty. */
export function toEmailRecord(
  campaign: Campaign,
  tags: readonly Tag[],
  metrics: ReportedMetrics,
  timeZone: string,
): EmailRecord {
  const nullable = toNullableRecord(campaign, tags, metrics);
  const record: Record<string, unknown> = { ...nullable, sent_at: formatSentAt(nullable.sent_at, timeZone) };
  for (const name of textFields) record[name] ??= "";
  for (const name of emailRecordFieldNames) record[name] ??= 0;
  return record as EmailRecord;
}

/** The rendered record: JSON, ready to be joined into responses. */
export function renderRecord(
  { campaign, tags, numbers }: { campaign: Campaign; tags: readonly Tag[]; numbers: Numbers },
  { timeZone, countedTraffic }: { timeZone: string; countedTraffic: TrafficFilter },
): string {
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  return JSON.stringify(toEmailRecord(campaign, tags, metrics, timeZone));
}
