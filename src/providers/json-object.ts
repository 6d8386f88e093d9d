// JSON documents of providers: parsing, and access to the properties of objects.

import { checkValueCount } from "../limits/bounded-json.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Real events of 10 MB contain fewer values. */
const maxValues = 1_000_000;

/**
 * @throws Error if the body is not JSON in UTF-8
 * @throws AppError `payload_too_large` if it contains more values than any provider sends
 */
export function parseJson(body: Uint8Array): unknown {
  checkValueCount(body, maxValues);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}

/** Undefined for a body that {@link parseJson} does not take. */
export function tryParseJson(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** The value if it is a JSON object, otherwise an empty object. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property: a campaign field named `constructor` must not find `Object.prototype.constructor`. */
export function ownProperty(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
