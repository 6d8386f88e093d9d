// The commands `campaign close|delete|senders`.

import type { Command } from "commander";
import { closeCampaign } from "../../../counting/campaigns/close-campaigns.ts";
import { setSenders } from "../../../counting/campaigns/correct-campaign.ts";
import { removeCampaign } from "../../../counting/campaigns/remove-campaign.ts";
import { AppError } from "../../../errors.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import { confirmOption, organizationOption, parseIdOption, parseIds } from "../../shell/options.ts";
import { printResult } from "../../shell/output.ts";
import {
  outputOf,
  recordCommand,
  requireOrganizationForUpdate,
  type Shell,
  withDatabase,
} from "../../shell/shell.ts";

interface CampaignOptions {
  organization: number;
  id: number;
  yes?: boolean;
}

export function addCampaignCommands(group: Command, shell: Shell): void {
  defineClose(group, shell);
  defineDelete(group, shell);
  defineSenders(group, shell);
}

function defineSenders(group: Command, shell: Shell): void {
  group
    .command("senders")
    .description("Set who may send events of a campaign without names, and count those of them that wait")
    .addOption(organizationOption)
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .requiredOption("--senders <NUMBERS>", 'numbers of "key list" and "source list", such as 3,7', parseIds)
    .action(async (options: CampaignOptions & { senders: number[] }, command: Command) => {
      const { organization: organizationId, id, senders } = options;
      const text = senders.join(", ");
      await withDatabase(shell, (database) =>
        database.transactionOf(organizationId, async (scope) => {
          const organization = await requireOrganizationForUpdate(scope);
          await recordCommand(scope, shell, "campaign.change", `campaign ${id}: senders ${text}`);
          await setSenders(scope, organization, { id, senders, now: shell.now() });
        }),
      );
      const sentence = `Campaign ${id} takes events from ${text}. Those that waited are counted.`;
      printResult(outputOf(shell, command), { id, senders }, sentence);
    });
}

function defineClose(group: Command, shell: Shell): void {
  group
    .command("close")
    .description(
      "Close a counted campaign: its numbers become final, and its recipients and event IDs are deleted",
    )
    .addOption(organizationOption)
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .option(...confirmOption)
    .action(async ({ organization: organizationId, id, yes }: CampaignOptions, command: Command) => {
      if (!yes) {
        command.error(
          "error: this makes the numbers final and deletes the campaign's recipients and event IDs; add --yes to confirm",
        );
      }
      const warning = await withDatabase(shell, async (database) => {
        await database.transactionOf(organizationId, async (scope) => {
          const organization = await requireOrganizationForUpdate(scope);
          await closeCampaign(scope, organization, id, shell.now());
          await recordCommand(scope, shell, "campaign.close", `campaign ${id}`);
        });
        return finishDeleting(database);
      });
      const sentence = `Closed campaign ${id}. Its numbers are final.${warning}`;
      printResult(outputOf(shell, command), { id }, sentence);
    });
}

function defineDelete(group: Command, shell: Shell): void {
  group
    .command("delete")
    .description("Delete a campaign and its numbers")
    .addOption(organizationOption)
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .option(...confirmOption)
    .action(async ({ organization: organizationId, id, yes }: CampaignOptions, command: Command) => {
      if (!yes) command.error("error: this deletes the campaign and its numbers; add --yes to confirm");
      const warning = await withDatabase(shell, async (database) => {
        await database.transactionOf(organizationId, async (scope) => {
          await requireOrganizationForUpdate(scope);
          if (!(await removeCampaign(scope, id, shell.now()))) {
            throw new AppError("not_found", `organization ${organizationId} has no campaign ${id}`);
          }
          await recordCommand(scope, shell, "campaign.delete", `campaign ${id}`);
        });
        return finishDeleting(database);
      });
      printResult(outputOf(shell, command), { id }, `Deleted campaign ${id}.${warning}`);
    });
}
