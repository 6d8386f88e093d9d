// Options that many commands have, and the parsers of their values.

import { InvalidArgumentError } from "commander";
import { largestInteger } from "../campaign/field-schema.ts";
import { acceptedName, normalizeName } from "../campaign/names.ts";

export const organizationOption = ["--organization <ID>", "ID of the organization", parseIdOption] as const;

export const confirmOption = ["--yes", "confirm; this cannot be undone"] as const;

const maxDays = 3_650;

/** Of a lifetime. */
export function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= maxDays) return days;
  throw new InvalidArgumentError(`A number of days is a whole number from 1 to ${maxDays}.`);
}

export function parseIdOption(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id >= 1 && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError(`An ID is a whole number from 1 to ${largestInteger}.`);
}

export function parseName(text: string): string {
  const name = normalizeName(text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`A name has ${acceptedName}.`);
}
