// The fields of the feed record: those of the email record, and others that tools need beside them.

import { type DeliveryRate, deliveryCounts, deliveryRates } from "../delivery/delivery-fields.ts";
import type { recordedAges } from "../events/ages.ts";
import { type RecordField, recordFields } from "../record-fields.ts";
import type { FeedValues } from "./feed-types.ts";

/** Increase it when a field is added, or when the same campaign reads differently. No field changes its type. */
export const feedFormat = 3;

/** The metrics that a record also has as they were at each of the {@link recordedAges}. */
export const asOfMetrics = ["unique_opens", "open_rate", "unique_clicks", "click_rate"] as const;

type AgeSuffix = keyof typeof recordedAges;
export type AsOfField = `${(typeof asOfMetrics)[number]}_${AgeSuffix}`;

const atAge = { appliesTo: ["counted"], since: 2 } as const;
const countAtAge = {
  ...atAge,
  type: "integer",
  unit: "count",
  nullMeans: "The campaign is younger, or imported.",
} as const;
const rateAtAge = {
  ...atAge,
  type: "number",
  unit: "fraction",
  nullMeans: "The campaign is younger or imported, or has no recipients.",
  denominator: "recipient_count",
  rounding: "4 decimals",
} as const;

/** The fields with the numbers that a campaign had at an age. */
function fieldsAt<Suffix extends AgeSuffix>(suffix: Suffix, age: string) {
  const countOf = (name: "unique_opens" | "unique_clicks", description: string) => ({
    ...countAtAge,
    title: `${recordFields[name].title} after ${age}`,
    description,
    example: 20,
  });
  const rateOf = (name: "open_rate" | "click_rate", numerator: string) => ({
    ...rateAtAge,
    title: `${recordFields[name].title} after ${age}`,
    description: `${recordFields[name].title} that the campaign had ${age} after its send time.`,
    numerator: `min(${numerator}_${suffix}, recipient_count)`,
    example: 0.2,
  });
  const fields = {
    [`unique_opens_${suffix}`]: countOf(
      "unique_opens",
      `Recipients whose first open came within ${age} of the send time.`,
    ),
    [`open_rate_${suffix}`]: rateOf("open_rate", "unique_opens"),
    [`unique_clicks_${suffix}`]: countOf(
      "unique_clicks",
      `Recipients whose first click came within ${age} of the send time.`,
    ),
    [`click_rate_${suffix}`]: rateOf("click_rate", "unique_clicks"),
  };
  return fields as Record<`unique_${"opens" | "clicks"}_${Suffix}`, ReturnType<typeof countOf>> &
    Record<`${"open" | "click"}_rate_${Suffix}`, ReturnType<typeof rateOf>>;
}

const notRanged = "The rate is null, or the counts that it comes from are not known or contradict it.";

/** An end of the range of a rate. */
export function rangeEnd(
  rate: "open_rate" | "click_rate" | "open_rate_of_delivered",
  { title, numerator, denominator }: { title: string; numerator: string; denominator: string },
  { end, example, since = 2 }: { end: "low" | "high"; example: number; since?: number },
) {
  return {
    title: `${title}, ${end}`,
    type: "number",
    unit: "fraction",
    description: `${end === "low" ? "Lower" : "Upper"} end of the 95 % range of ${rate}.`,
    definition: `${end === "low" ? "Lower" : "Upper"} end of the 95 % Wilson score interval of ${rate}: (p + z²/2n ${end === "low" ? "-" : "+"} z * sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n), where p is ${numerator} / ${denominator}, n is ${denominator}, and z is 1.959964.`,
    nullMeans: notRanged,
    rounding: "4 decimals",
    since,
    example,
  } as const satisfies RecordField;
}

type DeliveryRateFields = { [Name in DeliveryRate]: (typeof deliveryRates)[Name] & { numerator: string } };

const deliveryRateFields = Object.fromEntries(
  Object.entries(deliveryRates).map(([name, { part, ...field }]) => [
    name,
    { ...field, numerator: `min(${part}, ${field.denominator})` },
  ]),
) as DeliveryRateFields;
const { open_rate_of_delivered: ofDelivered } = deliveryRateFields;

/** The fields in the order of every feed. */
export const feedFields = {
  ...recordFields,
  sent_on: {
    title: "Sent on",
    type: "date",
    description: "The date on which the campaign was sent, in the organization's time zone.",
    example: "2024-01-01",
  },
  sent_hour: {
    title: "Hour sent",
    type: "integer",
    description: "The hour in which the campaign was sent, 0 to 23, in the organization's time zone.",
    example: 9,
  },
  tag_names: {
    title: "Tag names",
    type: "string",
    description: "The names of the tags, joined by semicolons, for tools without lists.",
    example: "HR; Newsletter",
  },
  kind: {
    title: "Kind",
    type: "string",
    description: "Where the numbers come from: reported (an import) or counted (events).",
    example: "counted",
  },
  closed_at: {
    title: "Closed at",
    type: "instant",
    description: "When the campaign was closed: since then, its numbers are final.",
    nullMeans: "Not closed. Reported campaigns never are.",
    example: "2024-03-31T00:00:00.000Z",
    appliesTo: ["counted"],
  },
  updated_at: {
    title: "Updated at",
    type: "instant",
    description: "When the record last changed.",
    example: "2024-01-08T10:15:30.123Z",
  },
  ...fieldsAt("24h", "24 hours"),
  ...fieldsAt("72h", "72 hours"),
  ...fieldsAt("7d", "7 days"),
  open_rate_low: rangeEnd("open_rate", recordFields.open_rate, { end: "low", example: 0.1845 }),
  open_rate_high: rangeEnd("open_rate", recordFields.open_rate, { end: "high", example: 0.3287 }),
  click_rate_low: rangeEnd("click_rate", recordFields.click_rate, { end: "low", example: 0.4168 }),
  click_rate_high: rangeEnd("click_rate", recordFields.click_rate, { end: "high", example: 0.5832 }),
  ...deliveryCounts,
  ...deliveryRateFields,
  open_rate_of_delivered_low: rangeEnd("open_rate_of_delivered", ofDelivered, {
    ...{ end: "low", example: 0.4029, since: 3 },
  }),
  open_rate_of_delivered_high: rangeEnd("open_rate_of_delivered", ofDelivered, {
    ...{ end: "high", example: 0.5971, since: 3 },
  }),
} as const satisfies Record<string, RecordField>;

export type FeedField = keyof typeof feedFields;
export const feedFieldNames = Object.keys(feedFields) as FeedField[];

type FieldWithNull = Extract<(typeof feedFields)[FeedField], { nullMeans: string }>;
/** What null means, for the fields that can be null. */
export type NullMeaning = FieldWithNull["nullMeans"];

type ValueOf<Field extends RecordField> =
  | FeedValues[Field["type"]]
  | (Field extends { nullMeans: string } ? null : never);

/** A campaign as feeds have it: typed values, and null if nothing is known. */
export type FeedRecord = { [Name in FeedField]: ValueOf<(typeof feedFields)[Name]> };
