// The JSON Schemas of the metric contract, for the OpenAPI document.

import { campaignKinds } from "../../../src/campaign/campaign.ts";
import { feedTypes } from "../../../src/campaign/feed/feed-types.ts";
import { units } from "../../../src/campaign/record-fields.ts";

const text = (description: string) => ({ type: "string", description });
const optionalText = (description: string) => ({ type: ["string", "null"], description });
const expression = "An expression of the names of fields and `counts` with `+ - * /`, `min` and `max`.";

const fieldProperties = {
  name: text("The name of the field."),
  title: text("The name of the field for people."),
  type: { type: "string", enum: Object.keys(feedTypes), description: "An `instant` is ISO-8601 in UTC." },
  unit: {
    type: ["string", "null"],
    enum: [...Object.keys(units), null],
    description: "The unit of a number.",
  },
  description: text("The meaning of the field, in short."),
  definition: optionalText("The rule of counting, if the description is too short to state it."),
  numerator: optionalText(
    `A rate over several campaigns is the sum of their numerators divided by the sum of their denominators. ${expression}`,
  ),
  denominator: optionalText(expression),
  formula: optionalText(`The exact value, before rounding. ${expression}`),
  rounding: optionalText("How the exact value is rounded."),
  null: optionalText(
    "The meaning of null; null for a field that is never null. Email records have 0 or an empty text instead of null.",
  ),
  applies_to: {
    type: "array",
    items: { type: "string", enum: campaignKinds },
    description:
      "The kinds of campaigns that definition and formula are about. The numbers of a reported campaign are as imported.",
  },
  since: { type: "integer", description: "The feed format that added the field." },
};

const countProperties = { name: text("The name in formulas."), description: text("Its meaning.") };

const strictObject = (description: string, properties: Record<string, object>) => ({
  type: "object",
  description,
  required: Object.keys(properties),
  properties,
});

export const metricContractSchema = strictObject(
  "What the fields of email and feed records and of groups mean.",
  {
    feed_format: { type: "integer", description: "Rises when fields are added. No field changes its type." },
    fields: {
      type: "array",
      items: strictObject("A field.", fieldProperties),
      description: "The fields in their order: those of the email record, then those that only feeds have.",
    },
    counts: {
      type: "array",
      items: strictObject("A count.", countProperties),
      description: "The counts in formulas that are not fields.",
    },
    email_groups: {
      type: "array",
      items: strictObject("A field.", fieldProperties),
      description:
        "The fields of the table email_groups in their order. Their formulas are about one group of recipients.",
    },
  },
);
