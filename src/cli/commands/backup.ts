// The command `backup`: copies the database into a file while the service runs.

import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { AppError } from "../../errors.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import { saveBackupTime } from "../../storage/organizations/leases.ts";
import { listOrganizations, lockOrganization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { backUpFile } from "../../storage/sqlite/back-up.ts";
import { copyDatabase } from "../shell/copy-database.ts";
import { printResult } from "../shell/output.ts";
import { writePart } from "../shell/part-file.ts";
import { type ProgressBar, progressBar } from "../shell/progress-bar.ts";
import { outputOf, recordCommand, type Shell, settingsOf, withDatabase, withUrl } from "../shell/shell.ts";
import { refuseInUse, verifyBackup } from "../shell/verify-backup.ts";

export function addTo(command: Command, shell: Shell): void {
  command
    .argument("[FILE]", "the file to create: a SQLite database, also when the service uses PostgreSQL")
    .option("--replace", "replace FILE if it exists, once the new backup is complete")
    .option("--already", "only save, for doctor, that another tool has made a backup; takes no FILE")
    .action(
      async (path: string | undefined, options: { replace?: true; already?: true }, running: Command) => {
        if (!path === !options.already) running.error("error: pass either FILE or --already");
        const output = outputOf(shell, running);
        const bar = progressBar(output);
        const recounted = await withDatabase(shell, async (database) => {
          const campaigns = path ? await backUp(shell, database, path, { ...options, bar }) : 0;
          await saveTime(shell, database, { isExport: path !== undefined });
          return campaigns;
        }).finally(() => bar.clear());
        const row = path ? { file: path, bytes: statSync(path).size, recounted } : { saved: true };
        const text = `Backed up to ${path}, and recounted ${pluralize(recounted, "campaign")} in it.`;
        printResult(output, row, path ? text : "Saved that a backup was made.");
      },
    );
}

/** @returns how many campaigns were recounted in the backup */
async function backUp(
  shell: Shell,
  database: Database,
  path: string,
  { replace, bar }: { replace?: true; bar: ProgressBar },
): Promise<number> {
  refuseInUse(path);
  if (!replace && existsSync(path)) {
    throw new AppError("conflict", `${path} exists already; choose another name, or add --replace`);
  }
  const source = sqlitePath(settingsOf(shell).DATABASE_URL);
  return writePart(path, async (part) => {
    if (source) {
      await backUpFile(source, part, (share) => bar.show(share, "copying"));
      return verifyBackup(part, bar);
    }
    // Compares every row, and recounts every campaign.
    const copy = (target: Database) => copyDatabase(database, target, bar);
    return (await withDatabase(withUrl(shell, `sqlite:${part}`), copy, { mayCreate: true })).recounted;
  });
}

/** A failure is only a warning: the backup is complete, while the disk may be full, or the user a reader of PostgreSQL. */
async function saveTime(
  shell: Shell,
  database: Database,
  { isExport }: { isExport: boolean },
): Promise<void> {
  try {
    await database.transaction((queries) => saveBackupTime(queries, shell.now()));
    for (const { id } of isExport ? await database.snapshot(listOrganizations) : []) {
      await database.transactionOf(id, async (scope) => {
        if (!(await lockOrganization(scope))) return;
        await recordCommand(scope, shell, "data.export", "backup");
      });
    }
  } catch (error) {
    const problem = (error as Error).message;
    shell.stderr.write(`warning: doctor or the audit log will not know of the backup: ${problem}\n`);
  }
}
