// The command `restore`: makes a backup the database, and tells clients.

import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { startNewHistory } from "../../counting/campaigns/change-organization.ts";
import { AppError } from "../../errors.ts";
import { skipLostIds } from "../../storage/copy/last-ids.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import { listOrganizations, lockOrganization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { replaceFile } from "../../storage/sqlite/replace-file.ts";
import { copyDatabase } from "../shell/copy-database.ts";
import { confirmOption } from "../shell/options.ts";
import { printResult } from "../shell/output.ts";
import { writePart } from "../shell/part-file.ts";
import { type ProgressBar, progressBar } from "../shell/progress-bar.ts";
import { outputOf, recordCommand, type Shell, settingsOf, withDatabase, withUrl } from "../shell/shell.ts";
import { refuseInUse, verifyBackup } from "../shell/verify-backup.ts";

type RestoreOptions = Partial<Record<"replace" | "yes" | "already", true>>;

export function addTo(command: Command, shell: Shell): void {
  command
    .argument("[FILE]", "a backup; it is verified first")
    .option("--replace", "replace a SQLite database that exists")
    .option(...confirmOption)
    .option("--already", "only tell clients that another tool has restored the database; takes no FILE")
    .action(async (path: string | undefined, options: RestoreOptions, running: Command) => {
      if (!path === !options.already) running.error("error: pass either FILE or --already");
      if (options.replace && !options.yes) {
        running.error("error: this deletes all data of the present database; add --yes to confirm");
      }
      const output = outputOf(shell, running);
      const bar = progressBar(output);
      const organizations = await (path
        ? restore(shell, path, { ...options, bar })
        : withDatabase(shell, (database) => startHistories(shell, database, bar))
      ).finally(() => bar.clear());
      printResult(
        output,
        { organizations },
        `Restored ${pluralize(organizations, "organization")}. Clients that read changes start again.`,
        "Delete keys, users and sources again that were deleted since the backup, and forget recipients again that were forgotten since. Ask senders to resend events: only the missing ones count.",
      );
    });
}

async function restore(
  shell: Shell,
  path: string,
  { replace, bar }: { replace?: true; bar: ProgressBar },
): Promise<number> {
  if (!existsSync(path)) throw new AppError("not_found", `the file ${path} does not exist`);
  refuseInUse(path);
  const target = sqlitePath(settingsOf(shell).DATABASE_URL);
  if (target && !replace && existsSync(target)) {
    throw new AppError("conflict", `${target} exists; to replace all of its data, add --replace --yes`);
  }
  bar.show(0, "verifying");
  await verifyBackup(path, bar);
  const tell = (database: Database) => startHistories(shell, database, bar);
  const from = (file: string) => withUrl(shell, `sqlite:${file}`);
  if (!target) {
    await withDatabase(from(path), (source) =>
      withDatabase(shell, (empty) => copyDatabase(source, empty, bar), { mayCreate: true }),
    );
    rmSync(`${path}-turn`);
    return withDatabase(shell, tell);
  }
  return writePart(
    target,
    async (part) => {
      // Into the file that exists, because only this user may read it.
      await pipeline(createReadStream(path), createWriteStream(part));
      return withDatabase(from(part), tell);
    },
    replaceFile,
  );
}

/** Clients may know changes that were lost. @returns the number of organizations */
async function startHistories(shell: Shell, database: Database, bar: ProgressBar): Promise<number> {
  const organizations = await database.snapshot(listOrganizations);
  for (const [index, { id }] of organizations.entries()) {
    bar.show(index / organizations.length, `publishing organization ${id}`);
    await database.transactionOf(id, async (scope) => {
      const organization = await lockOrganization(scope);
      if (!organization) return;
      await startNewHistory(scope, shell.now());
      await recordCommand(scope, shell, "organization.restore", organization.name);
    });
  }
  await database.transaction(skipLostIds);
  return organizations.length;
}
