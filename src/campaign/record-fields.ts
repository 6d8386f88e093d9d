// The table of record fields: type, unit, meaning, and the formula of every metric. Schemas, the metric contract, pages and
// documentation follow from it.

import type { CampaignKind } from "./campaign.ts";
import type { Counts } from "./events/tally.ts";

export const units = {
  count: "count",
  fraction: "a fraction, 0 to 1",
  percent: "percent, 0 to 100",
  points: "points, 0 to 10",
} as const;
type Unit = keyof typeof units;

/** What becomes of the exact value of a formula. A value halfway between two others is rounded up. */
export const roundings = {
  "4 decimals": "rounded half up",
  "6 decimals": "rounded half up",
  "2 decimals": "rounded half up",
  "whole percent": "rounded half up",
  /** The shares of the same whole sum to 100. If two shares are equally close to the next percent, the first gets it. */
  "whole percent, together 100": "by the largest remainder method",
} as const;
export type Rounding = keyof typeof roundings;

export interface RecordField {
  /** The name on pages and in tools. */
  title: string;
  type: "integer" | "number" | "string" | "instant" | "date" | "tags";
  description: string;
  example: unknown;
  unit?: Unit;
  /** What null means. A field without it is never null. */
  nullMeans?: string;
  /** The kinds of campaigns that definition and formula are about; all by default. */
  appliesTo?: readonly CampaignKind[];
  /** The feed format that added the field; 1 by default. */
  since?: number;
  /** The rule of counting, if the description is too short to state it. */
  definition?: string;
  /** An expression of fields and {@link formulaCounts} with `+ -`, `min` and `max`. */
  formula?: string;
  /** A rate is numerator by denominator; over several campaigns, the sum of numerators by the sum of denominators. */
  numerator?: string;
  denominator?: string;
  rounding?: Rounding;
}

/** The counts in formulas that are not fields. */
export const formulaCounts = {
  desktop_opens: { tally: "desktopOpens", description: "Counted opens on desktop devices." },
  mobile_opens: {
    tally: "mobileOpens",
    description: "Counted opens on mobile devices, which include tablets.",
  },
  reads_glanced: { tally: "glanced", description: "Measured human reads up to 3 seconds." },
  reads_skimmed: { tally: "skimmed", description: "Measured human reads over 3 and up to 9 seconds." },
  reads_read: { tally: "read", description: "Measured human reads over 9 seconds." },
  enps_score_sum: { tally: "enpsScores", description: "Sum of the eNPS scores." },
} as const satisfies Record<string, { tally: keyof Counts; description: string }>;

const notGiven = "The import has no value.";
const text = { type: "string", nullMeans: "Not given, or empty." } as const;
const given = { type: "integer", unit: "count", nullMeans: notGiven } as const;
/** The numbers that events change. Those of a reported campaign are as imported. */
const counted = { ...given, appliesTo: ["counted"] } as const;
const rate = { type: "number", appliesTo: ["counted"] } as const;

const perRecipient = {
  ...rate,
  unit: "fraction",
  nullMeans: "No recipients, or the import has no value.",
  denominator: "recipient_count",
  rounding: "4 decimals",
} as const;
const perDevice = {
  ...rate,
  unit: "percent",
  nullMeans: "No open with a known device, or the import has no value.",
  denominator: "desktop_opens + mobile_opens",
  rounding: "whole percent, together 100",
} as const;
const perRead = {
  ...rate,
  unit: "percent",
  nullMeans: "No measured read, or the import has no value.",
  denominator: "reads_glanced + reads_skimmed + reads_read",
  rounding: "whole percent, together 100",
} as const;

