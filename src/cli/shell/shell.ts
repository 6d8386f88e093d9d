// What commands get from the process: streams, environment, clock, settings and the database.

import type { Command } from "commander";
import { type AuditAction, commandLine } from "../../access/audit-actions.ts";
import { databaseOptionsOf, readSettings, type SettingName, type Settings } from "../../config.ts";
import { orNotFound } from "../../errors.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import {
  findOrganization,
  lockOrganization,
  type Organization,
} from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { Output } from "./output.ts";

export interface Shell {
  stdin: AsyncIterable<Uint8Array>;
  stdout: NodeJS.WritableStream;
  stderr: Output["stderr"];
  environment: Record<string, string | undefined>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after this many milliseconds, and rejects when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves at the first SIGTERM or SIGINT. */
  untilStopped: () => Promise<void>;
}

/** Where and how a command prints, according to its options. */
export function outputOf(shell: Shell, command: Command): Output {
  return { json: command.optsWithGlobals().json === true, stdout: shell.stdout, stderr: shell.stderr };
}

export function settingsOf(
  shell: Shell,
  overrides: Partial<Record<SettingName, string | undefined>> = {},
): Settings {
  return readSettings(overrides, shell.environment);
}

/** The same shell, with another database. */
export function withUrl(shell: Shell, DATABASE_URL: string): Shell {
  return { ...shell, environment: { ...shell.environment, DATABASE_URL } };
}

/**
 * Opens the database, does the work and closes it.
 *
 * @param mayCreate whether to create a missing database. Only commands that start with an empty one do: for all others
 *   a missing database means that the URL is wrong.
 * @throws AppError `not_found` if there is no database at the URL
 */
export async function withDatabase<Result>(
  shell: Shell,
  work: (database: Database) => Promise<Result>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<Result> {
  const settings = settingsOf(shell);
  const database = await openDatabase(settings.DATABASE_URL, {
    ...databaseOptionsOf(settings),
    isCommand: true,
    mustExist: !mayCreate,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Reads data of one organization in a snapshot.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export function readOfOrganization<Result>(
  shell: Shell,
  id: number,
  read: (scope: Scope, organization: Organization) => Promise<Result>,
): Promise<Result> {
  return withDatabase(shell, (database) =>
    database.snapshotOf(id, async (scope) => read(scope, await requireOrganization(scope))),
  );
}

/** @throws AppError `not_found` if the organization does not exist */
export async function requireOrganization(
  scope: Scope,
  find: typeof findOrganization = findOrganization,
): Promise<Organization> {
  return orNotFound(
    await find(scope),
    `organization ${scope.organizationId} does not exist; see "email-analytics organization list"`,
  );
}

/** Returns the organization as {@link requireOrganization} does, and locks it until the transaction ends. */
export function requireOrganizationForUpdate(scope: Scope): Promise<Organization> {
  return requireOrganization(scope, lockOrganization);
}

/** Writes to the audit log, in the transaction of the change. @param target never a secret, and never a recipient */
export function recordCommand(
  scope: Scope,
  { now }: Pick<Shell, "now">,
  action: AuditAction,
  target: string,
): Promise<void> {
  return recordAction(scope, { at: now(), actor: commandLine, action, target });
}

/** Changes data of an organization. It gets a function that writes to the audit log, as {@link recordCommand}. */
export type OrganizationWrite<Result> = (
  scope: Scope,
  record: (action: AuditAction, target: string) => Promise<void>,
  organization: Organization,
) => Promise<Result>;

/**
 * Changes data of one organization in a transaction that locks it.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export function writeOfOrganization<Result>(
  shell: Shell,
  id: number,
  write: OrganizationWrite<Result>,
): Promise<Result> {
  return withDatabase(shell, (database) =>
    database.transactionOf(id, async (scope) => {
      const organization = await requireOrganizationForUpdate(scope);
      return write(scope, (action, target) => recordCommand(scope, shell, action, target), organization);
    }),
  );
}
