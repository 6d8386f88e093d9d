// The fields of the table `email_groups`: what a campaign counts for a group of recipients, such as a department.

import { formulaCounts, type RecordField, recordFields } from "../record-fields.ts";
import { rangeEnd } from "./feed-fields.ts";

/** Only counted campaigns have groups. */
const counted = { appliesTo: ["counted"], since: 2 } as const;
const count = { ...counted, type: "integer", unit: "count" } as const;
const withoutList = "The campaign has no list of recipients.";
const fewChanges =
  "Withheld: in a campaign without names it is shown once it has at least min_group recipients in all groups.";
const notCopied =
  "Withheld: in a campaign without names it is shown 7 days after sending or later, from min_group answers on.";

const perRecipient = {
  ...counted,
  type: "number",
  unit: "fraction",
  nullMeans: withoutList,
  denominator: "recipient_count",
  rounding: "4 decimals",
} as const;

const rates = {
  open_rate: {
    ...perRecipient,
    title: recordFields.open_rate.title,
    description: "Share of recipients of the group who opened the campaign.",
    numerator: "unique_opens",
    example: 0.25,
  },
  click_rate: {
    ...perRecipient,
    title: recordFields.click_rate.title,
    description: "Share of recipients of the group who clicked a link.",
    nullMeans: `${withoutList} ${fewChanges}`,
    numerator: "unique_clicks",
    example: 0.5,
  },
} as const satisfies Record<string, RecordField>;

const rangeOf = (rate: keyof typeof rates, end: "low" | "high", example: number) => ({
  ...rangeEnd(rate, rates[rate], { end, example }),
  ...counted,
  nullMeans: rates[rate].nullMeans,
});

/** The fields in the order of every feed, after the id of the campaign. */
export const groupFields = {
  attribute: {
    ...counted,
    title: "Attribute",
    type: "string",
    description: "The attribute of recipients, such as Department.",
    example: "Department",
  },
  value: {
    ...counted,
    title: "Value",
    type: "string",
    description: "Its value, which the recipients of the group share. Empty for recipients without a value.",
    example: "Sales",
  },
  recipient_count: {
    ...count,
    title: "Recipients",
    description: "Recipients of the group.",
    definition: "Recipients on the campaign's list, and those with an event who are not on it.",
    nullMeans: withoutList,
    example: 135,
  },
  unique_opens: {
    ...count,
    title: recordFields.unique_opens.title,
    description: "Recipients of the group with at least one open.",
    definition: recordFields.unique_opens.definition,
    example: 25,
  },
  open_rate: rates.open_rate,
  open_rate_low: rangeOf("open_rate", "low", 0.1845),
  open_rate_high: rangeOf("open_rate", "high", 0.3287),
  unique_clicks: {
    ...count,
    title: recordFields.unique_clicks.title,
    description: "Recipients of the group with at least one click.",
    definition: recordFields.unique_clicks.definition,
    nullMeans: fewChanges,
    example: 10,
  },
  click_rate: rates.click_rate,
  click_rate_low: rangeOf("click_rate", "low", 0.4168),
  click_rate_high: rangeOf("click_rate", "high", 0.5832),
  reads_glanced: {
    ...count,
    title: "Reads: glanced (up to 3 seconds)",
    description: formulaCounts.reads_glanced.description,
    nullMeans: fewChanges,
    example: 4,
  },
  reads_skimmed: {
    ...count,
    title: "Reads: skimmed (up to 9 seconds)",
    description: formulaCounts.reads_skimmed.description,
    nullMeans: fewChanges,
    example: 6,
  },
  reads_read: {
    ...count,
    title: "Reads: read (longer)",
    description: formulaCounts.reads_read.description,
    nullMeans: fewChanges,
    example: 10,
  },
  enps_reactions_count: {
    ...count,
    title: recordFields.enps_reactions_count.title,
    description: recordFields.enps_reactions_count.description,
    definition: recordFields.enps_reactions_count.definition,
    nullMeans: notCopied,
    example: 12,
  },
  enps_score_average: {
    ...recordFields.enps_score_average,
    ...counted,
    nullMeans: "No eNPS ratings, or they are withheld: too few, in a campaign without names.",
  },
  survey_reactions_count: {
    ...count,
    title: recordFields.survey_reactions_count.title,
    description: recordFields.survey_reactions_count.description,
    definition: recordFields.survey_reactions_count.definition,
    nullMeans: notCopied,
    example: 20,
  },
} as const satisfies Record<string, RecordField>;
