// The commands `tag add|list|change|delete`: the labels of an organization.

import { type Command, InvalidArgumentError } from "commander";
import { colorPattern } from "../../campaign/email-record.ts";
import { AppError } from "../../errors.ts";
import type { Queries } from "../../storage/database.ts";
import { addTag, changeTag, deleteTag, findTag, listTags } from "../../storage/tags.ts";
import { printDone, printRows } from "../output.ts";
import {
  needOrganization,
  outputOf,
  parseId,
  parseName,
  type Shell,
  takeOrganization,
  withDatabase,
} from "../shell.ts";

interface TagOptions {
  organization: number;
  id: number;
  name?: string;
  color?: string;
}

export function addTagCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Add a tag; its id is what tag_ids takes")
    .requiredOption("--organization <ID>", "whose tag", parseId)
    .requiredOption("--name <NAME>", "its name", parseName)
    .requiredOption("--color <#RRGGBB>", "its colour", parseColor)
    .action(async ({ organization, name, color }: Required<TagOptions>, command: Command) => {
      const tag = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await takeOrganization(queries, organization);
          await refuseTakenName(queries, organization, name);
          return addTag(queries, { organizationId: organization, name, color });
        }),
      );
      printDone(outputOf(shell, command), tag, `Added tag ${tag.id}.`);
    });

  group
    .command("list")
    .description("List the tags of an organization with their ids")
    .requiredOption("--organization <ID>", "whose tags", parseId)
    .action(async ({ organization }: TagOptions, command: Command) => {
      const tags = await withDatabase(shell, (database) =>
        database.snapshot(async (queries) => {
          await needOrganization(queries, organization);
          return listTags(queries, organization);
        }),
      );
      printRows(outputOf(shell, command), tags, "The organization has no tags yet.");
    });

  group
    .command("change")
    .description("Rename or recolour a tag; every answer shows it at once")
    .requiredOption("--organization <ID>", "whose tag", parseId)
    .requiredOption("--id <ID>", "which tag", parseId)
    .option("--name <NAME>", "its new name", parseName)
    .option("--color <#RRGGBB>", "its new colour", parseColor)
    .action(async ({ organization: organizationId, id, ...change }: TagOptions, command: Command) => {
      if (Object.keys(change).length === 0) command.error("error: say what to change: --name or --color");
      const tag = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          const before = await needTag(queries, organizationId, id);
          if (change.name !== undefined && change.name !== before.name) {
            await refuseTakenName(queries, organizationId, change.name);
          }
          await changeTag(queries, { organizationId, id, change, now: shell.now() });
          return { ...before, ...change };
        }),
      );
      printDone(outputOf(shell, command), tag, `Changed tag ${id}.`);
    });

  group
    .command("delete")
    .description("Delete a tag and take it off every campaign")
    .requiredOption("--organization <ID>", "whose tag", parseId)
    .requiredOption("--id <ID>", "which tag", parseId)
    .action(async ({ organization: organizationId, id }: TagOptions, command: Command) => {
      const tag = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          const before = await needTag(queries, organizationId, id);
          await deleteTag(queries, { organizationId, id, now: shell.now() });
          return before;
        }),
      );
      printDone(outputOf(shell, command), tag, `Deleted tag ${id}.`);
    });
}

async function needTag(queries: Queries, organizationId: number, id: number) {
  await takeOrganization(queries, organizationId);
  const tag = await findTag(queries, organizationId, { id });
  if (tag) return tag;
  throw new AppError(
    "not_found",
    `organization ${organizationId} has no tag ${id}; see "email-analytics tag list"`,
  );
}

async function refuseTakenName(queries: Queries, organizationId: number, name: string): Promise<void> {
  const other = await findTag(queries, organizationId, { name });
  if (other)
    throw new AppError("conflict", `the name ${JSON.stringify(name)} is already that of tag ${other.id}`);
}

function parseColor(text: string): string {
  if (colorPattern.test(text)) return text;
  throw new InvalidArgumentError("A colour has the form #RRGGBB (in quotes, because of the #).");
}
