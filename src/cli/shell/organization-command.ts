// Commands on the data of one organization.

import type { Command } from "commander";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { finishDeleting } from "./finish-deleting.ts";
import { confirmOption, organizationOption } from "./options.ts";
import { printResult, printRows } from "./output.ts";
import {
  type OrganizationWrite,
  outputOf,
  readOfOrganization,
  type Shell,
  withDatabase,
  writeOfOrganization,
} from "./shell.ts";

export function organizationCommand(group: Command, name: string, description: string): Command {
  return group.command(name).description(description).addOption(organizationOption);
}

interface ListCommand {
  name?: string;
  description: string;
  read(scope: Scope, organization: Organization): Promise<readonly object[]>;
  whenEmpty: string;
}

/** Adds a command that prints rows of the organization. */
export function addListCommand(
  group: Command,
  shell: Shell,
  { name = "list", description, read, whenEmpty }: ListCommand,
): void {
  organizationCommand(group, name, description).action(
    async ({ organization }: { organization: number }, command: Command) => {
      const rows = await readOfOrganization(shell, organization, read);
      printRows(outputOf(shell, command), rows, whenEmpty);
    },
  );
}

/** A command that needs `--yes`. @param what it does, for those who have not confirmed */
export function confirmed(command: Command, what: string): Command {
  return command.option(...confirmOption).hook("preAction", () => {
    if (!command.opts().yes) command.error(`error: ${what}; add --yes to confirm`);
  });
}

/** What {@link printResult} prints. */
type Printed = [row: object, text: string, note?: string];

type CommandWrite<Options> = (
  scope: Scope,
  options: Options,
  record: Parameters<OrganizationWrite<Printed>>[1],
  organization: Organization,
) => Promise<Printed>;

/**
 * The action of a command that changes data of the organization.
 *
 * @param options.wipes whether it deletes some
 */
export function writing<Options extends { organization: number }>(
  shell: Shell,
  write: CommandWrite<Options>,
  { wipes = false } = {},
) {
  return async (options: Options, command: Command): Promise<void> => {
    const [row, text, note] = await writeOfOrganization(shell, options.organization, (scope, ...others) =>
      write(scope, options, ...others),
    );
    const warning = wipes ? await withDatabase(shell, finishDeleting) : "";
    printResult(outputOf(shell, command), row, text + warning, note);
  };
}
