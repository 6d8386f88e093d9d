// The commands `campaign edit|close|delete|senders`.

import type { Command } from "commander";
import { closeCampaign } from "../../../counting/campaigns/close-campaigns.ts";
import { setSenders } from "../../../counting/campaigns/correct-campaign.ts";
import { removeCampaign } from "../../../counting/campaigns/remove-campaign.ts";
import { orNotFound } from "../../../errors.ts";
import { parseIdOption, parseIds } from "../../shell/options.ts";
import { confirmed, organizationCommand, writing } from "../../shell/organization-command.ts";
import type { Shell } from "../../shell/shell.ts";
import { defineEdit } from "./campaign-edit.ts";

interface CampaignOptions {
  organization: number;
  id: number;
}

export function addTo(group: Command, shell: Shell): void {
  defineEdit(group, shell);
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
    .action(
      writing(
        shell,
        async (scope, { id, senders }: CampaignOptions & { senders: number[] }, record, organization) => {
          const text = senders.join(", ");
          await record("campaign.change", `campaign ${id}: senders ${text}`);
          await setSenders(scope, organization, { id, senders, now: shell.now() });
          return [
            { id, senders },
            `Campaign ${id} takes events from ${text}. Those that waited are counted.`,
          ];
        },
      ),
    );
}

function defineClose(group: Command, shell: Shell): void {
  const command = organizationCommand(
    group,
    "close",
    "Close a counted campaign: its numbers become final, and its recipients and event IDs are deleted",
  ).requiredOption("--id <ID>", "ID of the campaign", parseIdOption);
  confirmed(
    command,
    "this makes the numbers final and deletes the campaign's recipients and event IDs",
  ).action(
    writing(
      shell,
      async (scope, { id }: CampaignOptions, record, organization) => {
        await closeCampaign(scope, organization, id, shell.now());
        await record("campaign.close", `campaign ${id}`);
        return [{ id }, `Closed campaign ${id}. Its numbers are final.`];
      },
      { wipes: true },
    ),
  );
}

function defineDelete(group: Command, shell: Shell): void {
  const command = organizationCommand(group, "delete", "Delete a campaign and its numbers").requiredOption(
    "--id <ID>",
    "ID of the campaign",
    parseIdOption,
  );
  confirmed(command, "this deletes the campaign and its numbers").action(
    writing(
      shell,
      async (scope, { id }: CampaignOptions, record) => {
        const removed = await removeCampaign(scope, id, shell.now());
        orNotFound(removed, `organization ${scope.organizationId} has no campaign ${id}`);
        await record("campaign.delete", `campaign ${id}`);
        return [{ id }, `Deleted campaign ${id}.`];
      },
      { wipes: true },
    ),
  );
}
