// The parameters of query strings, parsed strictly: a request that cannot mean what it says gets an error.

import { nextDay, startOfDay } from "../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../campaign/calendar/iso-timestamp.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";

/** Proxies and clients accept headers of a few kilobytes. */
const [maxIgnored, maxIgnoredLength] = [20, 40];

/** Parameters of other endpoints, which would mean something else here, and the reason for the message. */
interface RefusedParameters {
  names: readonly string[];
  reason: string;
}

/**
 * Collects the values of known parameters.
 *
 * @param queryString after the `?`, still encoded
 * @param onUnknown gets the name of each other parameter
 * @throws AppError `bad_request` if a known one is misspelled
 */
export function collectParameters<Name extends string>(
  queryString: string,
  names: readonly Name[],
  onUnknown: (key: string) => void,
): Map<Name, string[]> {
  const parameters = new Map<Name, string[]>();
  for (const [key, value] of new URLSearchParams(queryString)) {
    const name = nameOf(key, names);
    if (!name) {
      onUnknown(key);
      continue;
    }
    const isKnown = key === name || (name === "tag_ids" && /^tag_ids\[\d*\]$/.test(key));
    if (!isKnown) {
      throw new AppError("bad_request", `${quote(key)} is not a parameter; use ${name}${formsOf(name)}.`);
    }
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** @throws AppError `bad_request` with the reason if the key is a refused parameter in any spelling */
export function refuseOther(key: string, { names, reason }: RefusedParameters): void {
  const other = nameOf(key, names);
  if (other) throw new AppError("bad_request", `${other}: ${reason}`);
}

/**
 * Refuses every parameter but those of an endpoint: with a mistyped filter it would return everything.
 *
 * @throws AppError `bad_request`
 */
export function refuseAll(key: string, names: readonly string[], refused: RefusedParameters): never {
  refuseOther(key, refused);
  throw new AppError("bad_request", `${quote(key)} is not a parameter; use ${names.join(", ")}.`);
}

/** Tells a client which parameters had no effect. Names are percent-encoded. */
export function ignoredHeader(ignored: readonly string[]): Record<string, string> {
  const named = [...new Set(ignored)].filter((name) => name !== "").slice(0, maxIgnored);
  const value = named.map((name) => encodeURIComponent(name.toWellFormed().slice(0, maxIgnoredLength)));
  return value.length === 0 ? {} : { "ignored-parameters": value.join(", ") };
}

/** Returns the parameter that a key means, by its letters: without brackets, what follows a dot, and a plural. */
function nameOf<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  const known = names.find((name) => name === key);
  if (known) return known;
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]|s$/g, "");
  const bare = lettersOf(key.trim().replace(/[[.].*$/s, ""));
  return names.find((name) => lettersOf(name) === bare);
}

function formsOf(name: string): string {
  return name === "tag_ids" ? "=1,2 or tag_ids[]=1&tag_ids[]=2" : " in exactly this spelling";
}

/**
 * The value of a parameter; undefined if it is not given.
 *
 * @throws AppError `bad_request` if it is given more than once
 */
export function single<Name extends string>(
  parameters: ReadonlyMap<Name, string[]>,
  name: Name,
): string | undefined {
  const values = parameters.get(name) ?? [];
  if (values.length > 1) {
    const inputs = values.slice(0, 2).map(quote).join(" and ");
    throw new AppError(
      "bad_request",
      `${name} is given ${values.length} times (${inputs}); it takes one value.`,
    );
  }
  return values[0];
}

/**
 * A whole number from 1 on in plain digits; undefined if it is not given.
 *
 * @param isAccepted whether a number is accepted
 * @throws AppError `bad_request` with the accepted values
 */
export function parseCount(
  name: string,
  text: string | undefined,
  { isAccepted, accepted }: { isAccepted: (value: number) => boolean; accepted: string },
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && isAccepted(value)) return value;
  throw new AppError("bad_request", `${name}: ${quote(text)} is not a whole number ${accepted}.`);
}

/** A `per_page` of any size is clamped to the maximum. */
export function parsePerPage(text: string | undefined, maxPerPage: number): number | undefined {
  const accepted = `from 1 on in plain digits; at most ${maxPerPage} are returned`;
  const value = parseCount("per_page", text, { isAccepted: () => true, accepted });
  return value && Math.min(value, maxPerPage);
}

/**
 * The range of a timestamp in milliseconds since 1970: one millisecond, or a whole day in the time zone. `until` is
 * exclusive.
 *
 * @throws AppError `bad_request` if it is no ISO-8601 timestamp
 */
export function parseTime(name: string, text: string, timeZone: string): { from: number; until: number } {
  const timestamp = parseIsoTimestamp(restorePlus(text));
  if (!timestamp) {
    throw new AppError(
      "bad_request",
      `${name}: ${quote(text)} is not a valid ISO-8601 timestamp; use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss±hh:mm.`,
    );
  }
  if (timestamp.kind === "instant") return { from: timestamp.at, until: timestamp.at + 1 };
  return { from: startOfDay(timestamp.date, timeZone), until: startOfDay(nextDay(timestamp.date), timeZone) };
}

/** A `+` that is not encoded arrives as a space. Before an offset, it can mean nothing else. */
export function restorePlus(text: string): string {
  return text.replace(/ (?=\d{2}:\d{2}$)/, "+");
}
