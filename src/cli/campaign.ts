// The commands `campaign close|delete`.

import type { Command } from "commander";
import { clearRetired, closeCampaign, removeCampaign } from "../counting/close-campaigns.ts";
import { Refusal } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { printDone } from "./output.ts";
import { needOrganization, outputOf, parseId, type Shell, withDatabase } from "./shell.ts";

export function addCampaignCommands(group: Command, shell: Shell): void {
  group
    .command("close")
    .description("Close a counted campaign: its numbers stand, and what they were counted from is deleted")
    .requiredOption("--organization <ID>", "whose campaign", parseId)
    .requiredOption("--id <ID>", "which campaign", parseId)
    .action(
      async (
        { organization: organizationId, id }: { organization: number; id: number },
        command: Command,
      ) => {
        const rest = await withDatabase(shell, async (database) => {
          await database.write(async (queries) =>
            closeCampaign(queries, await needOrganization(queries, organizationId), id, shell.now()),
          );
          return clearAll(database);
        });
        printDone(outputOf(shell, command), { id }, `Closed campaign ${id}. Its numbers stand.${rest}`);
      },
    );

  group
    .command("delete")
    .description("Delete a campaign; the very next answer is without it")
    .requiredOption("--organization <ID>", "whose campaign", parseId)
    .requiredOption("--id <ID>", "which campaign", parseId)
    .action(
      async (
        { organization: organizationId, id }: { organization: number; id: number },
        command: Command,
      ) => {
        const rest = await withDatabase(shell, async (database) => {
          await database.write(async (queries) => {
            await needOrganization(queries, organizationId);
            if (await removeCampaign(queries, organizationId, id, shell.now())) return;
            throw new Refusal("not_found", `organization ${organizationId} has no campaign ${id}`);
          });
          return clearAll(database);
        });
        printDone(outputOf(shell, command), { id }, `Deleted campaign ${id}.${rest}`);
      },
    );
}

/**
 * A little at a time, so that others who write get their turn; then the file is written anew without it.
 *
 * @returns a sentence for when that did not come to its end
 */
async function clearAll(database: Database): Promise<string> {
  while (await database.write(clearRetired));
  const isGone = await database.rewrite();
  return isGone
    ? ""
    : " Readers hold up the last step; traces stay in the -wal file until it is written anew.";
}
