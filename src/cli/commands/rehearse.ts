// The command `rehearse`: migrates a copy of the database with this version, and compares its answers with those of the
// running service. With a backup alone, it proves that the backup can be restored.

import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { AppError } from "../../errors.ts";
import { filePath, paths } from "../../paths.ts";
import { addApiKey } from "../../storage/keys/api-keys.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import { saveBackupTime } from "../../storage/organizations/leases.ts";
import { listOrganizations } from "../../storage/organizations/organizations.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { backUpFile } from "../../storage/sqlite/back-up.ts";
import { recountOpen } from "../shell/copy-database.ts";
import { printResult } from "../shell/output.ts";
import { type ProgressBar, progressBar } from "../shell/progress-bar.ts";
import { outputOf, type Shell, settingsOf, withDatabase, withUrl } from "../shell/shell.ts";
import { verifyBackup } from "../shell/verify-backup.ts";
import { readSecret } from "../source/source-secret.ts";

const { emails, changes } = paths.api;
const tables = ["emails", "email_tags", "email_links", "email_hours", "email_groups"];
/** An XLSX file has the time at which it was made. */
const files = (["csv", "ndjson", "parquet"] as const).flatMap((format) =>
  (["emails", "email_groups"] as const).map((table) => filePath(table, format)),
);

interface RehearseOptions {
  key?: string;
  url?: string;
}

export function addTo(command: Command, shell: Shell): void {
  command
    .argument(
      "[BACKUP]",
      "a backup to copy instead of the database; without --key, proves that it can be restored",
    )
    .option("--key <->", "- reads a key with the scope read from standard input")
    .option("--url <URL>", "the running service (default: PUBLIC_URL, or HOST and PORT)")
    .action(async (backup: string | undefined, options: RehearseOptions, running: Command) => {
      if (options.key !== undefined && options.key !== "-") {
        running.error("error: --key: the process list would show the key; use --key - and standard input");
      }
      if (!backup && !options.key) {
        running.error("error: pass --key - to compare with the running service, or a BACKUP to prove");
      }
      const settings = settingsOf(shell);
      const place = sqlitePath(settings.DATABASE_URL);
      const source = backup ?? place;
      if (!source)
        throw new AppError("bad_request", "DATABASE_URL is PostgreSQL; pass a backup, which is SQLite");
      const output = outputOf(shell, running);
      const bar = progressBar(output);
      // The name is always the same: the next run deletes what a killed process left.
      const folder = join(dirname(source), ".email-analytics-rehearsal");
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      try {
        const { isSameVersion, ...row } = await rehearse(shell, { ...options, source, folder, bar });
        const text = `Migrated a copy in ${row.seconds} s, and recounted ${pluralize(row.recounted, "campaign")}. Asked ${pluralize(row.asked, "question")}; ${row.different.length} differ.`;
        printResult(output, row, [text, ...row.different].join("\n"));
        if (row.different.length > 0) throw new AppError("conflict", "the answers differ");
        // A newer version would migrate the database of the running service. A machine for backups has none.
        if (backup && isSameVersion && (!place || existsSync(place))) {
          const save = (queries: Queries) => saveBackupTime(queries, shell.now(), "restore_test");
          await withDatabase(shell, (database) => database.transaction(save));
        }
      } finally {
        bar.clear();
        await rm(folder, { recursive: true, force: true });
      }
    });
}

async function rehearse(
  shell: Shell,
  {
    key: hasKey,
    url,
    source,
    folder,
    bar,
  }: RehearseOptions & { source: string; folder: string; bar: ProgressBar },
) {
  const settings = settingsOf(shell);
  const given = hasKey && ((await readSecret(shell, hasKey)) ?? "");
  const old = url ?? (settings.PUBLIC_URL || `http://${settings.HOST}:${settings.PORT}`);
  const copy = join(folder, "copy.db");
  await backUpFile(source, copy, (share) => bar.show(share, "copying"));
  await verifyBackup(copy, bar);
  const startedAt = performance.now();
  const keys: string[] = [];
  const tested = await withDatabase(withUrl(shell, `sqlite:${copy}`), async (database) => {
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const recounted = await database.snapshot((queries) => recountOpen(queries, bar));
    for (const { id } of await database.snapshot(listOrganizations)) {
      const key = { name: "rehearse", region: settings.REGION, now: shell.now() };
      if (!hasKey) keys.push((await database.transactionOf(id, (scope) => addApiKey(scope, key))).text);
    }
    return { seconds, recounted, isSameVersion: database.migrated.length === 0 };
  });
  const { startServer } = await import("../../http/server/start.ts");
  // Without the components that write, it sends no mail and does no upkeep.
  const server = await startServer(
    {
      ...settings,
      DATABASE_URL: `sqlite:${copy}`,
      PUBLIC_URL: settings.PUBLIC_URL || old,
      HOST: "127.0.0.1",
      PORT: 0,
      LOG_LEVEL: "silent",
      MONITORING: null,
    },
    ["api"],
  );
  try {
    const results =
      given === undefined
        ? await Promise.all(keys.map((key) => compare(undefined, server.url, key)))
        : [await compare(old, server.url, given)];
    const asked = results.reduce((sum, each) => sum + each.asked, 0);
    return { asked, different: results.flatMap((each) => each.different), ...tested };
  } finally {
    await server.stop();
  }
}

/**
 * Asks for every page of records and every table of both.
 *
 * @param old without it, only fresh answers are checked
 * @returns the paths whose answers differ, or fail
 */
async function compare(old: string | undefined, fresh: string, key: string) {
  const ask = async (base: string, path: string) => {
    try {
      const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
      return `${response.status} ${await response.text()}`;
    } catch (error) {
      const { cause, message } = error as Error;
      return `no answer: ${(cause as Error | undefined)?.message ?? message}`;
    }
  };
  const first = await ask(old ?? fresh, `${emails}?per_page=1`);
  if (!first.startsWith('200 {"emails":'))
    throw new AppError("bad_request", `${old ?? fresh}${emails}: ${first.slice(0, 200)}`);
  const pages = Math.ceil(JSON.parse(first.slice(4)).meta.total_entries / 100);
  const questions = [
    ...Array.from({ length: pages }, (_, index) => `${emails}?per_page=100&page=${index + 1}`),
    ...[...files, changes],
    ...tables.map((table) => `${paths.odata.root}/${table}`),
  ];
  const different: string[] = [];
  for (const path of questions) {
    const [before, after] = await Promise.all([old && ask(old, path), ask(fresh, path)]);
    if (!after.startsWith("200 ") || (old && before !== after)) different.push(path);
  }
  return { asked: questions.length, different };
}
