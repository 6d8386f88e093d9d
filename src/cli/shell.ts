// What a command has around it: its streams, the environment, the clock, and the database that the settings name.

import { type Command, InvalidArgumentError } from "commander";
import { acceptedName, normalizeName } from "../campaign/names.ts";
import { databaseOptionsOf, readSettings, type SettingName, type Settings } from "../config.ts";
import { AppError } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { findOrganization, lockOrganization, type Organization } from "../storage/organizations.ts";
import type { Output } from "./output.ts";

export interface Shell {
  stdin: AsyncIterable<Uint8Array>;
  stdout: NodeJS.WritableStream;
  stderr: Output["stderr"];
  environment: Record<string, string | undefined>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves when the process is told to end. */
  untilStopped: () => Promise<void>;
}

/** Where a command speaks, as its options ask. */
export function outputOf(shell: Shell, command: Command): Output {
  return { json: command.optsWithGlobals().json === true, stdout: shell.stdout, stderr: shell.stderr };
}

export function settingsOf(shell: Shell, given: Partial<Record<SettingName, string>> = {}): Settings {
  return readSettings(given, shell.environment);
}

/**
 * Opens the database for one piece of work.
 *
 * @param mayBeNew whether to make one where there is none: whatever looks for something in it was told a wrong address
 * @throws Refusal `not_found`
 */
export async function withDatabase<Result>(
  shell: Shell,
  work: (database: Database) => Promise<Result>,
  { mayBeNew = false }: { mayBeNew?: boolean } = {},
): Promise<Result> {
  const settings = settingsOf(shell);
  const database = await openDatabase(settings.DATABASE_URL, {
    ...databaseOptionsOf(settings),
    hasNoTimeouts: true,
    mustExist: !mayBeNew,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws Refusal `not_found` */
export async function needOrganization(
  queries: Queries,
  id: number,
  find: typeof findOrganization = findOrganization,
): Promise<Organization> {
  const organization = await find(queries, id);
  if (organization) return organization;
  throw new AppError("not_found", `there is no organization ${id}; see "email-analytics organization list"`);
}

/** As {@link needOrganization}, in order to change something of it: nobody else does until the transaction ends. */
export function takeOrganization(queries: Queries, id: number): Promise<Organization> {
  return needOrganization(queries, id, lockOrganization);
}

export function parseId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id >= 1 && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError("An id is a whole number of at least 1.");
}

export function parseName(text: string): string {
  const name = normalizeName(text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`A name has ${acceptedName}.`);
}
