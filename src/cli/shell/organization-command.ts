// Commands on the data of one organization.

import type { Command } from "commander";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { organizationOption } from "./options.ts";
import { printRows } from "./output.ts";
import { outputOf, readOfOrganization, type Shell } from "./shell.ts";

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
