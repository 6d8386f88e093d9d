// The parser of $filter against another one, which was made from the grammar of the standard.

import assert from "node:assert/strict";
import test from "node:test";
import { filter as parseByGrammar } from "odata-v4-parser";
import { feedTables } from "../../../src/campaign/feed/feed-tables.ts";
import type { FilterExpression } from "../../../src/campaign/feed/row-filter.ts";
import { AppError } from "../../../src/errors.ts";
import { filterFunctions, parseFilter } from "../../../src/http/odata/parse-filter.ts";
import { Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { randomCondition } from "../../support/random-filter.ts";

const { fields } = feedTables.emails;

/** Undefined if the parser refuses the text, as it should: with an error for the client. */
function parse(text: string): FilterExpression | undefined {
  try {
    return parseFilter(text, fields);
  } catch (error) {
    assert.ok(error instanceof AppError, text);
    assert.match(error.code, /^(?:bad_request|not_implemented)$/, text);
    return undefined;
  }
}

function isInGrammar(text: string): boolean {
  // The other parser takes a slash in a literal only if it is encoded.
  const encoded = text.replaceAll(/'(?:[^']|'')*'/g, (literal) => literal.replaceAll("/", "%2F"));
  try {
    parseByGrammar(encoded);
    return true;
  } catch {
    return false;
  }
}

const pieces = [
  ...["id", "subject", "sent_at", "null", "true", "1", "-2.5", "'it''s'", "2024-02-29", "2024-02-29T01:02Z"],
  ...["eq", "ne", "gt", "le", "and", "or", "not", "(", ")", ",", "contains(", "tolower(", "year("],
  ...["tags/any("],
  ...["t:t/name", "tags/any(t:t/name eq 'x')", "id eq 1", "contains(subject,'a')", "not (id gt 2)", "/"],
  ...[":", "'"],
];

test("accepts no text that the grammar of the standard does not have", () => {
  const random = new Random(7);
  let accepted = 0;
  for (let left = randomCases(12_000, 600_000); left > 0; left--) {
    const some = Array.from({ length: random.between(1, 7) }, () => random.pick(pieces));
    const text = some.join(random.pick([" ", " ", " ", ""]));
    const expression = parse(text);
    if (!expression || comparesConditions(expression)) continue;
    accepted += 1;
    assert.ok(isInGrammar(text), text);
  }
  assert.ok(accepted > 50, `only ${accepted} texts were accepted`);
});

/** `contains(…) eq true` or `true eq contains(…)`, which the other parser misses. */
function comparesConditions(expression: FilterExpression): boolean {
  if (expression.kind === "comparison") return [expression.left, expression.right].some(isCondition);
  if (expression.kind === "and" || expression.kind === "or")
    return expression.operands.some(comparesConditions);
  return expression.kind === "not" && comparesConditions(expression.operand);
}

function isCondition(expression: FilterExpression): boolean {
  if (expression.kind === "call") return filterFunctions[expression.name].result === "condition";
  return expression.kind !== "literal" && expression.kind !== "field";
}

const row = {
  ...Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example])),
  organization_team: "It's",
};

test("accepts conditions of the grammar, and what later versions of the standard add", () => {
  const random = new Random(8);
  for (let left = randomCases(300); left > 0; left--) {
    const { text } = randomCondition({ random, rows: [row] });
    assert.ok(parse(text), text);
    const isLater = /not\(| in \(|\) (?:eq|ne) (?:true|false)/.test(text);
    assert.ok(isLater || isInGrammar(text), text);
  }
});

test("refuses every cut of a condition that is no condition", () => {
  const text =
    "(id eq 1 or not (contains(tolower(subject),'x''y'))) and sent_at ge 2024-01-01T00:00:00+01:00";
  assert.ok(parse(text));
  for (let length = 0; length < text.length; length++) {
    const cut = text.slice(0, length);
    if (parse(cut)) assert.ok(isInGrammar(cut), cut);
  }
});

test("joins by precedence: or, and, eq and ne, the other comparisons, not", () => {
  const expression = parse("id eq 1 or id eq 2 and not contains(subject,'x') eq id lt 3");
  const shape = ({ kind, ...rest }: FilterExpression): unknown => {
    if ("operands" in rest && kind !== "call") return [kind, ...rest.operands.map(shape)];
    if ("operator" in rest) return [rest.operator, shape(rest.left), shape(rest.right)];
    if ("operand" in rest && kind === "not") return [kind, shape(rest.operand)];
    return "value" in rest ? rest.value : "name" in rest ? rest.name : kind;
  };
  const not = ["not", "contains"];
  assert.deepEqual(expression && shape(expression), [
    "or",
    ["eq", "id", 1],
    ["and", ["eq", "id", 2], ["eq", not, ["lt", "id", 3]]],
  ]);
});
