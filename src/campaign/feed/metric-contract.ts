// The metric contract: the table of fields as a document for programs.

import { campaignKinds } from "../campaign.ts";
import { formulaCounts, type RecordField, roundings } from "../record-fields.ts";
import { type FeedField, feedFieldNames, feedFields, feedFormat } from "./feed-fields.ts";

export const metricContract = {
  feed_format: feedFormat,
  fields: feedFieldNames.map(describeField),
  counts: Object.entries(formulaCounts).map(([name, { description }]) => ({ name, description })),
};

function describeField(name: FeedField) {
  const field: RecordField = feedFields[name];
  return {
    name,
    title: field.title,
    type: field.type,
    unit: field.unit ?? null,
    description: field.description,
    definition: field.definition ?? null,
    numerator: field.numerator ?? null,
    denominator: field.denominator ?? null,
    formula: formulaOf(field) ?? null,
    rounding: field.rounding ? describeRounding(field.rounding) : null,
    null: field.nullMeans ?? null,
    applies_to: field.appliesTo ?? campaignKinds,
    since: field.since ?? 1,
  };
}

/** The formula of the exact value, before rounding; undefined if the number is not computed from others. */
export function formulaOf({ formula, numerator, denominator, unit }: RecordField): string | undefined {
  if (numerator === undefined || denominator === undefined) return formula;
  const divisor = denominator.includes(" ") ? `(${denominator})` : denominator;
  return `${unit === "percent" ? "100 * " : ""}${numerator} / ${divisor}`;
}

/** `4 decimals, rounded half up` */
export function describeRounding(rounding: keyof typeof roundings): string {
  return `${rounding}, ${roundings[rounding]}`;
}
