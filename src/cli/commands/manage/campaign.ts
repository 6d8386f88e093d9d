// The commands `campaign close|delete|senders`.

import type { Command } from "commander";
import { closeCampaign } from "../../../counting/campaigns/close-campaigns.ts";
import { setSenders } from "../../../counting/campaigns/correct-campaign.ts";
import { removeCampaign } from "../../../counting/campaigns/remove-campaign.ts";
import { AppError } from "../../../errors.ts";
import { eraseOfOrganization } from "../../shell/finish-deleting.ts";
import { confirmOption, parseIdOption, parseIds } from "../../shell/options.ts";
import { organizationCommand } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { outputOf, type Shell, writeOfOrganization } from "../../shell/shell.ts";

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
  organizationCommand(
    group,
    "senders",
    "Set who may send events of a campaign without names, and count those of them that wait",
  )
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .requiredOption("--senders <NUMBERS>", 'numbers of "key list" and "source list", such as 3,7', parseIds)
    .action(async (options: CampaignOptions & { senders: number[] }, command: Command) => {
      const { organization: organizationId, id, senders } = options;
      const text = senders.join(", ");
      await writeOfOrganization(shell, organizationId, async (scope, record, organization) => {
        await record("campaign.change", `campaign ${id}: senders ${text}`);
        await setSenders(scope, organization, { id, senders, now: shell.now() });
      });
      const sentence = `Campaign ${id} takes events from ${text}. Those that waited are counted.`;
      printResult(outputOf(shell, command), { id, senders }, sentence);
    });
}

function defineClose(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "close",
    "Close a counted campaign: its numbers become final, and its recipients and event IDs are deleted",
  )
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .option(...confirmOption)
    .action(async ({ organization: organizationId, id, yes }: CampaignOptions, command: Command) => {
      if (!yes) {
        command.error(
          "error: this makes the numbers final and deletes the campaign's recipients and event IDs; add --yes to confirm",
        );
      }
      const { warning } = await eraseOfOrganization(
        shell,
        organizationId,
        async (scope, record, organization) => {
          await closeCampaign(scope, organization, id, shell.now());
          await record("campaign.close", `campaign ${id}`);
        },
      );
      const sentence = `Closed campaign ${id}. Its numbers are final.${warning}`;
      printResult(outputOf(shell, command), { id }, sentence);
    });
}

function defineDelete(group: Command, shell: Shell): void {
  organizationCommand(group, "delete", "Delete a campaign and its numbers")
    .requiredOption("--id <ID>", "ID of the campaign", parseIdOption)
    .option(...confirmOption)
    .action(async ({ organization: organizationId, id, yes }: CampaignOptions, command: Command) => {
      if (!yes) command.error("error: this deletes the campaign and its numbers; add --yes to confirm");
      const { warning } = await eraseOfOrganization(shell, organizationId, async (scope, record) => {
        if (!(await removeCampaign(scope, id, shell.now()))) {
          throw new AppError("not_found", `organization ${organizationId} has no campaign ${id}`);
        }
        await record("campaign.delete", `campaign ${id}`);
      });
      printResult(outputOf(shell, command), { id }, `Deleted campaign ${id}.${warning}`);
    });
}
