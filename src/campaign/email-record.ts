// The email record: a campaign as its 31 public fields, rendered as JSON.

import { formatSentAt } from "./calendar/sent-at.ts";
import { type Campaign, compareTags, type Tag } from "./campaign.ts";
import type { DeliveryCounts } from "./delivery/delivery-counts.ts";
import { deliveryCountNames } from "./delivery/delivery-fields.ts";
import { emailRecordFieldNames } from "./email-record-schema.ts";
import type { TrafficFilter } from "./events/traffic.ts";
import { type MetricName, metricsOf, type Numbers, type ReportedMetrics } from "./metrics.ts";
import type { EmailRecordField } from "./record-fields.ts";

type EmailRecord = {
  [Name in EmailRecordField]: Name extends "sent_at" ? string : NonNullable<NullableRecord[Name]>;
};

/** What the fields of a record are in a campaign. The others are metrics, but for the tags. */
export const campaignFields = {
  id: "id",
  subject: "subject",
  sent_at: "sentAt",
  sent_from: "sentFrom",
  organization_team: "team",
  sending_type: "sendingType",
  tracking_type: "trackingType",
  recipient_count: "recipientCount",
  recipients: "recipients",
  surveys_count: "surveysCount",
} as const satisfies Partial<Record<EmailRecordField, keyof Campaign>>;

type CampaignField = keyof typeof campaignFields;

type NullableRecord = { [Name in CampaignField]: Campaign[(typeof campaignFields)[Name]] } & {
  tags: Pick<Tag, "name" | "color">[];
} & Record<MetricName, number | null>;

/** The record with `null` for missing values, and `sent_at` as an instant. */
export function toNullableRecord(
  campaign: Campaign,
  tags: readonly Tag[],
  metrics: Record<MetricName, number | null>,
): NullableRecord {
  const record: Record<string, unknown> = {};
  for (const name of emailRecordFieldNames) {
    record[name] = Object.hasOwn(campaignFields, name)
      ? campaign[campaignFields[name as CampaignField]]
      : metrics[name as MetricName];
  }
  record.tags = shownTags(tags);
  return record as NullableRecord;
}

/** Tags as records have them. */
export const shownTags = (tags: readonly Tag[]) =>
  [...tags].sort(compareTags).map(({ name, color }) => ({ name, color }));

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
