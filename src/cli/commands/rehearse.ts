// The command `rehearse`: migrates a copy of the database with this version, and compares its answers with those of the
// running service.

import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { AppError } from "../../errors.ts";
import { paths } from "../../paths.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import { backUpFile } from "../../storage/sqlite/back-up.ts";
import { printResult } from "../shell/output.ts";
import { outputOf, type Shell, settingsOf } from "../shell/shell.ts";
import { readSecret } from "../source/source-secret.ts";

const { emails, changes } = paths.api;
const tables = ["emails", "email_tags", "email_links", "email_hours", "email_groups"];

export function addRehearseCommand(command: Command, shell: Shell): void {
  command
    .argument("[BACKUP]", "a backup to copy instead of the database")
    .requiredOption("--key <->", "- reads a key with the scope read from standard input")
    .option("--url <URL>", "the running service (default: PUBLIC_URL, or HOST and PORT)")
    .action(async (backup: string | undefined, options: { key: string; url?: string }, running: Command) => {
      if (options.key !== "-") {
        running.error("error: --key: the process list would show the key; use --key - and standard input");
      }
      const key = (await readSecret(shell, options.key)) ?? "";
      const settings = settingsOf(shell);
      const source = backup ?? sqlitePath(settings.DATABASE_URL);
      if (!source)
        throw new AppError("bad_request", "DATABASE_URL is PostgreSQL; pass a backup, which is SQLite");
      const old = options.url ?? (settings.PUBLIC_URL || `http://${settings.HOST}:${settings.PORT}`);
      const folder = await mkdtemp(join(dirname(source), "rehearsal-"));
      try {
        const copy = join(folder, "copy.db");
        await backUpFile(source, copy, () => undefined);
        const startedAt = performance.now();
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
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        try {
          const row = { ...(await compare(old, server.url, key)), seconds };
          const text = `Migrated a copy in ${seconds} s. Asked ${pluralize(row.asked, "question")}; ${row.different.length} differ.`;
          printResult(outputOf(shell, running), row, [text, ...row.different].join("\n"));
          if (row.different.length > 0)
            throw new AppError("conflict", "the answers of the two versions differ");
        } finally {
          await server.stop();
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

/** Asks for every page of records and every table of both. @returns the paths whose answers differ */
async function compare(old: string, fresh: string, key: string) {
  const ask = async (base: string, path: string) => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } }).catch(
      ({ cause }: Error) => {
        throw new AppError("unavailable", `${base} does not answer: ${(cause as Error).message}`);
      },
    );
    return `${response.status} ${await response.text()}`;
  };
  const first = await ask(old, `${emails}?per_page=1`);
  if (!first.startsWith('200 {"emails":'))
    throw new AppError("bad_request", `${old}${emails}: ${first.slice(0, 200)}`);
  const pages = Math.ceil(JSON.parse(first.slice(4)).meta.total_entries / 100);
  const questions = [
    ...Array.from({ length: pages }, (_, index) => `${emails}?per_page=100&page=${index + 1}`),
    ...[`${emails}.csv`, `${emails}.ndjson`, changes],
    ...tables.map((table) => `${paths.odata.root}/${table}`),
  ];
  const different: string[] = [];
  for (const path of questions) {
    const [before, after] = await Promise.all([ask(old, path), ask(fresh, path)]);
    if (before !== after) different.push(path);
  }
  return { asked: questions.length, different };
}
