// What a command has around it: its streams, the environment, the clock, and the database that the settings name.

import { type Command, InvalidArgumentError } from "commander";
import { readSettings, type SettingName, type Settings } from "../config.ts";
import { Refusal } from "../errors.ts";
import { type Database, openDatabase, type Queries } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
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

/** Opens the database for one piece of work. */
export async function withDatabase<Result>(
  shell: Shell,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settingsOf(shell).DATABASE_URL);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws Refusal `not_found` */
export async function needOrganization(queries: Queries, id: number): Promise<Organization> {
  const organization = await findOrganization(queries, id);
  if (organization) return organization;
  throw new Refusal("not_found", `there is no organization ${id}; see "email-analytics organization list"`);
}

export function parseId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id >= 1 && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError("An id is a whole number of at least 1.");
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError("A name has 1 to 200 characters, all in one line.");
}
