// The bounds of a filter that an index can use.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { findBounds, isRangeOf } from "../../../src/campaign/feed/filter-bounds.ts";
import type {
  ComparisonOperator,
  FilterExpression,
  FilterValue,
} from "../../../src/campaign/feed/row-filter.ts";

const largest = Number.MAX_SAFE_INTEGER;
const field = (name: string): FilterExpression => ({ kind: "field", name, type: "number" });
const literal = (value: FilterValue): FilterExpression => ({ kind: "literal", value });
const compare = (name: string, operator: ComparisonOperator, value: FilterValue): FilterExpression => ({
  ...{ kind: "comparison", operator, left: field(name), right: literal(value) },
});
const mirrored = (value: FilterValue, operator: ComparisonOperator, name: string): FilterExpression => ({
  ...{ kind: "comparison", operator, left: literal(value), right: field(name) },
});
const and = (...operands: FilterExpression[]): FilterExpression => ({ kind: "and", operands });
const rangeOf = (filter: FilterExpression) => {
  const { id } = findBounds(filter).ranges;
  return id && [id.from, id.until];
};

test("bounds a field by a comparison with a number, on either side", () => {
  const cases: [filter: FilterExpression, from: number, until: number][] = [
    [compare("id", "eq", 5), 5, 6],
    [compare("id", "ge", 5), 5, largest],
    [compare("id", "gt", 5), 6, largest],
    [compare("id", "lt", 5), -largest, 5],
    [compare("id", "le", 5), -largest, 6],
    [compare("id", "ge", 5.5), 6, largest],
    [compare("id", "gt", 5.5), 6, largest],
    [compare("id", "lt", 5.5), -largest, 6],
    [compare("id", "le", 5.5), -largest, 6],
    [mirrored(5, "lt", "id"), 6, largest],
    [mirrored(5, "le", "id"), 5, largest],
    [mirrored(5, "gt", "id"), -largest, 5],
    [mirrored(5, "ge", "id"), -largest, 6],
    [mirrored(5, "eq", "id"), 5, 6],
    [compare("id", "ge", -Infinity), -largest, largest],
    [compare("id", "lt", Infinity), -largest, largest],
  ];
  for (const [filter, ...expected] of cases) {
    assert.deepEqual(rangeOf(filter), expected, JSON.stringify(filter));
  }
});

test("bounds nothing without a filter, by other conditions, or by values that are no numbers", () => {
  assert.deepEqual(findBounds(undefined), { ranges: {} });
  const filters: FilterExpression[] = [
    compare("id", "ne", 5),
    compare("id", "eq", null),
    compare("id", "eq", "5"),
    compare("id", "eq", Number.NaN),
    { kind: "comparison", operator: "eq", left: field("id"), right: field("other") },
    { kind: "or", operands: [compare("id", "eq", 1), compare("id", "eq", 2)] },
    { kind: "not", operand: compare("id", "eq", 1) },
    { kind: "in", operand: field("id"), values: [1, null] },
    { kind: "in", operand: literal(1), values: [1] },
  ];
  for (const filter of filters) assert.deepEqual(findBounds(filter), { ranges: {} }, JSON.stringify(filter));
});

test("intersects the bounds of conditions that `and` joins, and spans those of a list", () => {
  const both = and(compare("id", "ge", 3), and(compare("id", "lt", 9), compare("other", "eq", 1)));
  assert.deepEqual(findBounds(both), { ranges: { id: { from: 3, until: 9 }, other: { from: 1, until: 2 } } });
  assert.deepEqual(rangeOf(and(compare("id", "ge", 3), compare("id", "gt", 1))), [3, largest]);
  assert.deepEqual(rangeOf({ kind: "in", operand: field("id"), values: [7, 2, 4] }), [2, 8]);
});

test("bounds the time by a date, with a day for the time zone on both sides", () => {
  const day = Date.UTC(2026, 0, 2);
  assert.deepEqual(findBounds(compare("sent_on", "eq", day)).ranges, {
    sent_on: { from: day, until: day + 1 },
    sent_at: { from: day - dayMs, until: day + 1 + 2 * dayMs },
  });
});

test("finds the name of a tag that every row has", () => {
  const tagged = (condition: FilterExpression) => findBounds({ kind: "any", condition }).tagName;
  assert.equal(tagged(compare("name", "eq", "News")), "News");
  assert.equal(tagged(mirrored("News", "eq", "name")), "News");
  assert.equal(tagged(compare("name", "ne", "News")), undefined);
  assert.equal(tagged(compare("color", "eq", "News")), undefined);
  assert.equal(tagged(compare("name", "eq", null)), undefined);
  assert.equal(tagged({ kind: "not", operand: compare("name", "eq", "News") }), undefined);
});

test("says whether the bounds of one field are the whole filter", () => {
  for (const operator of ["eq", "gt", "ge", "lt", "le"] as const) {
    assert.equal(isRangeOf("id", compare("id", operator, 5)), true, operator);
    assert.equal(isRangeOf("id", mirrored(5, operator, "id")), true, operator);
    assert.equal(isRangeOf("id", compare("other", operator, 5)), false, operator);
    assert.equal(isRangeOf("id", compare("id", operator, "5")), false, operator);
  }
  assert.equal(isRangeOf("id", compare("id", "ne", 5)), false);
  assert.equal(isRangeOf("id", compare("id", "gt", 5.5)), true);
  assert.equal(isRangeOf("id", compare("id", "eq", 5.5)), false);
  assert.equal(isRangeOf("id", and(compare("id", "gt", 5), compare("id", "lt", 9))), true);
  assert.equal(isRangeOf("id", and(compare("id", "gt", 5), compare("other", "lt", 9))), false);
  assert.equal(isRangeOf("id", { kind: "or", operands: [compare("id", "gt", 5)] }), false);
});
