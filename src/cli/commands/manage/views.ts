// The commands `views add|list|remove`: SQL views for tools that read PostgreSQL.

import type { Command } from "commander";
import { orNotFound } from "../../../errors.ts";
import {
  addViews,
  listViews,
  removeViews,
  type ViewSchema,
  viewNames,
} from "../../../storage/postgres/views.ts";
import { organizationCommand, writing } from "../../shell/organization-command.ts";
import { printRows } from "../../shell/output.ts";
import { outputOf, type Shell, withDatabase } from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  defineList(group, shell);
  defineRemove(group, shell);
}

function defineAdd(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "add",
    `Create a schema with views of an organization (${viewNames.join(", ")}), and let a role read them and nothing else. Run it again for another role. PostgreSQL only.`,
  )
    .requiredOption("--role <ROLE>", "existing PostgreSQL role, with which the tool connects")
    .action(
      writing(shell, async (scope, { role }: { organization: number; role: string }, record) => {
        const added = await addViews(scope, role);
        await record("views.add", role);
        return [toRow(added), `The role ${role} can read the views in the schema ${added.schema}.`];
      }),
    );
}

function defineList(group: Command, shell: Shell): void {
  group
    .command("list")
    .description("List the schemas with views, and the roles that can read them")
    .action(async (_options: object, command: Command) => {
      const views = await withDatabase(shell, (database) => database.query(listViews));
      const whenEmpty =
        "There are no views. Add some: email-analytics views add --organization ID --role ROLE";
      printRows(outputOf(shell, command), views.map(toRow), whenEmpty);
    });
}

function defineRemove(group: Command, shell: Shell): void {
  organizationCommand(group, "remove", "Drop the views of an organization and their schema").action(
    writing(shell, async (scope, { organization: id }, record) => {
      const problem = `organization ${id} has no views; see "email-analytics views list"`;
      orNotFound(await removeViews(scope), problem);
      await record("views.remove", "all roles");
      return [{ id }, `Removed the views of organization ${id}.`];
    }),
  );
}

const toRow = ({ organizationId, ...rest }: ViewSchema) => ({ organization_id: organizationId, ...rest });
