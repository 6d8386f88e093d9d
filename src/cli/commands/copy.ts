// The command `copy`: everything from one database into another, from a file to a server, say.

import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { AppError } from "../../errors.ts";
import { acceptedDatabaseUrls, isPostgresUrl, sqlitePath } from "../../storage/open-database.ts";
import { counted, printRows } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";
import { copyDatabase } from "./copy-database.ts";

export function addCopyCommand(command: Command, shell: Shell): void {
  command
    .description(
      "Copy everything into another database, SQLite or PostgreSQL, and check every row there; what comes in meanwhile is not copied",
    )
    .requiredOption(
      "--from <URL>",
      "the database that is copied; it is brought to this version, and nothing else of it changes",
    )
    .option("--to <URL>", "an empty database that it is copied into (default: DATABASE_URL)")
    .action(async ({ from, to }: { from: string; to?: string }, running: Command) => {
      const target = to ?? shell.environment.DATABASE_URL;
      if (target === undefined) {
        running.error("error: say where to copy to: --to, or DATABASE_URL");
      }
      if (hasPassword(from)) warn(shell, "--from");
      if (to !== undefined && hasPassword(to)) warn(shell, "--to");
      checkAddresses(from, target);
      const output = outputOf(shell, running);
      const started = performance.now();
      const { tables, recounted } = await withDatabase(on(shell, from), (source) =>
        withDatabase(on(shell, target), (empty) => copyDatabase(source, empty, progressBar(output)), {
          mayBeNew: true,
        }),
      );
      printRows(output, tables, "");
      if (output.json) return;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      output.stderr.write(
        `Copied ${counted(rows, "row")} to ${withoutUser(target)} in ${seconds} s. All are the same there, and the numbers of ${counted(recounted, "campaign")} were counted again.\n` +
          "Now set DATABASE_URL to the new address, and start the service. Events that it has taken since can be sent again: each is counted once.\n",
      );
    });
}

/** As a command sees it whose database is another. */
function on(shell: Shell, DATABASE_URL: string): Shell {
  return { ...shell, environment: { ...shell.environment, DATABASE_URL } };
}

/** Where an address leads, without user and password. */
function withoutUser(url: string): string {
  if (sqlitePath(url)) return url;
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** No address is printed: it may hold a password. */
function checkAddresses(from: string, to: string): void {
  for (const [option, url] of Object.entries({ "--from": from, "--to": to })) {
    if (!sqlitePath(url) && !isPostgresUrl(url)) {
      throw new AppError("bad_request", `${option}: not ${acceptedDatabaseUrls}`);
    }
  }
  if (placeOf(from) === placeOf(to)) {
    throw new AppError(
      "bad_request",
      "--from and --to name the same database; without --to it is that of DATABASE_URL",
    );
  }
  // Who opens it would refuse it as well, but cannot say which of the two addresses is meant.
  const path = sqlitePath(from);
  if (path && !existsSync(path)) throw new AppError("not_found", `--from: there is no file ${path}`);
}

/** The same text for all addresses of a database that can be told to be the same. */
function placeOf(url: string): string {
  const path = sqlitePath(url);
  if (path) return existsSync(path) ? realpathSync(path) : resolve(path);
  const { hostname, port, pathname, searchParams } = new URL(url);
  return [searchParams.get("host") ?? hostname.toLowerCase(), port || "5432", pathname].join(" ");
}

function hasPassword(url: string): boolean {
  if (!isPostgresUrl(url)) return false;
  const { password, searchParams } = new URL(url);
  return password !== "" || searchParams.has("password");
}

function warn({ stderr }: Shell, option: string): void {
  const other = option === "--to" ? ", or set DATABASE_URL and leave --to away" : "";
  stderr.write(
    `warning: the list of processes shows the password in ${option} to everybody on this machine; put it into PGPASSWORD or ~/.pgpass${other}\n`,
  );
}
