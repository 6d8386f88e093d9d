// Checks the PostgreSQL server when it is opened.

import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { DatabaseOptions, Queries } from "../database.ts";

const minServerVersion = 15;

/** @throws AppError `conflict` if the version, the encoding or a setting is unsafe, or the server is a replica */
export async function checkSettings(
  queries: Queries,
  { allowsUnsafeCommits = false }: DatabaseOptions,
): Promise<void> {
  const { rows } = await sql<Record<"version" | "encoding" | "commit" | "fsync" | "recovering", string>>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as commit, current_setting('fsync') as fsync,
      case when pg_is_in_recovery() then 'yes' else 'no' end as recovering`.execute(queries);
  const [found] = rows;
  if (!found) return;
  const version = Math.floor(Number(found.version) / 10_000);
  if (version < minServerVersion) {
    throw refuse(`version ${version} is too old; version ${minServerVersion} is required`);
  }
  if (found.encoding !== "UTF8") {
    throw refuse(`the encoding of the database is ${found.encoding}; create one with ENCODING 'UTF8'`);
  }
  if (found.recovering === "yes") {
    throw refuse("this server is a read-only replica; set DATABASE_URL to the primary");
  }
  for (const [name, value] of [
    ["synchronous_commit", found.commit],
    ["fsync", found.fsync],
  ]) {
    if (value === "off" && !allowsUnsafeCommits) {
      throw refuse(
        `${name} is off, so a crash may lose acknowledged changes; turn it on, or set UNSAFE_COMMITS=allow`,
      );
    }
  }
}

function refuse(message: string): AppError {
  return new AppError("conflict", `PostgreSQL: ${message}`);
}

/**
 * An error that the operator can fix: a wrong password, a missing database, an untrusted certificate.
 *
 * @param url of the server; the message leaves out user and password
 */
export function toConnectionError(error: unknown, url: string): AppError {
  if (error instanceof AppError && error.cause === undefined) return error;
  const cause = error instanceof AppError ? error.cause : error;
  const { code } = cause as { code?: string };
  const [{ message }] = cause instanceof AggregateError ? cause.errors : [cause as Error];
  const shown = /password must be a string/.test(message)
    ? "the server asks for a password, and none was given; set PGPASSWORD or use ~/.pgpass"
    : message;
  const hasCode = code === undefined || shown.includes(code);
  const { host, pathname } = new URL(url);
  return new AppError(
    "conflict",
    `DATABASE_URL: PostgreSQL at ${host}${pathname}: ${shown}${hasCode ? "" : ` (${code})`}`,
  );
}
