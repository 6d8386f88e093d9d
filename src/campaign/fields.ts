// The fields of an input, each held against its schema: what is wrong with it, and what is accepted, in words.

import { Compile } from "typebox/schema";

/** Above it, JavaScript and many tools no longer tell neighbouring whole numbers apart. */
export const largestInteger = Number.MAX_SAFE_INTEGER;

export const largestTextLength = 65_536;

/** An id in plain digits, from 1 on; undefined for any other text. */
export function parseId(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9]\d{0,15}$/.test(text) && id <= largestInteger ? id : undefined;
}

/** A field in JSON Schema, as far as it is used here. */
export interface FieldSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array";
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** What is accepted, in words, where the rest does not say it well. */
  readonly accepts?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: object;
}

export interface ObjectSchema<Name extends string = string> {
  readonly type: "object";
  readonly required: readonly Name[];
  readonly properties: Readonly<Record<Name, FieldSchema>>;
  readonly description?: string;
}

/** An object with these fields, all of which have to be there but for some. */
export function objectOf<Name extends string>(
  properties: Readonly<Record<Name, FieldSchema>>,
  { optional = [], ...rest }: { optional?: readonly NoInfer<Name>[]; description?: string } = {},
): ObjectSchema<Name> {
  const names = Object.keys(properties) as Name[];
  return { type: "object", required: names.filter((name) => !optional.includes(name)), properties, ...rest };
}

/** Schemas that many fields have. */
export const text = (description: string, example: string): FieldSchema => ({
  type: "string",
  description,
  maxLength: largestTextLength,
  examples: [example],
});
export const count = (description: string, example: number): FieldSchema => ({
  type: "integer",
  description,
  minimum: 0,
  maximum: largestInteger,
  examples: [example],
});
export const oneOf = (values: readonly string[], description: string): FieldSchema => ({
  type: "string",
  enum: values,
  description,
  examples: [values[0]],
});

/** What is wrong with one field: its input, and what is accepted. */
export interface FieldError {
  field: string;
  problem: string;
}

export function formatErrors(faults: readonly FieldError[]): string {
  return faults.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
}

export interface FieldCheck {
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** Whether a value is what the schema says, and text that comes back from a database as it was given. */
  passes(value: unknown): boolean;
}

/** The checks of an object's fields, in their order. */
export function fieldChecksOf({ properties, required }: ObjectSchema): FieldCheck[] {
  return Object.entries(properties).map(([name, schema]) => {
    const check = Compile(schema);
    return {
      name,
      schema,
      isRequired: required.includes(name),
      passes: (value: unknown) => check.Check(value) && isStorable(value),
    };
  });
}

/** Whether there is nothing wrong with an input, at once: where most are right, the faults are seldom looked for. */
export function fastCheckOf(object: ObjectSchema): (given: Record<string, unknown>) => boolean {
  const check = Compile(object);
  return (given) => {
    if (!check.Check(given)) return false;
    for (const name in object.properties) if (!isStorable(given[name])) return false;
    return true;
  };
}

/** What is wrong with the given fields. `null` is no value. */
export function validateFields(checks: readonly FieldCheck[], given: Record<string, unknown>): FieldError[] {
  const faults: FieldError[] = [];
  for (const { name, schema, isRequired, passes } of checks) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (isRequired) faults.push({ field: name, problem: `is missing; it must be ${accepted(schema)}` });
    } else if (!passes(value)) {
      faults.push({ field: name, problem: `${quote(value)} is not ${accepted(schema)}` });
    }
  }
  return faults;
}

/** What a schema accepts, in words; a schema may say it itself as `accepts`. */
export function accepted({
  accepts,
  type,
  minimum,
  maximum,
  minLength,
  maxLength,
  enum: values,
}: FieldSchema): string {
  if (accepts !== undefined) return accepts;
  if (values) return `one of ${values.join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  if (type === "number") return minimum === undefined ? "a finite number" : `a number of at least ${minimum}`;
  const length = minLength ? `${minLength} to ${maxLength}` : `at most ${maxLength}`;
  return `text of ${length} characters, without NUL and half characters`;
}

/** Databases keep no NUL, and UTF-8 has no half of a surrogate pair: such text would not come back as given. */
export function isStorable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each !== "string" || isStorable(each));
  return typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
}

/** An input in a message: as JSON, cut at 100 characters. */
export function quote(input: unknown): string {
  if (typeof input === "number") return String(input);
  if (typeof input === "string" && input.length > 100) return toJson(`${input.slice(0, 100)}…`);
  const text = toJson(input);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? String(input);
  } catch {
    // JSON may be nested deeper than can be written again.
    return Array.isArray(input) ? "[…]" : "{…}";
  }
}
