// The commands `key add|list|delete`: API keys, which read records or send events.

import { type Command, Option } from "commander";
import { type KeyScope, keyScopes } from "../../access/api-key.ts";
import { nameTaken } from "../../campaign/names.ts";
import { AppError } from "../../errors.ts";
import { addApiKey, deleteApiKey, findKeyByName, listApiKeys } from "../../storage/api-keys.ts";
import { organizationOption, parseIdOption, parseName } from "../options.ts";
import { printResult, printRows } from "../output.ts";
import {
  outputOf,
  readOfOrganization,
  requireOrganizationForUpdate,
  type Shell,
  settingsOf,
  withDatabase,
} from "../shell.ts";

export function addKeyCommands(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  defineList(group, shell);
  defineDelete(group, shell);
}

function defineAdd(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Create an API key. It is shown only once.")
    .requiredOption(...organizationOption)
    .requiredOption("--name <NAME>", "name of the key, such as the tool that uses it", parseName)
    .addOption(
      new Option("--scope <SCOPE>", "read: reads records; ingest: sends campaigns and events")
        .choices(keyScopes)
        .default("read"),
    )
    .action(async (options: { organization: number; name: string; scope: KeyScope }, command: Command) => {
      const { organization: organizationId, name, scope } = options;
      const region = settingsOf(shell).REGION;
      const { id, text } = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await requireOrganizationForUpdate(queries, organizationId);
          const key = { organizationId, name, scope, region, now: shell.now() };
          const same = await findKeyByName(queries, key);
          if (same) throw new AppError("conflict", nameTaken("key", same));
          return addApiKey(queries, key);
        }),
      );
      printResult(
        outputOf(shell, command),
        { id, name, scope, key: text },
        text,
        `Created key ${id} with the scope "${scope}" for the region "${region}". Save it now: it is not shown again.`,
      );
    });
}

function defineList(group: Command, shell: Shell): void {
  group
    .command("list")
    .description("List the API keys of an organization. Only the beginning of each key is shown.")
    .requiredOption(...organizationOption)
    .action(async ({ organization }: { organization: number }, command: Command) => {
      const keys = await readOfOrganization(shell, organization, (queries) =>
        listApiKeys(queries, organization),
      );
      const rows = keys.map(({ id, name, scope, prefix, selection, createdBy, lastUsedAt, expiresAt }) => ({
        id,
        name,
        scope,
        key: `${prefix}…`,
        selection: scope === "csv-link" ? describeSelection(selection) : "",
        made_by: createdBy ?? "",
        last_used: instantOrEmpty(lastUsedAt),
        expires: instantOrEmpty(expiresAt),
      }));
      printRows(outputOf(shell, command), rows, "The organization has no API keys.");
    });
}

/** The campaigns of a link, as its query string says. */
function describeSelection(selection: string | null): string {
  const pairs = [...new URLSearchParams(selection ?? "")].map((pair) => pair.join("="));
  return pairs.join("&") || "all campaigns";
}

function instantOrEmpty(at: number | null): string {
  return at === null ? "" : new Date(at).toISOString();
}

function defineDelete(group: Command, shell: Shell): void {
  group
    .command("delete")
    .description("Delete an API key. It stops working immediately.")
    .requiredOption(...organizationOption)
    .requiredOption("--id <ID>", "ID of the key", parseIdOption)
    .action(async ({ organization, id }: { organization: number; id: number }, command: Command) => {
      const { name, scope, prefix } = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await requireOrganizationForUpdate(queries, organization);
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
      printResult(
        outputOf(shell, command),
        { id, name, scope, key: `${prefix}…` },
        `Deleted key ${id}. Replace it in the tools that used it.`,
      );
    });
}
