// Filters rows by an expression, with the rules for null of OData 4.0 (URL Conventions, 5.1.1).

import { dayMs } from "../calendar/durations.ts";
import type { RecordField } from "../record-fields.ts";
import type { FeedRow } from "./feed-tables.ts";

/** Plain data, so that it can be sent to a thread. Its maker has checked the types. */
export type FilterExpression =
  /** An instant or a date is in milliseconds since 1970. */
  | { kind: "literal"; value: FilterValue }
  | { kind: "field"; name: string; type: RecordField["type"] }
  | { kind: "comparison"; operator: ComparisonOperator; left: FilterExpression; right: FilterExpression }
  | { kind: "in"; operand: FilterExpression; values: FilterValue[] }
  | { kind: "and" | "or"; operands: FilterExpression[] }
  | { kind: "not"; operand: FilterExpression }
  | { kind: "call"; name: FilterFunction; operands: FilterExpression[] }
  /** Whether a tag meets the condition, in which fields are those of a tag. */
  | { kind: "any"; condition: FilterExpression };

export type FilterValue = string | number | boolean | null;
export type ComparisonOperator = "eq" | "ne" | "gt" | "ge" | "lt" | "le";

type Evaluate = (row: FeedRow) => FilterValue;

/** The functions by name. None is called with null, of which each makes null. */
const functions = {
  contains: (text: string, part: string) => text.includes(part),
  startswith: (text: string, part: string) => text.startsWith(part),
  endswith: (text: string, part: string) => text.endsWith(part),
  tolower: (text: string) => text.toLowerCase(),
  toupper: (text: string) => text.toUpperCase(),
  year: (at: number) => new Date(at).getUTCFullYear(),
  month: (at: number) => new Date(at).getUTCMonth() + 1,
  day: (at: number) => new Date(at).getUTCDate(),
  hour: (at: number) => new Date(at).getUTCHours(),
  date: (at: number) => Math.floor(at / dayMs) * dayMs,
};
export type FilterFunction = keyof typeof functions;

/** Returns whether a row meets the expression; null does not. */
export function compileFilter(expression: FilterExpression): (row: FeedRow) => boolean {
  const evaluate = compile(expression);
  return (row) => evaluate(row) === true;
}

function compile(expression: FilterExpression): Evaluate {
  switch (expression.kind) {
    case "literal":
      return () => expression.value;
    case "field":
      return readField(expression.name, expression.type);
    case "comparison":
      return compileComparison(expression.operator, compile(expression.left), compile(expression.right));
    case "in": {
      const operand = compile(expression.operand);
      const values = new Set(expression.values);
      return (row) => values.has(operand(row));
    }
    case "and":
      return combine(expression.operands.map(compile), false);
    case "or":
      return combine(expression.operands.map(compile), true);
    case "not": {
      const operand = compile(expression.operand);
      return (row) => negate(operand(row));
    }
    case "call":
      return compileCall(expression.name, expression.operands.map(compile));
    case "any": {
      const condition = compile(expression.condition);
      return (row) => (row.tags as FeedRow[]).some((tag) => condition(tag) === true);
    }
  }
}

function readField(name: string, type: RecordField["type"]): Evaluate {
  if (type !== "instant" && type !== "date") return (row) => row[name] as FilterValue;
  return (row) => {
    const value = row[name] as string | null;
    return value === null ? null : Date.parse(value);
  };
}

/** Null equals null; a comparison of null by size is false. */
const comparisons: Record<ComparisonOperator, (left: FilterValue, right: FilterValue) => boolean> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  gt: bySize((left, right) => left > right),
  ge: bySize((left, right) => left >= right),
  lt: bySize((left, right) => left < right),
  le: bySize((left, right) => left <= right),
};

function bySize(compare: (left: number, right: number) => boolean) {
  return (left: FilterValue, right: FilterValue) =>
    left !== null && right !== null && compare(left as number, right as number);
}

function compileComparison(operator: ComparisonOperator, left: Evaluate, right: Evaluate): Evaluate {
  const compare = comparisons[operator];
  return (row) => compare(left(row), right(row));
}

/** @param deciding one operand of this value decides: false for `and`, true for `or`; otherwise null, if any is null */
function combine(operands: readonly Evaluate[], deciding: boolean): Evaluate {
  return (row) => {
    let result: FilterValue = !deciding;
    for (const operand of operands) {
      const value = operand(row);
      if (value === deciding) return deciding;
      if (value === null) result = null;
    }
    return result;
  };
}

function negate(value: FilterValue): FilterValue {
  return value === null ? null : !value;
}

function compileCall(name: FilterFunction, operands: readonly Evaluate[]): Evaluate {
  const call = functions[name] as (...values: FilterValue[]) => FilterValue;
  return (row) => {
    const values = operands.map((operand) => operand(row));
    return values.includes(null) ? null : call(...values);
  };
}
