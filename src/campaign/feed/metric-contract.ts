// The metric contract: the table of fields as a document for programs.

import { campaignKinds } from "../campaign.ts";
import { formulaCounts, type RecordField, roundings } from "../record-fields.ts";
import { feedFields, feedFormat } from "./feed-fields.ts";
import { feedTables } from "./feed-tables.ts";

export const metricContract = {
  feed_format: feedFormat,
  fields: describeFields(feedFields),
  counts: Object.entries(formulaCounts).map(([name, { description }]) => ({ name, description })),
  email_groups: describeFields(feedTables.email_groups.fields),
};

function describeFields(fields: Readonly<Record<string, RecordField>>) {
  return Object.entries(fields).map(([name, field]) => ({
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
  }));
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
