// The command `campaign delete`.

import type { Command } from "commander";
import { removeCampaign } from "../counting/save-campaigns.ts";
import { Refusal } from "../errors.ts";
import { printDone } from "./output.ts";
import { needOrganization, outputOf, parseId, type Shell, withDatabase } from "./shell.ts";

export function addCampaignCommands(group: Command, shell: Shell): void {
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
        await withDatabase(shell, (database) =>
          database.write(async (queries) => {
            await needOrganization(queries, organizationId);
            if (await removeCampaign(queries, organizationId, id, shell.now())) return;
            throw new Refusal("not_found", `organization ${organizationId} has no campaign ${id}`);
          }),
        );
        printDone(outputOf(shell, command), { id }, `Deleted campaign ${id}.`);
      },
    );
}
