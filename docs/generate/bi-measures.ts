// Writes the weighted rates of the metric contract in the languages of Power BI (DAX) and Tableau.

import { type WeightedRate, weightedRates } from "../../src/campaign/feed/osi-model.ts";

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
