// Reads the arguments of a tool as models and their clients send them: many fill each optional argument, with null or an
// empty value for "not given", and write numbers and lists as text.

import { foldCase } from "../../campaign/fields/fold-case.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { isObject } from "../../campaign/fields/validate-fields.ts";
import { AppError } from "../../errors.ts";

/** The parts of the JSON Schemas of tools that decide how a value is read. */
interface ArgumentSchema {
  type?: string;
  enum?: readonly string[];
  items?: ArgumentSchema;
  properties?: Readonly<Record<string, ArgumentSchema>>;
}

/** Names that n8n, OpenCode and Cursor add to the arguments of each call. */
const addedByClients = [
  ...["toolCallId", "tool_call_id", "sessionId", "session_id", "_sessionID"],
  ...["chatInput", "action", "random_string"],
];

/**
 * Returns the arguments as the schema of the tool has them. What can mean one thing only is read as that; everything else
 * is left to the check of the schema.
 *
 * @param schema of the tool's input
 * @throws AppError `bad_request` if a name or a choice is unknown: a misspelled filter would widen the answer
 */
export function readArguments(schema: object, input: unknown): unknown {
  if (!isObject(input)) return input ?? {};
  const { properties = {} } = schema as ArgumentSchema;
  const names = Object.keys(properties);
  const read = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const argument = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const meant = argument ? readValue(name, argument, value) : isGiven(value) ? value : undefined;
    if (meant === undefined) return [];
    if (argument) return [[name, meant]];
    if (names.length === 0 || addedByClients.includes(name)) return [];
    throw new AppError("bad_request", `${quote(name)} is not an argument; use ${names.join(", ")}.`);
  });
  return Object.fromEntries(read);
}

const isGiven = (value: unknown) => value !== null && (typeof value !== "string" || value.trim() !== "");

/** Returns undefined for a value that means "not given". */
function readValue(name: string, schema: ArgumentSchema, value: unknown): unknown {
  if (!isGiven(value)) return undefined;
  if (schema.enum) return readChoice(name, schema.enum, value);
  if (schema.type === "array") return readList(name, schema.items ?? {}, value);
  if (schema.type === "string") return typeof value === "number" ? String(value) : value;
  if (typeof value !== "string") return value;
  const text = value.trim().toLowerCase();
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : value;
  return /^-?\d{1,15}(?:\.0*)?$/.test(text) ? Number(text) : value;
}

/** Accepts any letter case, and spaces or hyphens for underscores: `Open rate` is `open_rate`. */
function readChoice(name: string, choices: readonly string[], value: unknown): string {
  const fold = (text: string) => foldCase(text).replace(/[\s_-]+/g, "");
  const choice = choices.find((each) => fold(each) === fold(String(value)));
  if (choice !== undefined) return choice;
  throw new AppError("bad_request", `${name}: ${quote(value)} is not one of ${choices.join(", ")}.`);
}

function readList(name: string, items: ArgumentSchema, value: unknown): unknown[] | undefined {
  const read = listIn(items, value)
    .map((item) => readValue(name, items, item))
    .filter((item) => item !== undefined);
  return read.length > 0 ? read : undefined;
}

/** A text is a list as JSON, numbers with commas, or the only item. */
function listIn({ type }: ArgumentSchema, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  if (/^\s*\[/.test(value)) {
    try {
      return JSON.parse(value) as unknown[];
    } catch {
      // A tag may be called "[internal]".
      return [value];
    }
  }
  return type === "integer" ? value.split(",") : [value];
}
