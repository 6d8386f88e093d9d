// Filters of rows, with the rules for null of OData.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import {
  type ComparisonOperator,
  compileFilter,
  type FilterExpression,
  type FilterFunction,
  type FilterValue,
} from "../../../src/campaign/feed/row-filter.ts";

const literal = (value: FilterValue): FilterExpression => ({ kind: "literal", value });
const not = (operand: FilterExpression): FilterExpression => ({ kind: "not", operand });
const meets = (expression: FilterExpression, row = {}) => compileFilter(expression)(row);

/** What an expression of truth values is: true, false or null. */
function truth(expression: FilterExpression): boolean | null {
  if (meets(expression)) return true;
  return meets(not(expression)) ? false : null;
}

const compared = (left: FilterValue, operator: ComparisonOperator, right: FilterValue) =>
  meets({ kind: "comparison", operator, left: literal(left), right: literal(right) });

test("compares by size, and null only with null", () => {
  const operators = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
  const meeting = (left: FilterValue, right: FilterValue) =>
    operators.filter((operator) => compared(left, operator, right)).join(" ");
  assert.equal(meeting(1, 2), "ne lt le");
  assert.equal(meeting(2, 2), "eq le ge");
  assert.equal(meeting(3, 2), "ne gt ge");
  assert.equal(meeting("b", "a"), "ne gt ge");
  assert.equal(meeting(null, 2), "ne");
  assert.equal(meeting(2, null), "ne");
  assert.equal(meeting(null, null), "eq");
  assert.equal(meeting(null, -1), "ne");
});

test("decides and, or and not with null as the tables of OData do", () => {
  const values = [true, false, null];
  const table = (kind: "and" | "or") =>
    values.map((left) => values.map((right) => truth({ kind, operands: [left, right].map(literal) })));
  assert.deepEqual(table("and"), [
    [true, false, null],
    [false, false, false],
    [null, false, null],
  ]);
  assert.deepEqual(table("or"), [
    [true, true, true],
    [true, false, null],
    [true, null, null],
  ]);
  const found = values.map((value) => truth(not(literal(value))));
  assert.deepEqual(found, [false, true, null]);
});

test("reads fields, instants as milliseconds, and finds values in lists and in tags", () => {
  const row = { id: 7, sent_at: "1970-01-02T00:00:00.000Z", day: null, tags: [{ name: "a" }, { name: "b" }] };
  const field = (name: string, type: "integer" | "instant" | "date" | "string"): FilterExpression => ({
    ...{ kind: "field", name, type },
  });
  const isIn = (operand: FilterExpression, ...values: FilterValue[]) =>
    meets({ kind: "in", operand, values }, row);
  assert.equal(isIn(field("id", "integer"), 6, 7), true);
  assert.equal(isIn(field("id", "integer"), 6), false);
  assert.equal(isIn(field("sent_at", "instant"), dayMs), true);
  assert.equal(isIn(field("day", "date"), null), true);
  const hasTag = (name: string) => {
    const [left, right] = [field("name", "string"), literal(name)];
    return meets({ kind: "any", condition: { kind: "comparison", operator: "eq", left, right } }, row);
  };
  assert.deepEqual(["a", "b", "c"].map(hasTag), [true, true, false]);
});

test("calls functions, each of which makes null of null", () => {
  const at = Date.UTC(2026, 10, 28, 13, 59);
  const results: [FilterFunction, FilterValue[], FilterValue][] = [
    ["contains", ["abc", "b"], true],
    ["startswith", ["abc", "b"], false],
    ["startswith", ["abc", "ab"], true],
    ["endswith", ["abc", "bc"], true],
    ["endswith", ["abc", "ab"], false],
    ["tolower", ["Ab"], "ab"],
    ["toupper", ["Ab"], "AB"],
    ["year", [at], 2026],
    ["month", [at], 11],
    ["day", [at], 28],
    ["hour", [at], 13],
    ["date", [at], Date.UTC(2026, 10, 28)],
    ["date", [-1], -dayMs],
  ];
  const call = (name: FilterFunction, values: FilterValue[]): FilterExpression => ({
    ...{ kind: "call", name, operands: values.map(literal) },
  });
  for (const [name, values, result] of results) {
    assert.ok(meets({ kind: "in", operand: call(name, values), values: [result] }), name);
    const nulls = values.with(-1, null);
    assert.ok(meets({ kind: "in", operand: call(name, nulls), values: [null] }), name);
  }
});
