// Random $filter expressions, each with a plain function that says which rows meet it. The functions are written from the
// standard (OData URL Conventions 4.0, 5.1.1) and share no code with the program.

import type { FeedRow } from "../../src/campaign/feed/feed-tables.ts";
import type { Random } from "./histories.ts";

type Value = string | number | boolean | null;

export interface RandomExpression {
  text: string;
  valueIn: (row: FeedRow) => Value;
}

export interface RandomFilterOptions {
  random: Random;
  /** Values near those of some of these rows are used. */
  rows: readonly FeedRow[];
}

const texts = "subject organization_team sending_type kind tag_names sent_from recipients".split(" ");
const numbers = ["id", "open_rate", "unique_opens", "recipient_count", "enps_score_average", "sent_hour"];
const instants = ["sent_at", "closed_at", "updated_at"];

/** A condition, with `and`, `or` and `not` up to a depth. */
export function randomCondition(options: RandomFilterOptions, depth = 3): RandomExpression {
  const { random } = options;
  const way = random.between(1, depth > 0 ? 10 : 5);
  if (way <= 5) return randomComparison(options);
  if (way === 6) return negated(random, randomCondition(options, depth - 1));
  const [left, right] = [randomCondition(options, depth - 1), randomCondition(options, depth - 1)];
  return random.chance(50) ? joined("and", left, right) : joined("or", left, right);
}

function negated(random: Random, { text, valueIn }: RandomExpression): RandomExpression {
  return {
    text: random.chance(50) ? `not (${text})` : `not(${text})`,
    valueIn: (row) => {
      const value = valueIn(row);
      return value === null ? null : !value;
    },
  };
}

/** The operands in parentheses, so that the text says no more about precedence than the tree. */
function joined(kind: "and" | "or", left: RandomExpression, right: RandomExpression): RandomExpression {
  return {
    text: `(${left.text}) ${kind} (${right.text})`,
    valueIn: (row) => {
      const values = [left.valueIn(row), right.valueIn(row)];
      const decisive = kind === "or";
      if (values.includes(decisive)) return decisive;
      return values.includes(null) ? null : !decisive;
    },
  };
}

function randomComparison(options: RandomFilterOptions): RandomExpression {
  const { random } = options;
  const way = random.between(1, 12);
  if (way === 1) return tagCondition(options);
  if (way === 2) return textFunction(options);
  if (way === 3) return membership(options);
  if (way === 4) return datePart(options);
  const [field, toText, convert] = randomField(options);
  const literal = random.chance(8) ? null : convert(nearbyValue(options, field));
  const operator = random.pick(["eq", "ne", "gt", "ge", "lt", "le"]);
  const isSwapped = random.chance(15);
  const sides = [field, literal === null ? "null" : toText(literal)];
  return {
    text: (isSwapped ? sides.reverse() : sides).join(` ${operator} `),
    valueIn: (row) => {
      const value = row[field] === null ? null : convert(row[field]);
      return isSwapped ? compare(operator, literal, value) : compare(operator, value, literal);
    },
  };
}

function compare(operator: string, left: Value, right: Value): boolean {
  if (operator === "eq") return left === right;
  if (operator === "ne") return left !== right;
  if (left === null || right === null) return false;
  if (operator === "gt") return left > right;
  if (operator === "ge") return left >= right;
  return operator === "lt" ? left < right : left <= right;
}

type Field = readonly [name: string, toText: (value: Value) => string, convert: (value: unknown) => Value];

const plain = (value: unknown) => value as Value;
const toInstant = (value: unknown) => Date.parse(String(value));
const quoted = (value: Value) => `'${String(value).replaceAll("'", "''")}'`;

function randomField({ random }: RandomFilterOptions): Field {
  const way = random.between(1, 4);
  if (way === 1) return [random.pick(texts), quoted, plain];
  if (way === 2) return [random.pick(numbers), (value) => String(value), plain];
  if (way === 3) return ["sent_on", (value) => String(value), plain];
  return [random.pick(instants), (value) => instantText(random, Number(value)), toInstant];
}

