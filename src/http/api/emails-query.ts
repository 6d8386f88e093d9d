// Parses the query string of the emails endpoint (specification 4.1).

import { nextDay, startOfDay } from "../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../campaign/calendar/iso-timestamp.ts";
import { largestInteger } from "../../campaign/field-schema.ts";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import {
  type CampaignsQuery,
  maxPerPage,
  pageDefault,
  perPageDefault,
} from "../../listing/campaigns-query.ts";
import { parseTagIds } from "../../listing/parse-tag-ids.ts";

const names = ["page", "per_page", "sent_after", "sent_before", "tag_ids"] as const;
type ParameterName = (typeof names)[number];

export interface EmailsQuery extends CampaignsQuery {
  /** The known parameters in a fixed order, without `page` and `per_page`: for links to other pages and the cache key. */
  filters: [string, string][];
}

/**
 * Parses the query. A `per_page` above the maximum is clamped.
 *
 * @param queryString after the `?`, still encoded
 * @param timeZone of the organization: a date without a time means a whole day there
 * @throws AppError `bad_request` that names the parameter, its value and the accepted format
 */
export function parseEmailsQuery(queryString: string, timeZone: string): EmailsQuery {
  const parameters = collectParameters(queryString);
  const query: EmailsQuery = {
    page: parseCount("page", single(parameters, "page")) ?? pageDefault,
    perPage: Math.min(parseCount("per_page", single(parameters, "per_page")) ?? perPageDefault, maxPerPage),
    filters: [],
  };
  const sentAfter = single(parameters, "sent_after");
  if (sentAfter !== undefined) {
    query.sentFrom = parseTime("sent_after", sentAfter, timeZone).from;
    query.filters.push(["sent_after", restorePlus(sentAfter)]);
  }
  const sentBefore = single(parameters, "sent_before");
  if (sentBefore !== undefined) {
    query.sentUntil = parseTime("sent_before", sentBefore, timeZone).until;
    query.filters.push(["sent_before", restorePlus(sentBefore)]);
  }
  const tagIds = parseTagIds(parameters.get("tag_ids") ?? []);
  if (tagIds) {
    query.tagIds = tagIds;
    // If no id is known, nothing may match: no tag has the id 0.
    query.filters.push(["tag_ids", query.tagIds.join(",") || "0"]);
  }
  return query;
}

/** Collects the values of known parameters. Unknown ones are ignored; a misspelled known one is an error. */
function collectParameters(queryString: string): Map<ParameterName, string[]> {
  const parameters = new Map<ParameterName, string[]>();
  for (const [key, value] of pairsOf(queryString)) {
    const name = nameOf(key);
    if (!name) continue;
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

/** Hot path: splits a query without encoded characters by hand, in a fifth of the time of URLSearchParams. */
function pairsOf(queryString: string): Iterable<[string, string]> {
  if (/[%+]/.test(queryString)) return new URLSearchParams(queryString);
  return queryString
    .replace(/^\?/, "")
    .split("&")
    .map((pair): [string, string] => {
      const end = pair.indexOf("=");
      return end < 0 ? [pair, ""] : [pair.slice(0, end), pair.slice(end + 1)];
    });
}

/** Returns the parameter that a key means, ignoring case and brackets. */
function nameOf(key: string): ParameterName | undefined {
  const known = names.find((name) => name === key);
  if (known) return known;
  const bare = key.replace(/\[.*$/s, "").toLowerCase();
  return names.find((name) => name === bare);
}

function formsOf(name: ParameterName): string {
  return name === "tag_ids" ? "=1,2 or tag_ids[]=1&tag_ids[]=2" : " without brackets, in lower case";
}

function single(parameters: Map<ParameterName, string[]>, name: ParameterName): string | undefined {
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

function parseCount(name: "page" | "per_page", text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  // A per_page of any size is clamped; a page that is not exact could not be shown in meta.
  if (value >= 1 && (name === "per_page" || value <= largestInteger)) return value;
  const accepted =
    name === "page"
      ? `from 1 to ${largestInteger} in plain digits, such as page=2`
      : `from 1 on in plain digits; at most ${maxPerPage} are returned`;
  throw new AppError("bad_request", `${name}: ${quote(text)} is not a whole number ${accepted}.`);
}

/** Returns the range of a timestamp: one millisecond, or a whole day. `until` is exclusive. */
function parseTime(name: "sent_after" | "sent_before", text: string, timeZone: string) {
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
function restorePlus(text: string): string {
  return text.replace(/ (?=\d{2}:\d{2}$)/, "+");
}
