// Options that many commands have, and the parsers of their values.

import { InvalidArgumentError } from "commander";
import { largestInteger } from "../campaign/field-schema.ts";
import { acceptedName, normalizeName } from "../campaign/names.ts";

export const organizationOption = ["--organization <ID>", "ID of the organization", parseIdOption] as const;

export const confirmOption = ["--yes", "confirm; this cannot be undone"] as const;

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

/** The message that a name is taken. @param what the kind of `same` */
export function nameTaken(what: string, { id, name }: { id: number; name: string }): string {
  return `${what} ${id} already has the name ${JSON.stringify(name)}; choose one that differs in more than letter case`;
}
