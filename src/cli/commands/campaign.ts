// The commands `campaign close|delete`.

import type { Command } from "commander";
import { closeCampaign } from "../../counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../counting/campaigns/remove-campaign.ts";
import { AppError } from "../../errors.ts";
import { printDone } from "../output.ts";
import { outputOf, parseId, type Shell, takeOrganization, withDatabase } from "../shell.ts";
import { finishDeleting } from "./vacuum.ts";

interface Options {
  organization: number;
  id: number;
}

export function addCampaignCommands(group: Command, shell: Shell): void {
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption("--organization <ID>", "whose campaign", parseId)
      .requiredOption("--id <ID>", "which campaign", parseId);

  command(
    "close",
    "Close a counted campaign: its numbers stand, and what they were counted from is deleted",
  ).action(async ({ organization: organizationId, id }: Options, running: Command) => {
    const rest = await withDatabase(shell, async (database) => {
      await database.transaction(async (queries) =>
        closeCampaign(queries, await takeOrganization(queries, organizationId), id, shell.now()),
      );
      return finishDeleting(database);
    });
    printDone(outputOf(shell, running), { id }, `Closed campaign ${id}. Its numbers stand.${rest}`);
  });

  command("delete", "Delete a campaign; the very next answer is without it")
    .option("--yes", "really delete it; there is no way back")
    .action(
      async ({ organization: organizationId, id, yes }: Options & { yes?: boolean }, running: Command) => {
        if (!yes) running.error("error: this deletes the campaign with all its numbers; add --yes to do it");
        const rest = await withDatabase(shell, async (database) => {
          await database.transaction(async (queries) => {
            await takeOrganization(queries, organizationId);
            if (await removeCampaign(queries, organizationId, id, shell.now())) return;
            throw new AppError("not_found", `organization ${organizationId} has no campaign ${id}`);
          });
          return finishDeleting(database);
        });
        printDone(outputOf(shell, running), { id }, `Deleted campaign ${id}.${rest}`);
      },
    );
}
