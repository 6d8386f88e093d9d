// The command `migrate`: creates or upgrades the tables, and distributes them on a Citus cluster.

import type { Command } from "commander";
import { distribute } from "../../storage/postgres/distribute.ts";
import { printResult } from "../output.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";

export function addMigrateCommand(command: Command, shell: Shell): void {
  command
    .description(
      "Create the database, or upgrade it to this version; every other command upgrades it as well",
    )
    .option("--distribute", "distribute the tables over the nodes of a Citus cluster, by organization")
    .action(async ({ distribute: isDistributed }: { distribute?: boolean }, running: Command) => {
      const result = await withDatabase(
        shell,
        // Opening the database has run the migrations already.
        async ({ migrated, transaction }) => ({
          migrated,
          ...(isDistributed && { distributed: await transaction(distribute) }),
        }),
        { mayCreate: true },
      );
      printResult(outputOf(shell, running), result, sentenceOf(result));
    });
}

function sentenceOf({ migrated, distributed = [] }: { migrated: string[]; distributed?: string[] }): string {
  return [
    migrated.length > 0 ? `Migrated: ${migrated.join(", ")}.` : "The database is up to date.",
    ...(distributed.length > 0 ? [`Distributed: ${distributed.join(", ")}.`] : []),
  ].join(" ");
}
