// Options that many commands have, and the parsers of their values.

import { InvalidArgumentError, Option } from "commander";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { acceptedName, normalizeName } from "../../campaign/fields/names.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";

/** Commands get the ID: `resolve-organization.ts` finds it. */
export const organizationOption = new Option(
  "--organization <ID|NAME>",
  "the organization; not needed while there is only one",
).argParser(parseIdOrName);

export const confirmOption = ["--yes", "confirm; this cannot be undone"] as const;

/** Makes a parser of plain digits. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };
}

/** Makes a parser of texts that meet a condition. */
export function accepting(isAccepted: (text: string) => unknown, problem: string): (text: string) => string {
  return (text) => {
    if (isAccepted(text)) return text;
    throw new InvalidArgumentError(problem);
  };
}

/** Parses a lifetime of up to ten years, in days. */
export const parseDays = wholeNumber(1, 3_650);

export const parseIdOption = wholeNumber(1, largestInteger);

/** IDs with commas between them. */
export const parseIds = (text: string): number[] => text.split(",").map(parseIdOption);

/** An ID, or a name as it is. A name of digits is an ID. */
export function parseIdOrName(text: string): number | string {
  return /^\d+$/.test(text) ? parseIdOption(text) : text;
}

/**
 * The one with an ID or a name.
 *
 * @param what names the kind, and its commands
 * @throws AppError `not_found` if there is none, `conflict` if several have the name
 */
export function findNamed<Named extends { id: number; name: string }>(
  all: readonly Named[],
  wanted: number | string,
  { what, organization }: { what: "tag" | "key" | "user"; organization: number },
): Named {
  const isWanted = ({ id, name }: Named) =>
    typeof wanted === "number" ? id === wanted : foldCase(name) === foldCase(wanted);
  const [found, ...others] = all.filter(isWanted);
  const text = typeof wanted === "number" ? String(wanted) : quote(wanted);
  const place = `organization ${organization} has`;
  if (!found) {
    throw new AppError("not_found", `${place} no ${what} ${text}; see "email-analytics ${what} list"`);
  }
  if (others.length === 0) return found;
  const ids = [found, ...others].map(({ id }) => id).join(", ");
  throw new AppError("conflict", `${place} several: ${what} ${ids} is called ${text}; choose one by its ID`);
}

export function parseName(text: string): string {
  const name = normalizeName(text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`A name has ${acceptedName}.`);
}
