// The commands `organization add|list|change|delete`: the owners of everything else.

import { type Command, InvalidArgumentError, Option } from "commander";
import { isTimeZone } from "../../campaign/calendar/time-zone.ts";
import { type CountedTraffic, countedTraffics } from "../../campaign/events/traffic.ts";
import {
  addOrganization,
  changeOrganization,
  deleteOrganization,
  listOrganizations,
  type Organization,
  type OrganizationChange,
} from "../../storage/organizations.ts";
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
import { finishDeleting } from "./vacuum.ts";

export function addOrganizationCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Add an organization")
    .requiredOption("--name <NAME>", "its name", parseName)
    .option("--time-zone <IANA>", "its time zone, such as Europe/Berlin", parseTimeZone, "UTC")
    .action(async ({ name, timeZone }: { name: string; timeZone: string }, command: Command) => {
      const added = await withDatabase(
        shell,
        (database) =>
          database.transaction((queries) => addOrganization(queries, { name, timeZone, now: shell.now() })),
        { mayBeNew: true },
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
      const organizations = await withDatabase(shell, (database) => database.snapshot(listOrganizations));
      const whenEmpty = "There is no organization yet. Add one: email-analytics organization add --name NAME";
      printRows(outputOf(shell, command), organizations.map(toRow), whenEmpty);
    });

  group
    .command("change")
    .description("Change an organization; every answer shows it at once")
    .requiredOption("--organization <ID>", "which one", parseId)
    .option("--name <NAME>", "its new name", parseName)
    .option("--time-zone <IANA>", "its new time zone", parseTimeZone)
    .addOption(
      new Option("--count <TRAFFIC>", "what its numbers count: people, or machines as well").choices(
        countedTraffics,
      ),
    )
    .option("--close-after-days <DAYS>", "when counted campaigns are closed, days after sending", parseDays)
    .option(
      "--close-nameless-after-days <DAYS>",
      "the same for campaigns with Anonymous or Overall tracking",
      parseDays,
    )
    .action(
      async (
        {
          organization: id,
          count: countedTraffic,
          ...rest
        }: { organization: number; count?: CountedTraffic } & OrganizationChange,
        command: Command,
      ) => {
        const change = { ...rest, ...(countedTraffic && { countedTraffic }) };
        if (Object.keys(change).length === 0) {
          const options = "--name, --time-zone, --count, --close-after-days or --close-nameless-after-days";
          command.error(`error: say what to change: ${options}`);
        }
        const changed = await withDatabase(shell, (database) =>
          database.transaction(async (queries) => {
            await takeOrganization(queries, id);
            await changeOrganization(queries, id, change, shell.now());
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
      const { deleted, rest } = await withDatabase(shell, async (database) => {
        const organization = await database.transaction(async (queries) => {
          const found = await takeOrganization(queries, id);
          await deleteOrganization(queries, id);
          return found;
        });
        return { deleted: organization, rest: await finishDeleting(database) };
      });
      printDone(outputOf(shell, command), toRow(deleted), `Deleted organization ${id}.${rest}`);
    });
}

function toRow(organization: Organization) {
  const { id, name, timeZone, countedTraffic, closeAfterDays, closeNamelessAfterDays } = organization;
  return {
    id,
    name,
    time_zone: timeZone,
    count: countedTraffic,
    close_after_days: closeAfterDays,
    close_nameless_after_days: closeNamelessAfterDays,
  };
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,6}$/.test(text) && days >= 1 && days <= 100_000) return days;
  throw new InvalidArgumentError("Days are a whole number from 1 to 100000.");
}

function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError("A time zone has an IANA name, such as Europe/Berlin or UTC.");
}
