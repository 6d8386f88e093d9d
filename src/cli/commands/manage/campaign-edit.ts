// The command `campaign edit`: what *Edit* of selected campaigns does in the web application.

import type { Command } from "commander";
import { commandLine } from "../../../access/audit-actions.ts";
import { parseCampaignEdit } from "../../../campaign/campaign-edit.ts";
import { quoteName } from "../../../campaign/fields/names.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { formatErrors } from "../../../campaign/fields/validate-fields.ts";
import { findMatching } from "../../../counting/campaigns/apply-rules.ts";
import { matchTags } from "../../../counting/campaigns/match-tags.ts";
import { continueImport } from "../../../counting/import/continue-import.ts";
import { startEdit } from "../../../counting/import/import-upload.ts";
import { AppError } from "../../../errors.ts";
import { parseIds, parseName } from "../../shell/options.ts";
import { organizationCommand } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { outputOf, readOfOrganization, type Shell, writeOfOrganization } from "../../shell/shell.ts";

interface EditOptions {
  organization: number;
  ids?: number[];
  subject?: string;
  addTag?: string;
  removeTag?: string;
  team?: string;
}

export function defineEdit(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "edit",
    "Add a tag to campaigns, remove one or set the team. For a day it can be undone, in the web application",
  )
    .option("--ids <IDS>", "IDs of campaigns, such as 3,7", parseIds)
    .option("--subject <TEXT>", "campaigns whose subject contains a text")
    .option("--add-tag <NAME>", "tag to add; a new name adds a tag", parseName)
    .option("--remove-tag <NAME>", "tag to remove")
    .option("--team <NAME>", "team to set; empty for none", (team) => team && parseName(team))
    .action(async (options: EditOptions, command: Command) => {
      const { organization: of, ids, subject, addTag: add, removeTag: remove, team } = options;
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
      const condition = { field: "subject", text: subject ?? "" } as const;
      // Without the lock, because it reads every campaign.
      const chosen = ids ?? (await readOfOrganization(shell, of, (scope) => findMatching(scope, condition)));
      const id = await writeOfOrganization(shell, of, async (scope) => {
        const naming = { named: wanted.add, now: shell.now() };
        const { tags, idsOf } = await matchTags(scope, naming);
        const added = tags.get(idsOf(wanted.add)[0] ?? 0);
        const removed = [...tags.values()].find((tag) => tag.name === wanted.remove[0]?.name);
        if (remove !== undefined && !removed)
          throw new AppError("not_found", `organization ${of} has no tag ${quoteName(remove)}`);
        const edit = {
          ...(added && { add: added }),
          ...(removed && { remove: removed }),
          ...(wanted.team !== undefined && { team: wanted.team }),
        };
        return startEdit(scope, { ids: chosen, edit, actor: commandLine }, shell.now());
      });
      // Each part locks the organization: it writes rows whose tallies an event would change meanwhile.
      const goOn = () =>
        writeOfOrganization(shell, of, (scope, _record, organization) =>
          continueImport(scope, organization, { id, now: shell.now() }),
        );
      let step = await goOn();
      while (step === "more") step = await goOn();
      const { outcomes } = step;
      printResult(outputOf(shell, command), outcomes, `Changed ${pluralize(outcomes.changed, "campaign")}.`);
    });
}
