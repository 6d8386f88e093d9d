// The metric contract: every formula is computed from its text and compared with the metrics of random tallies.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Counts, emptyTally, tallyNames } from "../../../src/campaign/events/tally.ts";
import { formulaOf, metricContract } from "../../../src/campaign/feed/metric-contract.ts";
import { deriveMetrics, metricNames } from "../../../src/campaign/metrics.ts";
import {
  formulaCounts,
  type RecordField,
  type Rounding,
  recordFields,
} from "../../../src/campaign/record-fields.ts";
import { evaluate, type Fraction } from "../../support/formula.ts";
import { randomCases } from "../../support/random-cases.ts";

/** Everything that a formula may name. */
function valuesOf(tally: Counts, recipientCount: number): Record<string, number> {
  const counts = Object.entries(formulaCounts).map(([name, count]) => [name, tally[count.tally]]);
  return {
    ...deriveMetrics(tally, recipientCount),
    ...Object.fromEntries(counts),
    recipient_count: recipientCount,
  };
}

const fields = metricNames.map((name): [string, RecordField] => [name, recordFields[name]]);

/** The value that the contract promises; undefined if the formula divides by 0. */
function promised(field: RecordField, values: Record<string, number>): number | undefined {
  const exact = evaluate(formulaOf(field) ?? "", values);
  return exact && round[field.rounding ?? "none"](exact, field, values);
}

const halfUp =
  (parts: bigint) =>
  ({ numerator, denominator }: Fraction): number =>
    Number((2n * numerator * parts + denominator) / (2n * denominator)) / Number(parts);

type Round = (exact: Fraction, field: RecordField, values: Record<string, number>) => number;

const round: Record<Rounding | "none", Round> = {
  none: ({ numerator }) => Number(numerator),
  "4 decimals": halfUp(10_000n),
  "6 decimals": halfUp(1_000_000n),
  "2 decimals": halfUp(100n),
  "whole percent": halfUp(1n),
  "whole percent, together 100"({ numerator, denominator }, field, values) {
    const shares = fields.filter(([, other]) => other.denominator === field.denominator);
    const parts = shares.map(([, other]) => evaluate(formulaOf(other) ?? "", values) as Fraction);
    const missing = 100n - parts.reduce((sum, part) => sum + part.numerator / part.denominator, 0n);
    const remainder = numerator % denominator;
    const isBefore = (part: Fraction, index: number) =>
      part.numerator % part.denominator > remainder ||
      (part.numerator % part.denominator === remainder &&
        index < shares.findIndex(([, other]) => other === field));
    const isRaised = BigInt(parts.filter(isBefore).length) < missing;
    return Number(numerator / denominator) + (isRaised ? 1 : 0);
  },
};

const count = fc.oneof(fc.nat(3), fc.nat(200), fc.nat());
const anyTally = fc.record(
  Object.fromEntries(tallyNames.map((name) => [name, count])) as Record<keyof Counts, fc.Arbitrary<number>>,
);

test("every formula gives the metric of random tallies, exactly", () => {
  const computed = fields.filter(([, field]) => formulaOf(field) !== undefined);
  assert.equal(computed.length, 12);
  const property = fc.property(anyTally, count, (tally, recipientCount) => {
    const values = valuesOf(tally, recipientCount);
    for (const [name, field] of computed) {
      const value = promised(field, values);
      assert.equal(values[name], value ?? 0, name);
      if (value === undefined) assert.ok(field.nullMeans, `${name} has no meaning of null`);
    }
  });
  fc.assert(property, { numRuns: randomCases(1_000) });
});

test("every metric has a formula, a definition or a description that says it all", () => {
  const tallied = fields.filter(([, field]) => formulaOf(field) === undefined);
  assert.deepEqual(
    tallied.map(([name]) => name),
    [
      "unique_opens",
      "total_opens",
      "unique_clicks",
      "total_clicks",
      "enps_reactions_count",
      "enps_comments_count",
      "survey_reactions_count",
      "survey_reactions_comments_count",
    ],
  );
  for (const [name, { unit, appliesTo, nullMeans }] of fields) {
    assert.deepEqual([unit !== undefined, appliesTo], [true, ["counted"]], name);
    assert.match(nullMeans ?? "", /import has no value/, name);
  }
});

test("numerators and denominators of several campaigns add up to a rate of at most 1", () => {
  const tallies = [
    { ...emptyTally(), uniqueOpens: 9, uniqueClicks: 9 },
    { ...emptyTally(), uniqueOpens: 1 },
  ];
  for (const name of ["open_rate", "click_rate"] as const) {
    const { numerator, denominator } = recordFields[name];
    const sum = (expression: string) =>
      tallies.reduce(
        (total, tally) => total + Number(evaluate(expression, valuesOf(tally, 2))?.numerator),
        0,
      );
    assert.ok(sum(numerator) / sum(denominator) <= 1, name);
  }
});

test("describes a field to programs", () => {
  const described = (name: string) => metricContract.fields.find((field) => field.name === name);
  assert.deepEqual(described("open_rate"), {
    name: "open_rate",
    title: "Open rate",
    type: "number",
    unit: "fraction",
    description: "Share of recipients who opened the campaign.",
    definition: null,
    numerator: "min(unique_opens, recipient_count)",
    denominator: "recipient_count",
    formula: "min(unique_opens, recipient_count) / recipient_count",
    rounding: "4 decimals, rounded half up",
    null: "No recipients, or the import has no value.",
    applies_to: ["counted"],
    since: 1,
  });
  const text = "100 * desktop_opens / (desktop_opens + mobile_opens)";
  assert.equal(described("desktop_open_rate")?.formula, text);
  assert.deepEqual(described("subject")?.applies_to, ["reported", "counted"]);
  assert.equal(described("subject")?.null, null);
});
