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

/** A rate by its name, with the SQL of what a campaign adds to its numerator and its denominator. */
interface PortableRate {
  name: string;
  description: string;
  parts: { numerator: string; denominator: string };
}

/** Undefined if the fields do not have what the rate is computed from. */
function portableRate(name: string, field: RecordField): PortableRate[] {
  const { numerator, denominator, unit, description } = field;
  if (numerator === undefined || denominator === undefined) return [];
  const part = countsFromFields[numerator] ?? numerator;
  const names = [...new Set(`${part} ${denominator}`.match(/[a-z]\w+/g))].filter((each) => each !== "min");
  if (names.some((each) => !Object.hasOwn(feedFields, each))) return [];
  const known = names.filter((each) => each !== denominator).map((each) => `${each} IS NOT NULL`);
  // A denominator of 0 is left out: some databases fail on it. Whole numbers would be divided without a fraction.
  const sql = (expression: string) =>
    `CASE WHEN ${[...known, `${denominator} > 0`].join(" AND ")} THEN CAST(${expression} AS DOUBLE PRECISION) END`;
  const least = part.replace(/min\((\w+), (\w+)\)/, "CASE WHEN $1 < $2 THEN $1 ELSE $2 END");
  const parts = {
    numerator: sql(unit === "percent" ? `100 * ${least}` : least),
    denominator: sql(denominator),
  };
  return [{ name, description, parts }];
}

const fieldEntries: [string, RecordField][] = Object.entries(feedFields);
const rates = fieldEntries.flatMap(([name, field]) => portableRate(name, field));
const counts = fieldEntries.filter(([, { unit }]) => unit === "count");

/** Without rates, so that no tool averages them, and without lists. */
function datasetFields(fields: Readonly<Record<string, RecordField>>) {
  return Object.entries(fields).flatMap(([name, { type, unit, title, description }]) => {
    if (type === "tags" || (unit !== undefined && unit !== "count")) return [];
    const datatype = types[type];
    const isTime = type === "instant" || type === "date";
    const dimension = unit === "count" ? {} : { dimension: { is_time: isTime } };
    return [{ name, expression: ansi(name), ...dimension, label: title, description, datatype }];
  });
}

const partFields = rates.flatMap(({ name, parts }) =>
  Object.entries(parts).map(([part, expression]) => ({
    name: `${name}_${part}`,
    expression: ansi(expression),
    description: `What a campaign adds to the ${part} of ${name}.`,
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
  ...{ name: `${from}_${to}`, from, to },
  ...{ from_columns: [fromColumn], to_columns: ["id"] },
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
        ...rates.map(({ name, description }) => ({
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