/** The 31 fields of the email record, in the order of the specification (2.1). */
export const recordFields = {
  id: {
    title: "ID",
    type: "integer",
    description: "Campaign identifier, unique within the organization.",
    example: 1,
  },
  subject: {
    title: "Subject",
    type: "string",
    description: "Campaign subject.",
    example: "Test Campaign 1",
  },
  sent_at: {
    title: "Sent at",
    type: "instant",
    description: "When the campaign was sent.",
    example: "2024-01-01T09:00:00.000Z",
  },
  sent_from: { ...text, title: "Sent from", description: "Sender address.", example: "news@example.com" },
  organization_team: { ...text, title: "Team", description: "Team name.", example: "Default Team" },
  sending_type: {
    ...text,
    title: "Sending type",
    description: "How it was sent. Observed values: Timezone, Scheduled, Immediate.",
    example: "Timezone",
  },
  tracking_type: {
    ...text,
    title: "Tracking type",
    description: "What was tracked. Observed values: Individual, Anonymous, Overall.",
    example: "Individual",
  },
  open_rate: {
    ...perRecipient,
    title: "Open rate",
    description: "Share of recipients who opened the campaign.",
    numerator: "min(unique_opens, recipient_count)",
    example: 0.25,
  },
  click_rate: {
    ...perRecipient,
    title: "Click rate",
    description: "Share of recipients who clicked a link.",
    numerator: "min(unique_clicks, recipient_count)",
    example: 0.5,
  },
  unique_opens: {
    ...counted,
    title: "Unique opens",
    description: "Recipients with at least one open.",
    definition:
      "Recipients with at least one counted open. A counted click, a counted read or a survey answer implies an open, because images may be blocked.",
    example: 25,
  },
  multiple_opens: {
    ...counted,
    title: "Repeat opens",
    description: "Opens beyond each recipient's first.",
    formula: "total_opens - unique_opens",
    example: 15,
  },
  unopened: {
    ...counted,
    title: "Unopened",
    description: "Recipients without an open.",
    formula: "max(recipient_count - unique_opens, 0)",
    example: 110,
  },
  total_opens: {
    ...counted,
    title: "Total opens",
    description: "All opens.",
    definition: "Counted opens of all recipients. An implied open adds 1 if the recipient has no other.",
    example: 40,
  },
  unique_clicks: {
    ...counted,
    title: "Unique clicks",
    description: "Recipients with at least one click.",
    definition: "Recipients with at least one counted click on any link.",
    example: 10,
  },
  multiple_clicks: {
    ...counted,
    title: "Repeat clicks",
    description: "Clicks beyond each recipient's first.",
    formula: "total_clicks - unique_clicks",
    example: 5,
  },
  total_clicks: {
    ...counted,
    title: "Total clicks",
    description: "All clicks.",
    definition: "Counted clicks of all recipients on all links.",
    example: 15,
  },
  click_per_unique_open_rate: {
    ...rate,
    unit: "percent",
    title: "Click-to-open rate",
    description: "Click-to-open rate: the share of recipients with an open who clicked a link.",
    nullMeans: "No unique opens, or the import has no value.",
    numerator: "unique_clicks",
    denominator: "unique_opens",
    rounding: "whole percent",
    example: 40,
  },
  desktop_open_rate: {
    ...perDevice,
    title: "Opens on desktop",
    description: "Share of opens on desktop devices.",
    numerator: "desktop_opens",
    example: 60,
  },
  mobile_open_rate: {
    ...perDevice,
    title: "Opens on mobile",
    description: "Share of opens on mobile devices.",
    numerator: "mobile_opens",
    example: 40,
  },
  tags: {
    title: "Tags",
    type: "tags",
    description: "Tags of the campaign, by name. May be empty.",
    example: [{ name: "Newsletter", color: "#4E79A7" }],
  },
  recipient_count: {
    ...given,
    title: "Recipients",
    description: "Number of recipients.",
    example: 135,
  },
  recipients: {
    ...text,
    title: "Recipient groups",
    description: "Comma-separated list of recipient group names.",
    example: "Headquarters, Sales",
  },
  read_time_glanced: {
    ...perRead,
    title: "Read time: glanced (up to 3 seconds)",
    description: "Share of reads up to 3 seconds.",
    numerator: "reads_glanced",
    example: 20,
  },
  read_time_skimmed: {
    ...perRead,
    title: "Read time: skimmed (up to 9 seconds)",
    description: "Share of reads over 3 and up to 9 seconds.",
    numerator: "reads_skimmed",
    example: 30,
  },
  read_time_read: {
    ...perRead,
    title: "Read time: read (longer)",
    description: "Share of reads over 9 seconds.",
    numerator: "reads_read",
    example: 50,
  },
  surveys_count: { ...given, title: "Surveys", description: "Surveys in the campaign.", example: 1 },
  enps_score_average: {
    ...rate,
    unit: "points",
    title: "eNPS: average rating",
    description: "Mean eNPS score (employee Net Promoter Score, an answer from 0 to 10).",
    definition: "Mean of the eNPS ratings. This is not the eNPS index from -100 to 100.",
    nullMeans:
      "No eNPS ratings, fewer than min_answers in a campaign without names, or the import has no value.",
    numerator: "enps_score_sum",
    denominator: "enps_reactions_count",
    rounding: "2 decimals",
    example: 8.25,
  },
  enps_reactions_count: {
    ...counted,
    title: "eNPS: ratings",
    description: "eNPS scores.",
    definition:
      "eNPS ratings (employee Net Promoter Score, an answer from 0 to 10), one per recipient and survey.",
    example: 12,
  },
  enps_comments_count: {
    ...counted,
    title: "eNPS: ratings with a comment",
    description: "eNPS scores with a comment.",
    example: 4,
  },
  survey_reactions_count: {
    ...counted,
    title: "Other surveys: answers",
    description: "Answers to other surveys.",
    definition: "Scores and answers to other surveys (pulse), one per recipient and survey.",
    example: 20,
  },
  survey_reactions_comments_count: {
    ...counted,
    title: "Other surveys: answers with a comment",
    description: "Answers to other surveys with a comment.",
    example: 3,
  },
} as const satisfies Record<string, RecordField>;

export type EmailRecordField = keyof typeof recordFields;
