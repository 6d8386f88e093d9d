// The email record: a campaign in its 31 public fields (specification 2.1), as one schema from which the names of the
// fields, the OpenAPI document and the checks of an import come.

import { formatSentAt } from "./calendar/sent-at.ts";
import { type Campaign, compareTags, type Tag } from "./campaign.ts";
import type { CountedTraffic } from "./events/traffic.ts";
import { countSchema, type FieldSchema, largestInteger, objectSchema, textSchema } from "./field-schema.ts";
import { metricsOf, type Numbers, type ReportedMetrics } from "./metrics.ts";

/**
 * Raised whenever a change of the program lets the same campaign read differently, so that records which were
 * finished by an older program are finished anew.
 */
export const recordFormat = 1;

const rate = (description: string, example: number): FieldSchema => ({
  type: "number",
  description: `${description} Unit: a fraction, 0 to 1.`,
  minimum: 0,
  examples: [example],
});
const percentage = (description: string, example: number): FieldSchema => ({
  type: "number",
  description: `${description} Unit: percent, 0 to 100.`,
  minimum: 0,
  examples: [example],
});

export const colorPattern = /^#[0-9A-Fa-f]{6}$/;

/** Tag names and colours, as they are embedded in a record (specification 2.2). */
export const tagFields = {
  name: { type: "string", description: "Tag name.", minLength: 1, maxLength: 200, examples: ["Newsletter"] },
  color: {
    type: "string",
    description: "Hex color of the form `#RRGGBB`.",
    pattern: colorPattern.source,
    examples: ["#4E79A7"],
  },
} satisfies Record<string, FieldSchema>;

export const embeddedTagSchema = objectSchema(tagFields, {
  description: "A tag of the organization, as it is embedded in a record. It carries no id.",
});

export const emailRecordSchema = objectSchema(
  {
    id: {
      type: "integer",
      description: "Campaign identifier, unique within the organization.",
      minimum: 1,
      maximum: largestInteger,
      examples: [1],
    },
    subject: textSchema("Campaign subject.", "Test Campaign 1"),
    sent_at: {
      type: "string",
      description:
        "When the campaign was sent, as `<Mon D, YYYY h:mm AM/PM>` in the organization's time zone. Not ISO-8601.",
      examples: ["Jan 1, 2024 9:00 AM"],
    },
    sent_from: textSchema("Sender address.", "news@example.com"),
    organization_team: textSchema("Team name.", "Default Team"),
    sending_type: textSchema("How it was sent. Observed values: Timezone, Scheduled, Immediate.", "Timezone"),
    tracking_type: textSchema(
      "What was tracked. Observed values: Individual, Anonymous, Overall.",
      "Individual",
    ),
    open_rate: rate("Share of the recipients that opened the campaign.", 0.25),
    click_rate: rate("Share of the recipients that clicked a link.", 0.5),
    unique_opens: countSchema("Recipients with at least one open.", 25),
    multiple_opens: countSchema("Opens beyond each recipient's first.", 15),
    unopened: countSchema("Recipients without an open.", 110),
    total_opens: countSchema("All opens.", 40),
    unique_clicks: countSchema("Recipients with at least one click.", 10),
    multiple_clicks: countSchema("Clicks beyond each recipient's first.", 5),
    total_clicks: countSchema("All clicks.", 15),
    click_per_unique_open_rate: percentage("Recipients that clicked, of those that opened.", 40),
    desktop_open_rate: percentage("Share of the opens that came from desktop devices.", 60),
    mobile_open_rate: percentage("Share of the opens that came from mobile devices.", 40),
    tags: {
      type: "array",
      items: embeddedTagSchema,
      description: "Tags of the campaign, by name. May be empty.",
      examples: [[{ name: "Newsletter", color: "#4E79A7" }]],
    },
    recipient_count: countSchema("Recipients that the campaign went to.", 135),
    recipients: textSchema("Comma-separated list of recipient group names.", "Headquarters, Sales"),
    read_time_glanced: percentage("Share of the readings that took up to 3 seconds.", 20),
    read_time_skimmed: percentage("Share of the readings that took over 3 and up to 9 seconds.", 30),
    read_time_read: percentage("Share of the readings that took over 9 seconds.", 50),
    surveys_count: countSchema("Surveys in the campaign.", 1),
    enps_score_average: {
      type: "number",
      description: "Mean of the eNPS ratings. Unit: points, 0 to 10.",
      examples: [8.25],
    },
    enps_reactions_count: countSchema("eNPS ratings.", 12),
    enps_comments_count: countSchema("eNPS ratings with words.", 4),
    survey_reactions_count: countSchema("Answers to the other surveys.", 20),
    survey_reactions_comments_count: countSchema("Answers to the other surveys with words.", 3),
  },
  { description: "One sent campaign and what became of it. Every field is always present." },
);

export type EmailRecordField = keyof typeof emailRecordSchema.properties;

type StoredRecord = ReturnType<typeof toNullableRecord>;

export type EmailRecord = {
  [Name in EmailRecordField]: Name extends "sent_at" ? string : NonNullable<StoredRecord[Name]>;
};

/** The field names in the order of the specification, which is the order of the keys in every answer. */
export const emailRecordFieldNames = Object.keys(emailRecordSchema.properties) as EmailRecordField[];

/** A record as it is kept: `null` where there is no value. `sent_at` is still an instant. */
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

const textFields = ["sent_from", "organization_team", "sending_type", "tracking_type", "recipients"] as const;

/** The public record: no nulls (decision: a missing number is 0, a missing text is empty). */
export function toEmailRecord(
  campaign: Campaign,
  tags: readonly Tag[],
  metrics: ReportedMetrics,
  timeZone: string,
): EmailRecord {
  const stored = toNullableRecord(campaign, tags, metrics);
  const record: Record<string, unknown> = { ...stored, sent_at: formatSentAt(stored.sent_at, timeZone) };
  for (const name of textFields) record[name] ??= "";
  for (const name of emailRecordFieldNames) record[name] ??= 0;
  return record as EmailRecord;
}

/** The finished record: the JSON that every answer consists of. */
export function renderRecord(
  { campaign, tags, numbers }: { campaign: Campaign; tags: readonly Tag[]; numbers: Numbers },
  { timeZone, countedTraffic }: { timeZone: string; countedTraffic: CountedTraffic },
): string {
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  return JSON.stringify(toEmailRecord(campaign, tags, metrics, timeZone));
}
