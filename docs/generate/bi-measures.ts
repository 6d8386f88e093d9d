// Writes the weighted rates of the metric contract in the languages of Power BI (DAX) and Tableau.

import { feedFields } from "../../src/campaign/feed/feed-fields.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";

/** Counts of formulas that are no fields, from fields. An average is rounded to 2 decimals. */
const countsFromFields: Readonly<Record<string, string>> = {
  enps_score_sum: "enps_score_average * enps_reactions_count",
};

/** A rate that tools compute over several campaigns, from fields alone. */
interface WeightedRate {
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

const weightedRates = Object.entries<RecordField>(feedFields).flatMap(([name, field]) =>
  weightedRate(name, field),
);

/** A DAX query that defines the measures and shows their values. */
export function daxMeasures(): string {
  const measures = weightedRates.map((rate) => `    // ${rate.description}\n${daxMeasure(rate)}\n`);
  const shown = weightedRates.map(({ title }) => `    "${title}", [${title}]`);
  return `// Rates over several campaigns: sums divided by sums. An average of rates is wrong.
// In Power BI Desktop, load the table emails, open the DAX query view, paste this, and choose "Update model with changes".
DEFINE
${measures.join("\n")}
EVALUATE
ROW(
${shown.join(",\n")}
)
`;
}

function daxMeasure({ title, isPercent, numerator, denominator, known }: WeightedRate): string {
  const column = (name: string) => `emails[${name}]`;
  const conditions = [...known.map((name) => `NOT ISBLANK(${column(name)})`), `${column(denominator)} > 0`];
  const sum = `SUMX(Known, ${withFields(numerator, column)})`;
  return `    MEASURE emails[${title}] =
        VAR Known = FILTER(emails, ${conditions.join(" && ")})
        RETURN DIVIDE(${isPercent ? "100 * " : ""}${sum}, SUMX(Known, ${column(denominator)}))`;
}

/** A list of names and formulas: Tableau has no file for calculated fields alone. */
export function tableauCalculations(): string {
  const calculations = weightedRates.map(
    (rate) => `${rate.title}\n${tableauFormula(rate)}\n// ${rate.description}\n`,
  );
  return `Rates over several campaigns: sums divided by sums. An average of rates is wrong.
For each one choose Analysis, Create Calculated Field, and paste name and formula. If Tableau renamed the fields, select
all of them first, and choose Reset Names in their menu.

${calculations.join("\n")}`;
}

function tableauFormula({ isPercent, numerator, denominator, known }: WeightedRate): string {
  const column = (name: string) => `[${name}]`;
  const conditions = [...known.map((name) => `NOT ISNULL(${column(name)})`), `${column(denominator)} > 0`];
  const sum = (expression: string) => `SUM(IF ${conditions.join(" AND ")} THEN ${expression} END)`;
  return `${isPercent ? "100 * " : ""}${sum(withFields(numerator, column))} / ${sum(column(denominator))}`;
}

/** Both languages have `MIN` of two values. */
const withFields = (expression: string, column: (name: string) => string) =>
  expression.replaceAll(/[a-z]\w+/g, (name) => (name === "min" ? "MIN" : column(name)));
