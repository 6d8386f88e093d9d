// The files that a tap is started with: configuration, state and catalog, each a JSON object.

import { readFileSync } from "node:fs";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import { baseUrlOf } from "../base-url.ts";
import { loopbackHost } from "../pull/public-address.ts";
import { type CatalogEntry, streamName } from "./singer-schema.ts";

export interface TapConfig {
  /** The base URL of the service. */
  url: URL;
  apiKey: string;
  /** Campaigns between two states; the default of the service if undefined. */
  perPage: number | undefined;
}

/**
 * Reads `{"url": "https://…", "api_key": "…"}`, and optionally `allow_http` and `per_page`. Other properties are ignored, because tools add their own.
 *
 * @throws AppError `bad_request` that names the property, but never contains the key
 */
export function readConfig(path: string): TapConfig {
  const {
    url: text,
    api_key: apiKey,
    allow_http: allowsHttp,
    per_page: perPage,
  } = readObject("--config", path);
  if (typeof text !== "string" || !URL.canParse(text) || /[?#]/.test(text)) {
    throw new AppError(
      "bad_request",
      `--config: url is ${quote(text)}; it is the base URL of the service, such as https://analytics.example.com`,
    );
  }
  const url = new URL(text);
  const isSafe = url.protocol === "https:" || loopbackHost.test(url.hostname) || allowsHttp === true;
  if (!isSafe || !/^https?:$/.test(url.protocol)) {
    throw new AppError(
      "bad_request",
      `--config: url is ${quote(text)}; use https, or add "allow_http": true for a network that you trust`,
    );
  }
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new AppError("bad_request", "--config: api_key is no API key; create one with the scope read");
  }
  if (perPage !== undefined && !(Number.isSafeInteger(perPage) && Number(perPage) >= 1)) {
    throw new AppError(
      "bad_request",
      `--config: per_page is ${quote(perPage)}, not a whole number from 1 on`,
    );
  }
  return { url: baseUrlOf(url), apiKey, perPage: perPage as number | undefined };
}

/**
 * The cursor in a state that the tap has printed, with or without its message; undefined in an empty state.
 *
 * @throws AppError `bad_request` if the file is no state, instead of printing everything again
 */
export function readCursor(path: string): string | undefined {
  const given = readObject("--state", path);
  const state = given.type === "STATE" ? toObject(given.value) : given;
  if (state && Object.keys(state).length === 0) return undefined;
  const bookmarks = toObject(state?.bookmarks);
  if (!bookmarks) {
    const advice = "use the last STATE message of the tap, or run without --state to print everything";
    throw new AppError("bad_request", `--state: ${path} has no bookmarks; ${advice}`);
  }
  if (bookmarks[streamName] === undefined) return undefined;
  const cursor = toObject(bookmarks[streamName])?.cursor;
  if (typeof cursor === "string") return cursor;
  throw new AppError(
    "bad_request",
    `--state: bookmarks.${streamName}.cursor is ${quote(cursor)}, not a text`,
  );
}

/** @throws AppError `bad_request` if the file is no catalog */
export function readCatalogEntry(path: string): CatalogEntry | undefined {
  const { streams } = readObject("--catalog", path) as { streams?: CatalogEntry[] };
  if (!Array.isArray(streams)) {
    throw new AppError("bad_request", "--catalog: streams is missing; use the output of --discover");
  }
  const entry = streams.find(({ tap_stream_id }) => tap_stream_id === streamName);
  return entry && { ...entry, metadata: entry.metadata ?? [] };
}

function readObject(option: string, path: string): Record<string, unknown> {
  const text = readFileSync(path, "utf8");
  try {
    const value = toObject(JSON.parse(text));
    if (value) return value;
  } catch (error) {
    // The message of the parser may quote the key.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError("bad_request", `${option}: ${path} is no JSON object`);
}

/** Undefined if the value is no JSON object. */
export function toObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value } : undefined;
}
