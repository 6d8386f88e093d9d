// The commands `organization add|list|change|delete`: the owners of everything else.

import { type Command, InvalidArgumentError } from "commander";
import { isTimeZone } from "../campaign/timestamps.ts";
import {
  addOrganization,
  changeOrganization,
  deleteOrganization,
  listOrganizations,
  type Organization,
} from "../storage/organizations.ts";
import { printDone, printRows } from "./output.ts";
import { needOrganization, outputOf, parseId, parseName, type Shell, withDatabase } from "./shell.ts";

export function addOrganizationCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Add an organization")
    .requiredOption("--name <NAME>", "its name", parseName)
    .option("--time-zone <IANA>", "its time zone, such as Europe/Berlin", parseTimeZone, "UTC")
    .action(async ({ name, timeZone }: { name: string; timeZone: string }, command: Command) => {
      const added = await withDatabase(shell, (database) =>
        database.write((queries) => addOrganization(queries, { name, timeZone, now: shell.now() })),
      );
      printDone(
        outputOf(shell, command),
        toRow(added),
        `Added organization ${added.id}. Make a key for it: email-analytics key add --organization ${added.id} --name NAME`,
      );
    });

  group
    .command("list")
    .description("List all organizations")
    .action(async (_options: object, command: Command) => {
      const organizations = await withDatabase(shell, (database) => database.read(listOrganizations));
      const whenEmpty = "There is no organization yet. Add one: email-analytics organization add --name NAME";
      printRows(outputOf(shell, command), organizations.map(toRow), whenEmpty);
    });

  group
    .command("change")
    .description("Change the name or the time zone; every answer shows it at once")
    .requiredOption("--organization <ID>", "which one", parseId)
    .option("--name <NAME>", "its new name", parseName)
    .option("--time-zone <IANA>", "its new time zone", parseTimeZone)
    .action(
      async (
        { organization: id, ...change }: { organization: number; name?: string; timeZone?: string },
        command: Command,
      ) => {
        if (Object.keys(change).length === 0)
          command.error("error: say what to change: --name or --time-zone");
        const changed = await withDatabase(shell, (database) =>
          database.write(async (queries) => {
            await needOrganization(queries, id);
            await changeOrganization(queries, id, { ...change, now: shell.now() });
            return needOrganization(queries, id);
          }),
        );
        printDone(outputOf(shell, command), toRow(changed), `Changed organization ${id}.`);
      },
    );

  group
    .command("delete")
    .description("Delete an organization with its keys, tags and campaigns")
    .requiredOption("--organization <ID>", "which one", parseId)
    .option("--yes", "really delete it; there is no way back")
    .action(async ({ organization: id, yes }: { organization: number; yes?: boolean }, command: Command) => {
      if (!yes) command.error("error: this deletes all of the organization's data; add --yes to do it");
      const deleted = await withDatabase(shell, (database) =>
        database.write(async (queries) => {
          const organization = await needOrganization(queries, id);
          await deleteOrganization(queries, id);
          return organization;
        }),
      );
      printDone(outputOf(shell, command), toRow(deleted), `Deleted organization ${id}.`);
    });
}

function toRow({ id, name, timeZone }: Organization) {
  return { id, name, time_zone: timeZone };
}

function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError("A time zone has an IANA name, such as Europe/Berlin or UTC.");
}
