// The metric contract as a semantic model of Apache Ossie (Open Semantic Interchange), for dbt, Snowflake, Cube and others.

import type { RecordField } from "../record-fields.ts";
import { feedFields } from "./feed-fields.ts";
import { feedTables } from "./feed-tables.ts";

/** The version of the format, whose schema accepts no other. */
const osiVersion = "0.2.0.dev0";

const types: Record<Exclude<RecordField["type"], "tags">, string> = {
  integer: "Integer",
  number: "Float",
  string: "String",
  instant: "DateTimeTz",
  date: "Date",
};

/** Counts of formulas that are no fields, from fields. An average is rounded to 2 decimals. */
const countsFromFields: Readonly<Record<string, string>> = {
  enps_score_sum: "enps_score_average * enps_reactions_count",
};

const ansi = (expression: string) => ({ dialects: [{ dialect: "ANSI_SQL", expression }] });

/** A rate that tools compute over several campaigns, from fields alone. */
export interface WeightedRate {
  name: string;
  title: string;
  description: string;
  isPercent: boolean;
  /** What a campaign adds: an expression of fields, with `*` and `min(a, b)`. */
  numerator: string;
  /** A field. A campaign counts only if it is above 0. */
  denominator: string;
  /** The other fields that a campaign must have. */
  known: readonly string[];
}

/** Returns nothing if the fields do not have the counts that the rate is computed from. */
function weightedRate(name: string, field: RecordField): WeightedRate[] {
  const { numerator, denominator, unit, title, description } = field;
  if (numerator === undefined || denominator === undefined) return [];
  const part = countsFromFields[numerator] ?? numerator;
  const names = [...new Set(`${part} ${denominator}`.match(/[a-z]\w+/g))].filter((each) => each !== "min");
  if (names.some((each) => !Object.hasOwn(feedFields, each))) return [];
  const known = names.filter((each) => each !== denominator);
  return [{ name, title, description, isPercent: unit === "percent", numerator: part, denominator, known }];
}

/** The SQL of what a campaign adds to the numerator and the denominator. */
function partsOf({ isPercent, numerator, denominator, known }: WeightedRate) {
  // A denominator of 0 is left out: some databases fail on it. Whole numbers would be divided without a fraction.
  const conditions = [...known.map((each) => `${each} IS NOT NULL`), `${denominator} > 0`];
  const sql = (expression: string) =>
    `CASE WHEN ${conditions.join(" AND ")} THEN CAST(${expression} AS DOUBLE PRECISION) END`;
  const least = numerator.replace(/min\((\w+), (\w+)\)/, "CASE WHEN $1 < $2 THEN $1 ELSE $2 END");
  return { numerator: sql(isPercent ? `100 * ${least}` : least), denominator: sql(denominator) };
}

const fieldEntries: [string, RecordField][] = Object.entries(feedFields);
export const weightedRates = fieldEntries.flatMap(([name, field]) => weightedRate(name, field));
const counts = fieldEntries.filter(([, { unit }]) => unit === "count");

/** Leaves out rates, so that no tool averages them, and lists. */
function datasetFields(fields: Readonly<Record<string, RecordField>>) {
  return Object.entries(fields).flatMap(([name, { type, unit, title, description }]) => {
    if (type === "tags" || (unit !== undefined && unit !== "count")) return [];
    const datatype = types[type];
    const isTime = type === "instant" || type === "date";
    const dimension = unit === "count" ? {} : { dimension: { is_time: isTime } };
    return [{ name, expression: ansi(name), ...dimension, label: title, description, datatype }];
  });
}

const partFields = weightedRates.flatMap((rate) =>
  Object.entries(partsOf(rate)).map(([part, expression]) => ({
    name: `${rate.name}_${part}`,
    expression: ansi(expression),
    description: `What a campaign adds to the ${part} of ${rate.name}.`,
    datatype: "Float",
  })),
);

const dataset = (name: keyof typeof feedTables, others: typeof partFields = []) => ({
  name,
  source: name,
  primary_key: [...feedTables[name].key],
  description: feedTables[name].description,
  fields: [...others, ...datasetFields(feedTables[name].fields)],
});

const join = (from: string, to: string, fromColumn: string) => ({
  name: `${from}_${to}`,
  from,
  to,
  from_columns: [fromColumn],
  to_columns: ["id"],
});

export const osiModel = {
  version: osiVersion,
  semantic_model: [
    {
      name: "email_analytics",
      description:
        "Email campaigns and their metrics. The sources are the SQL views, the OData tables or copies of the downloads.",
      ai_context: {
        instructions:
          "A rate of several campaigns is the sum of its numerators by the sum of its denominators: use the metrics, and never average rates. Campaigns younger than seven days are still counting; pages leave them out. A campaign with two tags is in two groups.",
      },
      datasets: [dataset("emails", partFields), dataset("tags"), dataset("email_tags")],
      relationships: [join("email_tags", "emails", "email_id"), join("email_tags", "tags", "tag_id")],
      metrics: [
        ...weightedRates.map(({ name, description }) => ({
          name,
          expression: ansi(`SUM(emails.${name}_numerator) / SUM(emails.${name}_denominator)`),
          description,
          datatype: "Float",
        })),
        ...counts.map(([name, { description }]) => ({
          name: `sum_${name}`,
          expression: ansi(`SUM(emails.${name})`),
          description: `Sum over campaigns: ${description}`,
          datatype: "Integer",
        })),
      ],
    },
  ],
};
