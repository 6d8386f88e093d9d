// The commands `key add|list|delete`: the API keys of an organization, for reading its records or for sending events.

import { type Command, Option } from "commander";
import { type KeyScope, keyScopes } from "../../access/api-key.ts";
import { AppError } from "../../errors.ts";
import { addApiKey, deleteApiKey, listApiKeys } from "../../storage/api-keys.ts";
import { printDone, printRows } from "../output.ts";
import {
  needOrganization,
  outputOf,
  parseId,
  parseName,
  type Shell,
  settingsOf,
  takeOrganization,
  withDatabase,
} from "../shell.ts";

export function addKeyCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Make an API key; it is shown this once")
    .requiredOption("--organization <ID>", "whose records it opens", parseId)
    .requiredOption("--name <NAME>", "what it is for", parseName)
    .addOption(
      new Option("--scope <SCOPE>", "read: the records; ingest: sends campaigns and events")
        .choices(keyScopes)
        .default("read"),
    )
    .action(async (options: { organization: number; name: string; scope: KeyScope }, command: Command) => {
      const { organization, name, scope } = options;
      const region = settingsOf(shell).REGION;
      const key = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await takeOrganization(queries, organization);
          const now = shell.now();
          return addApiKey(queries, { organizationId: organization, name, scope, region, now });
        }),
      );
      printDone(
        outputOf(shell, command),
        { id: key.id, name, scope, key: key.text },
        `${key.text}\nThis is key ${key.id}, for the region "${region}" and the scope "${scope}". Keep it now: it is never shown again.`,
      );
    });

  group
    .command("list")
    .description("List the API keys of an organization, by their beginning")
    .requiredOption("--organization <ID>", "whose keys", parseId)
    .action(async ({ organization }: { organization: number }, command: Command) => {
      const keys = await withDatabase(shell, (database) =>
        database.snapshot(async (queries) => {
          await needOrganization(queries, organization);
          return listApiKeys(queries, organization);
        }),
      );
      const rows = keys.map(({ id, name, scope, prefix, createdBy, lastUsedAt }) => ({
        id,
        name,
        scope,
        key: `${prefix}…`,
        made_by: createdBy ?? "",
        last_used: lastUsedAt === null ? "" : new Date(lastUsedAt).toISOString(),
      }));
      printRows(outputOf(shell, command), rows, "The organization has no API keys yet.");
    });

  group
    .command("delete")
    .description("Delete an API key; the very next request with it is refused")
    .requiredOption("--organization <ID>", "whose key", parseId)
    .requiredOption("--id <ID>", "which key", parseId)
    .action(async ({ organization, id }: { organization: number; id: number }, command: Command) => {
      const key = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await takeOrganization(queries, organization);
          const found = (await listApiKeys(queries, organization)).find((each) => each.id === id);
          if (!found) {
            throw new AppError(
              "not_found",
              `organization ${organization} has no key ${id}; see "email-analytics key list"`,
            );
          }
          await deleteApiKey(queries, organization, id);
          return found;
        }),
      );
      printDone(
        outputOf(shell, command),
        { id, name: key.name, scope: key.scope, key: `${key.prefix}…` },
        `Deleted key ${id}. Integrations that use it have to be given a new one.`,
      );
    });
}
