// The commands `campaign edit|close|delete|senders`.

import type { Command } from "commander";
import { commandLine } from "../../../access/audit-actions.ts";
import { parseCampaignEdit } from "../../../campaign/campaign-edit.ts";
import { quoteName } from "../../../campaign/fields/names.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { formatErrors } from "../../../campaign/fields/validate-fields.ts";
import { findMatching } from "../../../counting/campaigns/apply-rules.ts";
import { closeCampaign } from "../../../counting/campaigns/close-campaigns.ts";
import { setSenders } from "../../../counting/campaigns/correct-campaign.ts";
import { matchTags } from "../../../counting/campaigns/match-tags.ts";
import { removeCampaign } from "../../../counting/campaigns/remove-campaign.ts";
import { continueImport } from "../../../counting/import/continue-import.ts";
import { startEdit } from "../../../counting/import/import-upload.ts";
import { AppError } from "../../../errors.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import {
  confirmOption,
  organizationOption,
  parseIdOption,
  parseIds,
  parseName,
} from "../../shell/options.ts";
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
  defineEdit(group, shell);
  defineClose(group, shell);
  defineDelete(group, shell);
  defineSenders(group, shell);
}

interface EditOptions {
  organization: number;
  ids?: number[];
  subject?: string;
  addTag?: string;
  removeTag?: string;
  team?: string;
}

function defineEdit(group: Command, shell: Shell): void {
  group
    .command("edit")
    .description(
      "Add a tag to campaigns, remove one or set the team. For a day it can be undone, in the web application",
    )
    .addOption(organizationOption)
    .option("--ids <IDS>", "IDs of campaigns, such as 3,7", parseIds)
    .option("--subject <TEXT>", "campaigns whose subject contains a text")
    .option("--add-tag <NAME>", "tag to add; a new name adds a tag", parseName)
    .option("--remove-tag <NAME>", "tag to remove")
    .option("--team <NAME>", "team to set; empty for none", (team) => team && parseName(team))
    .action(async (options: EditOptions, command: Command) => {
      const { organization: id, ids, subject, addTag: add, removeTag: remove, team } = options;
      if ((ids === undefined) === (subject === undefined))
        command.error("error: add either --ids or --subject");
      if (subject?.trim() === "") command.error('error: --subject: "" is in every subject; add a text');
      if ([add, remove, team].every((value) => value === undefined))
        command.error("error: add --add-tag, --remove-tag or --team");
      const wanted = parseCampaignEdit({
        ...(add !== undefined && { add_tags: [add] }),
        ...(remove !== undefined && { remove_tags: [remove] }),
        ...(team !== undefined && { team: team || null }),
      });
      if ("errors" in wanted) throw new AppError("bad_request", formatErrors(wanted.errors));
      const { outcomes } = await withDatabase(shell, async (database) => {
        const text = subject ?? "";
        // Without the lock, because it reads every campaign.
        const chosen =
          ids ?? (await database.queryOf(id, (scope) => findMatching(scope, { field: "subject", text })));
        const editId = await database.transactionOf(id, async (scope) => {
          const organization = await requireOrganizationForUpdate(scope);
          const options = { organization, named: wanted.add, uncolored: new Set<string>(), now: shell.now() };
          const { tags, idsOf } = await matchTags(scope, options);
          const added = tags.get(idsOf(wanted.add)[0] ?? 0);
          const [{ name } = {}] = wanted.remove;
          const removed = [...tags.values()].find((tag) => tag.name === name);
          if (name !== undefined && !removed)
            throw new AppError("not_found", `organization ${id} has no tag ${quoteName(name)}`);
          const edit = {
            ...(added && { add: added }),
            ...(removed && { remove: removed }),
            ...(wanted.team !== undefined && { team: wanted.team }),
          };
          return startEdit(scope, { ids: chosen, edit, actor: commandLine }, shell.now());
        });
        for (;;) {
          // Each part locks the organization: it writes rows whose tallies an event would change meanwhile.
          const step = await database.transactionOf(id, async (scope) =>
            continueImport(scope, await requireOrganizationForUpdate(scope), {
              id: editId,
              now: shell.now(),
            }),
          );
          if (step !== "more") return step;
        }
      });
      printResult(outputOf(shell, command), outcomes, `Changed ${pluralize(outcomes.changed, "campaign")}.`);
    });
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
