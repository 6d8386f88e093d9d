// The command `copy`: copies a database into another, for example from SQLite to PostgreSQL.

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { AppError } from "../../errors.ts";
import { acceptedDatabaseUrls, isPostgresUrl, sqlitePath } from "../../storage/open-database.ts";
import type { Database } from "../../storage/queries/database.ts";
import { type CopyResult, copyDatabase } from "../shell/copy-database.ts";
import { type Output, printRows } from "../shell/output.ts";
import { progressBar } from "../shell/progress-bar.ts";
import { outputOf, type Shell, settingsOf, withDatabase, withUrl } from "../shell/shell.ts";

export function addTo(command: Command, shell: Shell): void {
  command
    .requiredOption("--from <URL>", "the database to copy; it is migrated first, and not changed otherwise")
    .option("--to <URL>", "the empty database to copy into (default: DATABASE_URL)")
    .action(async ({ from, to }: { from: string; to?: string }, running: Command) => {
      const { DATABASE_URL, DATABASE_URL_FILE } = shell.environment;
      const isSet = DATABASE_URL !== undefined || DATABASE_URL_FILE !== undefined;
      const target = to ?? (isSet ? settingsOf(shell).DATABASE_URL : undefined);
      if (target === undefined) running.error("error: no target database; pass --to or set DATABASE_URL");
      if (hasPassword(from)) warnOfPassword(shell, "--from");
      if (to !== undefined && hasPassword(to)) warnOfPassword(shell, "--to");
      checkUrls(from, target);
      const output = outputOf(shell, running);
      const startedAt = performance.now();
      const copied = await withSource(shell, from, (source) =>
        withDatabase(withUrl(shell, target), (empty) => copyDatabase(source, empty, progressBar(output)), {
          mayCreate: true,
        }),
      );
      printCopied(output, copied, target, performance.now() - startedAt);
    });
}

/** @throws AppError `not_found` that names the option, because other commands have the database in DATABASE_URL */
async function withSource<Result>(
  shell: Shell,
  from: string,
  work: (source: Database) => Promise<Result>,
): Promise<Result> {
  let isOpen = false;
  try {
    return await withDatabase(withUrl(shell, from), (source) => {
      isOpen = true;
      return work(source);
    });
  } catch (error) {
    if (isOpen || !(error instanceof AppError) || error.code !== "not_found") throw error;
    throw new AppError("not_found", "--from: there is no email-analytics database at this URL", error);
  }
}

function printCopied(output: Output, { tables, recounted }: CopyResult, target: string, ms: number): void {
  printRows(output, tables, "");
  if (output.json) return;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  output.stderr.write(
    `Copied ${pluralize(rows, "row")} to ${withoutCredentials(target)} in ${(ms / 1000).toFixed(1)} s. Every row was compared, and ${pluralize(recounted, "campaign")} recounted.\n` +
      "Now set DATABASE_URL to the new database and start the service. Events that arrived during the copy can be sent again: each is counted once.\n",
  );
}

function withoutCredentials(url: string): string {
  if (sqlitePath(url)) return url;
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/**
 * The messages never contain the URLs, because these may contain a password.
 *
 * @throws AppError `bad_request` or `not_found` if the URLs cannot be copied from and to
 */
function checkUrls(from: string, to: string): void {
  for (const [option, url] of Object.entries({ "--from": from, "--to": to })) {
    if (!sqlitePath(url) && !isPostgresUrl(url)) {
      throw new AppError("bad_request", `${option}: not ${acceptedDatabaseUrls}`);
    }
  }
  if (from === to) {
    throw new AppError(
      "bad_request",
      "--from and --to are the same database; without --to, DATABASE_URL is the target",
    );
  }
  // Opening the file would fail as well, but its message could not name the option.
  const path = sqlitePath(from);
  if (path && !existsSync(path)) throw new AppError("not_found", `--from: the file ${path} does not exist`);
}

function hasPassword(url: string): boolean {
  if (!isPostgresUrl(url)) return false;
  const { password, searchParams } = new URL(url);
  return password !== "" || searchParams.has("password");
}

function warnOfPassword({ stderr }: Shell, option: string): void {
  const alternative = option === "--to" ? ", or set DATABASE_URL instead of --to" : "";
  stderr.write(
    `warning: the process list shows the password in ${option} to all users of this computer; use PGPASSWORD or ~/.pgpass${alternative}\n`,
  );
}
