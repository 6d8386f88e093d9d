// Finds the bounds of a filter that an index can use. They may let in more rows than the filter, never fewer.

import { dayMs } from "../calendar/durations.ts";
import type { ComparisonOperator, FilterExpression, FilterValue } from "./row-filter.ts";

/** Whole numbers. Every row that meets the filter is within all of them. */
export interface FilterBounds {
  /** The least value of each field, and the least one too large. Instants are milliseconds since 1970. */
  ranges: Partial<Record<string, { from: number; until: number }>>;
  /** The name of a tag that every row has. */
  tagName?: string | undefined;
}

/** @param filter none bounds nothing */
export function findBounds(filter: FilterExpression | undefined): FilterBounds {
  const bounds: FilterBounds = { ranges: {} };
  if (filter) addBounds(filter, bounds);
  return bounds;
}

/** Adds only conditions that all rows meet: those that `and` joins. */
function addBounds(expression: FilterExpression, bounds: FilterBounds): void {
  if (expression.kind === "and") for (const operand of expression.operands) addBounds(operand, bounds);
  if (expression.kind === "comparison") {
    const { left, right, operator } = expression;
    if (left.kind === "field" && right.kind === "literal") {
      addRange(bounds, left.name, rangeOf(operator, right.value));
    } else if (left.kind === "literal" && right.kind === "field") {
      addRange(bounds, right.name, rangeOf(mirrored[operator], left.value));
    }
  }
  if (expression.kind === "in" && expression.operand.kind === "field") {
    const ranges = expression.values.map((value) => rangeOf("eq", value));
    if (ranges.every((range) => range !== undefined)) {
      const from = Math.min(...ranges.map((range) => range.from));
      addRange(bounds, expression.operand.name, {
        from,
        until: Math.max(...ranges.map(({ until }) => until)),
      });
    }
  }
  if (expression.kind === "any") bounds.tagName ??= tagNameOf(expression.condition);
}

const mirrored: Record<ComparisonOperator, ComparisonOperator> = {
  eq: "eq",
  ne: "ne",
  gt: "lt",
  ge: "le",
  lt: "gt",
  le: "ge",
};

const largest = Number.MAX_SAFE_INTEGER;
const clamp = (value: number) => Math.max(-largest, Math.min(largest, value));

/** The whole numbers that meet a comparison; undefined if they are not a range. */
function rangeOf(
  operator: ComparisonOperator,
  value: FilterValue,
): { from: number; until: number } | undefined {
  if (typeof value !== "number" || Number.isNaN(value) || operator === "ne") return undefined;
  const [floor, ceiling] = [clamp(Math.floor(value)), clamp(Math.ceil(value))];
  return {
    from: { eq: floor, ge: ceiling, gt: floor + 1, lt: -largest, le: -largest }[operator],
    until: { eq: ceiling + 1, le: floor + 1, lt: ceiling, gt: largest, ge: largest }[operator],
  };
}

/** A date on the organization's clocks may start and end this long before or after that of UTC. */
const maxOffsetMs = dayMs;

function addRange(
  { ranges }: FilterBounds,
  field: string,
  range: { from: number; until: number } | undefined,
): void {
  if (!range) return;
  if (field === "sent_on") {
    addRange({ ranges }, "sent_at", {
      from: range.from - maxOffsetMs,
      until: range.until + dayMs + maxOffsetMs,
    });
  }
  const known = ranges[field];
  ranges[field] = known
    ? { from: Math.max(known.from, range.from), until: Math.min(known.until, range.until) }
    : range;
}

/** The name in `t/name eq '…'`; undefined for any other condition. */
function tagNameOf(condition: FilterExpression): string | undefined {
  if (condition.kind !== "comparison" || condition.operator !== "eq") return undefined;
  const { left, right } = condition;
  const [field, literal] = left.kind === "field" ? [left, right] : [right, left];
  const isName = field.kind === "field" && field.name === "name" && literal.kind === "literal";
  return isName && typeof literal.value === "string" ? literal.value : undefined;
}

/** Whether a filter says no more than its bounds of one field, which has whole numbers. */
export function isRangeOf(field: string, filter: FilterExpression): boolean {
  if (filter.kind === "and") return filter.operands.every((operand) => isRangeOf(field, operand));
  if (filter.kind !== "comparison" || filter.operator === "ne") return false;
  const { left, right, operator } = filter;
  const [name, literal] =
    left.kind === "field" ? [left.name, right] : [right.kind === "field" && right.name, left];
  if (name !== field || literal.kind !== "literal" || typeof literal.value !== "number") return false;
  return operator !== "eq" || Number.isInteger(literal.value);
}
