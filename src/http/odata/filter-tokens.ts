// Splits a $filter into tokens (OData ABNF Construction Rules 4.0).

import { parseIsoTimestamp } from "../../campaign/calendar/iso-timestamp.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";

export interface Token {
  kind: "string" | "number" | "instant" | "date" | "word" | "mark" | "end";
  /** The text as it was written. */
  text: string;
  /** Instants and dates are in milliseconds since 1970. */
  value: string | number;
  /** Whether white space is before it. */
  isApart: boolean;
}

// The + of an offset that is not encoded arrives as a space. The letters are of any case (ABNF, RFC 5234, 2.3).
const instant = /\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:[Zz]|[+\- ]\d{2}:\d{2})?/;
const kinds = [
  ["instant", instant],
  ["date", /\d{4}-\d{2}-\d{2}(?![\d-])/],
  ["number", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?INF\b|NaN\b/],
  ["string", /'(?:[^']|'')*'/],
  ["word", /[A-Za-z_$@][\w.]*/],
  ["mark", /[(),/:]/],
] as const;
const pattern = new RegExp(kinds.map(([kind, { source }]) => `(?<${kind}>${source})`).join("|"), "y");

/** @throws AppError `bad_request` at text that begins no token */
export function splitFilter(filter: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    const start = at;
    while (filter[at] === " " || filter[at] === "\t") at += 1;
    const isApart = at > start;
    if (at === filter.length) return [...tokens, { kind: "end", text: "", value: "", isApart }];
    pattern.lastIndex = at;
    const match = pattern.exec(filter);
    if (!match)
      throw invalid(`${quote(filter.slice(at))} begins no name, value or operator${hintAt(filter, at)}`);
    const [text] = match;
    const kind = kinds.find(([name]) => match.groups?.[name] !== undefined)?.[0] ?? "mark";
    tokens.push({ kind, text, value: readValue(kind, text), isApart });
    at += text.length;
  }
}

export function invalid(problem: string): AppError {
  return new AppError("bad_request", `$filter: ${problem}.`);
}

function hintAt(filter: string, at: number): string {
  return filter[at] === "'" ? "; end the text with ', and write a ' inside as ''" : "";
}

function readValue(kind: Token["kind"], text: string): string | number {
  if (kind === "string") return text.slice(1, -1).replaceAll("''", "'");
  if (kind === "number") return Number(text.replace("INF", "Infinity"));
  if (kind === "instant") return instantOf(text.toUpperCase());
  if (kind === "date") return Date.parse(dateOf(text));
  return text;
}

function dateOf(text: string): string {
  if (parseIsoTimestamp(text)?.kind === "date") return text;
  throw invalid(`${quote(text)} is no date of the calendar`);
}

/** Half a millisecond is added for every fraction of one: no instant of a campaign is between two milliseconds. */
function instantOf(text: string): number {
  const offset = /(?:Z|[+\- ]\d{2}:\d{2})$/.exec(text.slice("2024-01-01".length))?.[0];
  if (offset === undefined)
    throw invalid(`${quote(text)} has no offset; end it with Z or with one such as +01:00`);
  const wall = text.slice(0, text.length - offset.length);
  const full = wall.length === "2024-01-01T00:00".length ? `${wall}:00` : wall;
  const timestamp = parseIsoTimestamp(full + offset.replace(" ", "+"));
  if (timestamp?.kind !== "instant") throw invalid(`${quote(text)} is no instant of the calendar`);
  return timestamp.at + (/\.\d{3}\d*[1-9]/.test(wall) ? 0.5 : 0);
}
