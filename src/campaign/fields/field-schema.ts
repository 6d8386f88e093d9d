// JSON Schemas for the fields of an input, and builders for the common kinds.

/** The largest integer that JavaScript, and many JSON readers, represent exactly. */
export const largestInteger = Number.MAX_SAFE_INTEGER;

export const largestTextLength = 65_536;

/** The part of JSON Schema that this project uses. */
export interface FieldSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array";
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** Describes accepted values for error messages and docs, if the other keywords do not say it well. */
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

/** An object schema in which every property is required unless it is listed in `optional`. */
export function objectSchema<Name extends string>(
  properties: Readonly<Record<Name, FieldSchema>>,
  { optional = [], ...rest }: { optional?: readonly NoInfer<Name>[]; description?: string } = {},
): ObjectSchema<Name> {
  const names = Object.keys(properties) as Name[];
  return { type: "object", required: names.filter((name) => !optional.includes(name)), properties, ...rest };
}

export const textSchema = (description: string, example: string): FieldSchema => ({
  type: "string",
  description,
  maxLength: largestTextLength,
  examples: [example],
});

export const countSchema = (description: string, example: number): FieldSchema => ({
  type: "integer",
  description,
  minimum: 0,
  maximum: largestInteger,
  examples: [example],
});

export const enumSchema = (values: readonly string[], description: string): FieldSchema => ({
  type: "string",
  enum: values,
  description,
  examples: [values[0]],
});

/** Describes the values that a schema accepts, for error messages and docs. */
export function describeAccepted({
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
  return `text of ${length} characters, without NUL or unpaired surrogates`;
}
