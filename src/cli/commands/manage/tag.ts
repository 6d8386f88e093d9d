// The commands `tag add|list|change|delete`: the tags of an organization.

import type { Command } from "commander";
import { commandLine, describeChange } from "../../../access/audit-actions.ts";
import { nextPaletteColor } from "../../../campaign/campaign.ts";
import { colorPattern } from "../../../campaign/email-record-schema.ts";
import { changeTag, removeTag } from "../../../counting/campaigns/change-tag.ts";
import { refuseTakenName } from "../../../counting/campaigns/refuse-taken-name.ts";
import { addTag, listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { accepting, findNamed, parseIdOrName, parseName } from "../../shell/options.ts";
import { addListCommand, confirmed, organizationCommand, writing } from "../../shell/organization-command.ts";
import type { Shell } from "../../shell/shell.ts";

interface TagOptions {
  organization: number;
  id: number | string;
  name?: string;
  color?: string;
}

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  addListCommand(group, shell, {
    description: "List the tags of an organization and their IDs",
    read: listTags,
    whenEmpty: "The organization has no tags.",
  });
  defineChange(group, shell);
  defineDelete(group, shell);
}

function defineAdd(group: Command, shell: Shell): void {
  organizationCommand(group, "add", "Add a tag. The API parameter tag_ids takes its ID.")
    .requiredOption("--name <NAME>", "name of the tag", parseName)
    .option("--color <#RRGGBB>", "color of the tag (default: the next of a palette)", parseColor)
    .action(
      writing(
        shell,
        async (scope, { name, color }: { organization: number; name: string; color?: string }, record) => {
          const tags = await listTags(scope);
          refuseTakenName("tag", tags, name);
          await record("tag.add", name);
          const tag = await addTag(scope, { name, color: color ?? nextPaletteColor(tags) });
          return [tag, `Added tag ${tag.id}.`];
        },
      ),
    );
}

function defineChange(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "change",
    "Change the name or color of a tag. Every campaign shows the change immediately.",
  )
    .requiredOption("--id <ID|NAME>", "the tag", parseIdOrName)
    .option("--name <NAME>", "new name", parseName)
    .option("--color <#RRGGBB>", "new color", parseColor)
    .hook("preAction", (command) => {
      const { name, color } = command.opts<TagOptions>();
      if (name === undefined && color === undefined)
        command.error("error: nothing to change; pass --name or --color");
    })
    .action(
      writing(shell, async (scope, { organization: _, id, ...change }: TagOptions, record) => {
        const before = await requireTag(scope, id);
        await changeTag(scope, { id: before.id, change, now: shell.now() });
        await record("tag.change", `${before.name}, ${describeChange(change)}`);
        return [{ ...before, ...change }, `Changed tag ${before.id}.`];
      }),
    );
}

function defineDelete(group: Command, shell: Shell): void {
  const command = organizationCommand(
    group,
    "delete",
    "Delete a tag, remove it from all campaigns and delete the rules that give it",
  ).requiredOption("--id <ID|NAME>", "the tag", parseIdOrName);
  confirmed(command, "this removes the tag from all campaigns and deletes the rules that give it").action(
    writing(shell, async (scope, { id }: TagOptions, record) => {
      const tag = await requireTag(scope, id);
      await removeTag(scope, { id: tag.id, now: shell.now(), actor: commandLine });
      await record("tag.delete", tag.name);
      return [tag, `Deleted tag ${tag.id}.`];
    }),
  );
}

async function requireTag(scope: Scope, wanted: number | string) {
  return findNamed(await listTags(scope), wanted, { what: "tag", organization: scope.organizationId });
}

const parseColor = accepting(
  (text) => colorPattern.test(text),
  "A color has the form #RRGGBB; quote it, because # starts a shell comment.",
);
