// The command `migrate`: creates or upgrades the tables, and distributes them on a Citus cluster.

import type { Command } from "commander";
import { AppError } from "../../errors.ts";
import { distribute } from "../../storage/postgres/distribute.ts";
import { areViewsCurrent, listViews } from "../../storage/postgres/views.ts";
import type { Queries } from "../../storage/queries/queries.ts";
import { printResult } from "../shell/output.ts";
import { outputOf, type Shell, settingsOf, withDatabase } from "../shell/shell.ts";

export function addTo(command: Command, shell: Shell): void {
  command
    .option("--distribute", "distribute the tables over the nodes of a Citus cluster, by organization")
    .action(async ({ distribute: isDistributed }: { distribute?: boolean }, running: Command) => {
      const result = await withDatabase(
        shell,
        // Opening the database has run the migrations already.
        async ({ migrated, query, transaction }) => {
          const distributed = isDistributed && {
            distributed: await transaction(async (queries) => {
              await refuseViews(queries);
              return distribute(queries);
            }),
          };
          if (!(await query(areViewsCurrent))) {
            const { migratePostgres } = await import("../../storage/postgres/migrate.ts");
            await migratePostgres(settingsOf(shell).DATABASE_URL);
          }
          return { migrated, ...distributed };
        },
        { mayCreate: true },
      );
      printResult(outputOf(shell, running), result, sentenceOf(result));
    });
}

async function refuseViews(queries: Queries): Promise<void> {
  const [found] = await listViews(queries);
  if (!found) return;
  throw new AppError(
    "conflict",
    `SQL views do not work with distributed tables; run "email-analytics views remove --organization ${found.organizationId}" first`,
  );
}

function sentenceOf({ migrated, distributed = [] }: { migrated: string[]; distributed?: string[] }): string {
  return [
    migrated.length > 0 ? `Migrated: ${migrated.join(", ")}.` : "The database is up to date.",
    ...(distributed.length > 0 ? [`Distributed: ${distributed.join(", ")}.`] : []),
  ].join(" ");
}
