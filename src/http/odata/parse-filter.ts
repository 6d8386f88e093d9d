// Parses $filter by recursive descent (OData URL Conventions 4.0, 5.1.1) and checks its types. The filter language of the
// standard is larger: the rest of it gets a 501 that names it.

import { embeddedTagFields } from "../../campaign/feed/feed-tables.ts";
import type {
  ComparisonOperator,
  FilterExpression,
  FilterFunction,
  FilterValue,
} from "../../campaign/feed/row-filter.ts";
import { quote } from "../../campaign/fields/quote.ts";
import type { RecordField } from "../../campaign/record-fields.ts";
import { AppError } from "../../errors.ts";
import { invalid, splitFilter, type Token } from "./filter-tokens.ts";

const filterLimits = { length: 4_096, depth: 20, parts: 200 };

type Fields = Readonly<Record<string, RecordField>>;
type ValueType = "text" | "number" | "instant" | "date" | "condition" | "null" | "tags";

/** An expression with the type of its value, and the text for messages. */
interface Typed {
  type: ValueType;
  expression: FilterExpression;
}

const typeOfField = {
  integer: "number",
  number: "number",
  string: "text",
  instant: "instant",
  date: "date",
  tags: "tags",
} as const satisfies Record<RecordField["type"], ValueType>;

const typeNames: Record<ValueType, string> = {
  text: "a text",
  number: "a number",
  instant: "an instant such as 2024-01-31T00:00:00Z",
  date: "a date such as 2024-01-31",
  condition: "a condition",
  null: "null",
  tags: "a list of tags",
};

interface Signature {
  /** The types that each operand may have. */
  operands: readonly (readonly ValueType[])[];
  result: ValueType;
}

const ofTexts: Signature = { operands: [["text"], ["text"]], result: "condition" };
const ofText: Signature = { operands: [["text"]], result: "text" };
const ofTime: Signature = { operands: [["instant", "date"]], result: "number" };

export const filterFunctions: Readonly<Record<FilterFunction, Signature>> = {
  contains: ofTexts,
  startswith: ofTexts,
  endswith: ofTexts,
  tolower: ofText,
  toupper: ofText,
  year: ofTime,
  month: ofTime,
  day: ofTime,
  hour: { operands: [["instant"]], result: "number" },
  date: { operands: [["instant"]], result: "date" },
};

const operators: readonly ComparisonOperator[] = ["eq", "ne", "gt", "ge", "lt", "le"];
/** How strongly binary operators bind (5.1.1.9): `eq` and `ne` less than the other comparisons. */
const strengths = { or: 1, and: 2, eq: 3, ne: 3, gt: 4, ge: 4, lt: 4, le: 4, in: 5 } as const;
type BinaryOperator = keyof typeof strengths;

/** Words of the standard that this service does not implement. */
const unsupportedWords = new Set(
  `add sub mul div mod has all indexof length substring substringof concat trim minute second
    fractionalseconds totalseconds time totaloffsetminutes now mindatetime maxdatetime round floor
    ceiling cast isof geo.distance geo.length geo.intersects $it $root $count duration binary geography
    geometry matchesPattern`.split(/\s+/),
);

/**
 * @param filter decoded
 * @param fields of the rows
 * @throws AppError `bad_request` that says how to write it, `not_implemented` that names the missing part
 */
export function parseFilter(filter: string, fields: Fields): FilterExpression {
  if (filter.length > filterLimits.length) {
    throw invalid(`it has ${filter.length} characters; the maximum is ${filterLimits.length}`);
  }
  return new FilterParser(splitFilter(filter), fields).parse();
}

class FilterParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #parts = 0;
  /** The fields of rows, and inside `any` those of a tag under its variable. */
  #fields: Fields;
  #variable: string | undefined;

  constructor(tokens: readonly Token[], fields: Fields) {
    this.#tokens = tokens;
    this.#fields = fields;
  }

  parse(): FilterExpression {
    const first = this.#next;
    if (first.isApart) throw invalid("it begins with a space");
    const condition = this.#condition(this.#expression(), "the filter");
    const { kind, text, isApart } = this.#next;
    if (kind !== "end") throw this.#unexpected("an operator, and, or, or the end", text);
    if (isApart) throw invalid("it ends with a space");
    return condition;
  }

  /** @param weakest the least strength of the operators that belong to it */
  #expression(weakest = 1): Typed {
    let left = this.#unary();
    for (;;) {
      const operator = this.#operator();
      if (!operator || strengths[operator] < weakest) return left;
      left = this.#binary(operator, left);
    }
  }

  #binary(operator: BinaryOperator, left: Typed): Typed {
    const parseRight = () => this.#expression(strengths[operator] + 1);
    if (operator === "and" || operator === "or") {
      const first = this.#condition(left, `the left side of ${operator}`);
      this.#take();
      const second = this.#condition(parseRight(), `the right side of ${operator}`);
      const operands = first.kind === operator ? [...first.operands, second] : [first, second];
      return conditionOf({ kind: operator, operands });
    }
    this.#take();
    if (operator === "in") return this.#membership(left);
    this.#countPart();
    const right = parseRight();
    checkComparable(operator, left, right);
    return conditionOf({ kind: "comparison", operator, left: left.expression, right: right.expression });
  }

  #unary(): Typed {
    const { kind, text } = this.#next;
    if (kind !== "word" || text !== "not") return this.#primary();
    this.#take();
    const operandStart = this.#next;
    if (!operandStart.isApart && operandStart.text !== "(") throw this.#unexpected("a condition after not");
    const parseOperand = () => this.#expression(strengths.in);
    const operand = this.#deeper(() => this.#condition(parseOperand(), "what follows not; use not (…)"));
    return conditionOf({ kind: "not", operand });
  }

  #membership({ type, expression: operand }: Typed): Typed {
    this.#expect("(");
    const values: FilterValue[] = [];
    do {
      this.#countPart();
      const literal = this.#primary();
      if (literal.expression.kind !== "literal") throw invalid("in (…) takes values separated by commas");
      checkComparable("in", { type, expression: operand }, literal);
      values.push(literal.expression.value);
    } while (this.#accept(","));
    this.#expect(")");
    return conditionOf({ kind: "in", operand, values });
  }

  #primary(): Typed {
    const token = this.#next;
    if (token.text === "(") {
      this.#take();
      const inner = this.#deeper(() => this.#expression());
      this.#expect(")");
      return inner;
    }
    if (token.kind === "mark" || token.kind === "end")
      throw this.#unexpected("a field, a value or a function");
    this.#take();
    if (token.kind === "string") return literal("text", token.value);
    if (token.kind !== "word") return literal(token.kind, token.value);
    return this.#word(token.text);
  }

  #word(word: string): Typed {
    if (word === "null") return literal("null", null);
    if (word === "true" || word === "false") return literal("condition", word === "true");
    if (this.#next.text === "(" && !this.#next.isApart) return this.#call(word);
    if (this.#next.text === "/" || word === this.#variable) return this.#path(word);
    return this.#field(word, word);
  }

  /** @param path as it was written: inside `any`, fields have the variable before them */
  #field(name: string, path: string): Typed {
    const field = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (field && (name === path) === (this.#variable === undefined)) {
      return { type: typeOfField[field.type], expression: { kind: "field", name, type: field.type } };
    }
    if (unsupportedWords.has(path) || /^[@$]/.test(path)) throw unsupported(path);
    const prefix = this.#variable === undefined ? "" : `${this.#variable}/`;
    const names = Object.keys(this.#fields).map((each) => prefix + each);
    throw invalid(`${quote(path)} is no field; use ${names.join(", ")}`);
  }

  /** `tags/any(…)`, or a field of a tag inside of it. */
  #path(word: string): Typed {
    this.#expect("/");
    const { text } = this.#take();
    const path = `${word}/${text}`;
    if (word === this.#variable) return this.#field(text, path);
    if (this.#variable !== undefined || this.#fields[word]?.type !== "tags" || text !== "any") {
      if ([word, text].some((each) => unsupportedWords.has(each)) || this.#fields[word]?.type === "tags")
        throw unsupported(path);
      throw invalid(`${quote(path)} is no field`);
    }
    return this.#any();
  }

  #any(): Typed {
    this.#countPart();
    this.#expect("(");
    if (this.#accept(")")) {
      return conditionOf({ kind: "any", condition: { kind: "literal", value: true } });
    }
    const { kind, text } = this.#take();
    if (kind !== "word" || !/^\w+$/.test(text))
      throw this.#unexpected("a variable, as in any(t:t/name eq 'News')", text);
    this.#expect(":");
    const outer = this.#fields;
    this.#variable = text;
    this.#fields = embeddedTagFields;
    const condition = this.#deeper(() => this.#condition(this.#expression(), "the condition of any"));
    this.#fields = outer;
    this.#variable = undefined;
    this.#expect(")");
    return conditionOf({ kind: "any", condition });
  }

  #call(name: string): Typed {
    const signature = Object.hasOwn(filterFunctions, name)
      ? filterFunctions[name as FilterFunction]
      : undefined;
    if (!signature) throw unsupported(`${name}()`);
    this.#countPart();
    this.#expect("(");
    const operands = this.#deeper(() => {
      const all: Typed[] = [];
      do all.push(this.#expression());
      while (this.#accept(","));
      return all;
    });
    this.#expect(")");
    const isValid =
      operands.length === signature.operands.length &&
      operands.every(({ type }, index) => type === "null" || signature.operands[index]?.includes(type));
    if (!isValid) {
      const accepted = signature.operands.map((types) => types.map((type) => typeNames[type]).join(" or "));
      throw invalid(`${name}() takes ${accepted.join(" and ")}`);
    }
    const expression = {
      kind: "call",
      name: name as FilterFunction,
      operands: operands.map((operand) => operand.expression),
    } as const;
    return { type: signature.result, expression };
  }

  #condition({ type, expression }: Typed, what: string): FilterExpression {
    if (type === "condition" || type === "null") return expression;
    if (unsupportedWords.has(this.#next.text)) throw unsupported(this.#next.text);
    throw invalid(`${what} has to be a condition such as unique_opens gt 100, not ${typeNames[type]}`);
  }

  #deeper<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > filterLimits.depth)
      throw invalid(`it is nested deeper than ${filterLimits.depth} levels`);
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #countPart(): void {
    this.#parts += 1;
    if (this.#parts > filterLimits.parts) {
      throw invalid(`it has more than ${filterLimits.parts} comparisons, values and functions`);
    }
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #take(): Token {
    const token = this.#next;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  #accept(mark: string): boolean {
    const isNext = this.#next.kind === "mark" && this.#next.text === mark;
    if (isNext) this.#take();
    return isNext;
  }

  #expect(mark: string): void {
    if (!this.#accept(mark)) throw this.#unexpected(quote(mark));
  }

  /** The binary operator that is next, with white space on both sides. */
  #operator(): BinaryOperator | undefined {
    const { kind, text, isApart } = this.#next;
    const isOperator = kind === "word" && isApart && this.#tokens[this.#at + 1]?.isApart === true;
    return isOperator && Object.hasOwn(strengths, text) ? (text as BinaryOperator) : undefined;
  }

  #unexpected(expected: string, text = this.#next.text): AppError {
    if (unsupportedWords.has(text)) return unsupported(text);
    return invalid(`${text === "" ? "it ends" : `${quote(text)} is`} where ${expected} is expected`);
  }
}

function literal(type: ValueType, value: FilterValue): Typed {
  return { type, expression: { kind: "literal", value } };
}

const conditionOf = (expression: FilterExpression): Typed => ({ type: "condition", expression });

function unsupported(name: string): AppError {
  const functions = Object.keys(filterFunctions).join(", ");
  return new AppError(
    "not_implemented",
    `$filter: ${quote(name)} is not supported. Supported are ${operators.join(", ")}, in, and, or, not, tags/any, and the functions ${functions}.`,
  );
}

function checkComparable(operator: string, left: Typed, right: Typed): void {
  const types = [left.type, right.type].filter((type) => type !== "null");
  const isEquality = operator === "eq" || operator === "ne" || operator === "in";
  if (types.includes("tags")) throw unsupported(`tags ${operator}`);
  if (!isEquality && types.includes("condition")) throw invalid(`${operator} cannot compare conditions`);
  if (types.length === 2 && types[0] !== types[1]) {
    throw invalid(`${operator} cannot compare ${typeNames[left.type]} with ${typeNames[right.type]}`);
  }
}