/** The value of a row, often, or one beside it. */
function nearbyValue({ random, rows }: RandomFilterOptions, field: string): unknown {
  const value = rows.length > 0 ? random.pick(rows)[field] : null;
  if (numbers.includes(field)) return Number(value ?? 1) + random.pick([0, 0, 0, 1, -1, 0.5, 1e-3]);
  if (instants.includes(field)) {
    const at = value === null ? Date.UTC(2024, 0, 1) : toInstant(value);
    return new Date(at + random.pick([0, 0, 1, -1, 86_400_000])).toISOString();
  }
  if (field === "sent_on") return value ?? "2024-02-29";
  return random.chance(80) ? (value ?? "x") : `${value}'`;
}

/** With any offset and fraction. */
function instantText(random: Random, at: number): string {
  const minutes = random.pick([0, 0, 60, -300, 330, 840]);
  const local = new Date(at + minutes * 60_000)
    .toISOString()
    .replace("Z", "")
    .replace(/\.000$/, "");
  if (minutes === 0 && random.chance(60)) return `${local}Z`;
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${local}${minutes < 0 ? "-" : "+"}${digits}`;
}

function tagCondition({ random, rows }: RandomFilterOptions): RandomExpression {
  const names = rows.flatMap(({ tags }) => (tags as FeedRow[]).map(({ name }) => String(name)));
  const name = names.length > 0 && random.chance(80) ? random.pick(names) : "none";
  const operator = random.pick(["eq", "eq", "ne"]);
  return {
    text: `tags/any(t:t/name ${operator} ${quoted(name)})`,
    valueIn: ({ tags }) => (tags as FeedRow[]).some((tag) => (tag.name === name) === (operator === "eq")),
  };
}

function textFunction(options: RandomFilterOptions): RandomExpression {
  const { random } = options;
  const field = random.pick(texts);
  const whole = String(nearbyValue(options, field) ?? "");
  const start = random.between(0, whole.length);
  const part = whole.slice(start, random.between(start, whole.length)).toWellFormed();
  const [name, test] = random.pick([
    ["contains", (text: string, some: string) => text.includes(some)],
    ["startswith", (text: string, some: string) => text.startsWith(some)],
    ["endswith", (text: string, some: string) => text.endsWith(some)],
  ] as const);
  const isLower = random.chance(30);
  const suffix = random.pick(["", " eq true", " ne true"]);
  const operand = isLower ? `tolower(${field})` : field;
  return {
    text: `${name}(${operand},${quoted(part)})${suffix}`,
    valueIn: (row) => {
      const text = row[field] as string | null;
      const value = text === null ? null : test(isLower ? text.toLowerCase() : text, part);
      if (suffix === "") return value;
      return (value === true) === (suffix === " eq true");
    },
  };
}

function membership(options: RandomFilterOptions): RandomExpression {
  const { random } = options;
  const field = random.pick(["id", "subject", "organization_team"]);
  const values = Array.from({ length: random.between(1, 4) }, () => nearbyValue(options, field));
  const toText = field === "id" ? String : quoted;
  return {
    text: `${field} in (${values.map((value) => (value === null ? "null" : toText(value as Value))).join(random.pick([",", ", "]))})`,
    valueIn: (row) => values.includes(row[field]),
  };
}

function datePart(options: RandomFilterOptions): RandomExpression {
  const { random } = options;
  const [name, partOf] = random.pick([
    ["year", (iso: string) => Number(iso.slice(0, 4))],
    ["month", (iso: string) => Number(iso.slice(5, 7))],
    ["day", (iso: string) => Number(iso.slice(8, 10))],
    ["hour", (iso: string) => Number(iso.slice(11, 13))],
  ] as const);
  const field = random.pick(instants);
  const example = String(nearbyValue(options, field));
  const operator = random.pick(["eq", "ge", "lt"]);
  return {
    text: `${name}(${field}) ${operator} ${partOf(example)}`,
    valueIn: (row) => {
      const iso = row[field] as string | null;
      return compare(operator, iso === null ? null : partOf(iso), partOf(example));
    },
  };
}
