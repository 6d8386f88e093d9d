// The schema of the email record: the 31 public fields of a campaign (specification 2.1). Field names, the OpenAPI document
// and the validation of imports follow from it.

import { countSchema, type FieldSchema, largestInteger, objectSchema, textSchema } from "./field-schema.ts";

export type EmailRecordField = keyof typeof emailRecordSchema.properties;

const rateSchema = (description: string, example: number): FieldSchema => ({
  type: "number",
  description: `${description} Unit: a fraction, 0 to 1.`,
  minimum: 0,
  examples: [example],
});
const percentageSchema = (description: string, example: number): FieldSchema => ({
  type: "number",
  description: `${description} Unit: percent, 0 to 100.`,
  minimum: 0,
  examples: [example],
});

export const colorPattern = /^#[0-9A-Fa-f]{6}$/;

/** The fields of an embedded tag (specification 2.2). */
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
  description: "A tag of the organization, embedded in a record. It has no id.",
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
    open_rate: rateSchema("Share of recipients who opened the campaign.", 0.25),
    click_rate: rateSchema("Share of recipients who clicked a link.", 0.5),
    unique_opens: countSchema("Recipients with at least one open.", 25),
    multiple_opens: countSchema("Opens beyond each recipient's first.", 15),
    unopened: countSchema("Recipients without an open.", 110),
    total_opens: countSchema("All opens.", 40),
    unique_clicks: countSchema("Recipients with at least one click.", 10),
    multiple_clicks: countSchema("Clicks beyond each recipient's first.", 5),
    total_clicks: countSchema("All clicks.", 15),
    click_per_unique_open_rate: percentageSchema(
      "Click-to-open rate: the share of recipients with an open who clicked a link.",
      40,
    ),
    desktop_open_rate: percentageSchema("Share of opens on desktop devices.", 60),
    mobile_open_rate: percentageSchema("Share of opens on mobile devices.", 40),
    tags: {
      type: "array",
      items: embeddedTagSchema,
      description: "Tags of the campaign, by name. May be empty.",
      examples: [[{ name: "Newsletter", color: "#4E79A7" }]],
    },
    recipient_count: countSchema("Number of recipients.", 135),
    recipients: textSchema("Comma-separated list of recipient group names.", "Headquarters, Sales"),
    read_time_glanced: percentageSchema("Share of reads up to 3 seconds.", 20),
    read_time_skimmed: percentageSchema("Share of reads over 3 and up to 9 seconds.", 30),
    read_time_read: percentageSchema("Share of reads over 9 seconds.", 50),
    surveys_count: countSchema("Surveys in the campaign.", 1),
    enps_score_average: {
      type: "number",
      description:
        "Mean eNPS score (employee Net Promoter Score, an answer from 0 to 10). Unit: points, 0 to 10.",
      examples: [8.25],
    },
    enps_reactions_count: countSchema("eNPS scores.", 12),
    enps_comments_count: countSchema("eNPS scores with a comment.", 4),
    survey_reactions_count: countSchema("Answers to other surveys.", 20),
    survey_reactions_comments_count: countSchema("Answers to other surveys with a comment.", 3),
  },
  { description: "One sent campaign and its numbers. Every field is always present." },
);

/** In the order of the specification, which is the order of keys in every response. */
export const emailRecordFieldNames = Object.keys(emailRecordSchema.properties) as EmailRecordField[];
