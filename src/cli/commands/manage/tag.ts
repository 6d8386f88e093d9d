// The commands `tag add|list|change|delete`: the tags of an organization.

import { type Command, InvalidArgumentError } from "commander";
import { describeChange } from "../../../access/audit-actions.ts";
import { nextPaletteColor, type Tag } from "../../../campaign/campaign.ts";
import { colorPattern } from "../../../campaign/email-record-schema.ts";
import { findSameName, nameTaken } from "../../../campaign/fields/names.ts";
import { changeTag, removeTag } from "../../../counting/campaigns/change-tag.ts";
import { AppError } from "../../../errors.ts";
import { addTag, listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { confirmOption, findNamed, parseIdOrName, parseName } from "../../shell/options.ts";
import { addListCommand, organizationCommand } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { outputOf, type Shell, writeOfOrganization } from "../../shell/shell.ts";

interface TagOptions {
  organization: number;
  id: number | string;
  yes?: boolean;
  name?: string;
  color?: string;
}

export function addTagCommands(group: Command, shell: Shell): void {
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
      async (options: Pick<TagOptions, "organization" | "color"> & { name: string }, command: Command) => {
        const { organization: organizationId, name } = options;
        const tag = await writeOfOrganization(shell, organizationId, async (scope, record) => {
          const tags = await listTags(scope);
          refuseTakenName(tags, name);
          await record("tag.add", name);
          return addTag(scope, { name, color: options.color ?? nextPaletteColor(tags) });
        });
        printResult(outputOf(shell, command), tag, `Added tag ${tag.id}.`);
      },
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
    .action(async ({ organization: organizationId, id, ...change }: TagOptions, command: Command) => {
      if (Object.keys(change).length === 0) command.error("error: nothing to change; pass --name or --color");
      const tag = await writeOfOrganization(shell, organizationId, async (scope, record, organization) => {
        const before = await requireTag(scope, id);
        await changeTag(scope, organization, { id: before.id, change, now: shell.now() });
        const target = `${before.name}, ${describeChange(change)}`;
        await record("tag.change", target);
        return { ...before, ...change };
      });
      printResult(outputOf(shell, command), tag, `Changed tag ${tag.id}.`);
    });
}

function defineDelete(group: Command, shell: Shell): void {
  organizationCommand(group, "delete", "Delete a tag and remove it from all campaigns")
    .requiredOption("--id <ID|NAME>", "the tag", parseIdOrName)
    .option(...confirmOption)
    .action(async ({ organization: organizationId, id, yes }: TagOptions, command: Command) => {
      if (!yes) command.error("error: this removes the tag from all campaigns; add --yes to confirm");
      const tag = await writeOfOrganization(shell, organizationId, async (scope, record, organization) => {
        const before = await requireTag(scope, id);
        await removeTag(scope, organization, before.id, shell.now());
        await record("tag.delete", before.name);
        return before;
      });
      printResult(outputOf(shell, command), tag, `Deleted tag ${tag.id}.`);
    });
}

async function requireTag(scope: Scope, wanted: number | string) {
  return findNamed(await listTags(scope), wanted, { what: "tag", organization: scope.organizationId });
}

function refuseTakenName(others: readonly Tag[], name: string): void {
  const same = findSameName(others, name);
  if (same) throw new AppError("conflict", nameTaken("tag", same));
}

function parseColor(text: string): string {
  if (colorPattern.test(text)) return text;
  throw new InvalidArgumentError("A color has the form #RRGGBB; quote it, because # starts a shell comment.");
}
