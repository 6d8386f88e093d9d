// Checks the PostgreSQL server when it is opened.

import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { DatabaseOptions } from "../queries/database.ts";
import type { Queries } from "../queries/queries.ts";

const minServerVersion = 15;

type ServerSettings = Record<"version" | "encoding" | "commit" | "fsync" | "recovering", string>;

/** @throws AppError `conflict` if the version, the encoding or a setting is unsafe, or the server is a replica */
export async function checkSettings(queries: Queries, url: string, options: DatabaseOptions): Promise<void> {
  const { rows } = await sql<ServerSettings>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      current_setting('synchronous_commit') as commit, current_setting('fsync') as fsync,
      case when pg_is_in_recovery() then 'yes' else 'no' end as recovering`.execute(queries);
  const problem = rows[0] && findProblem(rows[0], options);
  if (problem !== undefined)
    throw new AppError("conflict", `DATABASE_URL: ${describeServer(url)}: ${problem}`);
}

function findProblem(
  found: ServerSettings,
  { allowsUnsafeCommits = false }: DatabaseOptions,
): string | undefined {
  const version = Math.floor(Number(found.version) / 10_000);
  if (version < minServerVersion)
    return `version ${version} is too old; version ${minServerVersion} is required`;
  if (found.encoding !== "UTF8") {
    return `the encoding of the database is ${found.encoding}; create one with ENCODING 'UTF8'`;
  }
  if (found.recovering === "yes") return "this server is a read-only replica; use the primary";
  const off = found.commit === "off" ? "synchronous_commit" : found.fsync === "off" ? "fsync" : undefined;
  if (off === undefined || allowsUnsafeCommits) return undefined;
  return `${off} is off, so a crash may lose acknowledged changes; turn it on, or set UNSAFE_COMMITS=allow`;
}

/** Names the database without user and password. */
export function describeServer(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** An error that the operator can fix: a wrong password, a missing database, an untrusted certificate. */
export function toConnectionError(error: unknown, url: string): AppError {
  if (error instanceof AppError && error.cause === undefined) return error;
  const cause = error instanceof AppError ? error.cause : error;
  const { code } = cause as { code?: string };
  const [{ message }] = cause instanceof AggregateError ? cause.errors : [cause as Error];
  const shown = /password must be a string/.test(message)
    ? "the server asks for a password, and none was given; set PGPASSWORD or use ~/.pgpass"
    : message;
  const hasCode = code === undefined || shown.includes(code);
  return new AppError(
    "conflict",
    `DATABASE_URL: ${describeServer(url)}: ${shown}${hasCode ? "" : ` (${code})`}`,
  );
}
