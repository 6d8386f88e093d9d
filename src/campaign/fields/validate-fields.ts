// Validates the fields of an input against their schemas and reports every field that is wrong.

import { Compile } from "typebox/schema";
import { describeAccepted, type FieldSchema, type ObjectSchema } from "./field-schema.ts";
import { quote } from "./quote.ts";

/** A field that is wrong; the problem quotes its value and the accepted values. */
export interface FieldError {
  field: string;
  problem: string;
}

/** One error for each field that is missing or wrong. `null` counts as missing. */
export function validateFields(checks: readonly FieldCheck[], fields: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  for (const { name, schema, isRequired, passes } of checks) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || value === null) {
      if (isRequired) {
        errors.push({ field: name, problem: `is missing; it must be ${describeAccepted(schema)}` });
      }
    } else if (!passes(value)) {
      errors.push({ field: name, problem: `${quote(value)} is not ${describeAccepted(schema)}` });
    }
  }
  return errors;
}

/**
 * Returns a function that checks an object, which may have the fields of the schema and no others.
 *
 * The function takes the path of the object in the body, such as `surveys[0]`, and returns no fields if it is no object.
 */
export function compileObjectCheck(
  schema: ObjectSchema,
): (input: unknown, path?: string) => { fields?: Record<string, unknown>; errors: FieldError[] } {
  const checks = compileFieldChecks(schema);
  const names = Object.keys(schema.properties);
  return (input, path = "") => {
    if (!isObject(input)) {
      const problem = `${quote(input)} is not an object with ${names.join(", ")}`;
      return { errors: [{ field: path || "body", problem }] };
    }
    const unknown = Object.keys(input).filter((name) => !names.includes(name));
    const problem = `is unknown; the fields are ${names.join(", ")}`;
    const errors = [
      ...validateFields(checks, input),
      ...unknown.map((name) => ({ field: quote(name).slice(1, -1), problem })),
    ];
    return {
      fields: input,
      errors: errors.map((error) => ({ ...error, field: `${path && `${path}.`}${error.field}` })),
    };
  };
}

export function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

export function formatErrors(errors: readonly FieldError[]): string {
  return errors.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
}

export interface FieldCheck {
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  /** Whether the value matches the schema and {@link isStorable}. */
  passes(value: unknown): boolean;
}

/** One compiled check per field, in the order of the schema. */
export function compileFieldChecks({ properties, required }: ObjectSchema): FieldCheck[] {
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

/** A check of the whole object, for hot paths: most inputs are valid, so per-field errors are rarely needed. */
export function compileFastCheck(object: ObjectSchema): (fields: Record<string, unknown>) => boolean {
  const check = Compile(object);
  return (fields) => {
    if (!check.Check(fields)) return false;
    for (const name in object.properties) if (!isStorable(fields[name])) return false;
    return true;
  };
}

/** Whether text survives a round trip: PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate. */
export function isStorable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each !== "string" || isStorable(each));
  return typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
}
