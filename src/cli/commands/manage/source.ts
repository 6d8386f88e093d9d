// The commands `source add|list|change|delete`: email providers, which send events to a webhook URL of their own.

import { type Command, Option } from "commander";
import { describeSource } from "../../../access/audit-actions.ts";
import { findProvider, type ProviderName, providerNames } from "../../../providers/providers.ts";
import { addSource, changeSource, deleteSource, listSources } from "../../../storage/keys/sources.ts";
import { parseName } from "../../shell/options.ts";
import { organizationCommand, writing } from "../../shell/organization-command.ts";
import { printResult, printRows } from "../../shell/output.ts";
import { outputOf, readOfOrganization, type Shell, writeOfOrganization } from "../../shell/shell.ts";
import { printSecretHint, toRow, warnOfWebhookUrl, webhookUrl } from "../../source/print-source.ts";
import { parseSourceId, requireSource } from "../../source/require-source.ts";
import { checkSecret, readSecret, secretHelp } from "../../source/source-secret.ts";

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  defineList(group, shell);
  defineChange(group, shell);
  defineDelete(group, shell);
}

interface AddSourceOptions {
  organization: number;
  provider: ProviderName;
  secret?: string;
  campaignField: string;
}

function defineAdd(group: Command, shell: Shell): void {
  organizationCommand(group, "add", "Add an email provider and print its webhook URL")
    .addOption(
      new Option("--provider <PROVIDER>", "the email provider").choices(providerNames).makeOptionMandatory(),
    )
    .option("--secret <SECRET>", secretHelp)
    .option(
      "--campaign-field <NAME>",
      "field of the events that names the campaign",
      parseName,
      "campaign_id",
    )
    .action(async (options: AddSourceOptions, command: Command) => {
      const { organization: organizationId, provider, campaignField } = options;
      const secret = await readSecret(shell, options.secret);
      checkSecret(secret, provider);
      const source = await writeOfOrganization(shell, organizationId, async (scope, record) => {
        const wanted = { provider, secret, campaignField, now: shell.now() };
        const added = await addSource(scope, wanted);
        await record("source.add", describeSource(added));
        return added;
      });
      const { id } = source;
      const url = webhookUrl(shell, source);
      const { title, campaignFieldLocation } = findProvider(provider);
      const location = campaignFieldLocation.replaceAll("`", "");
      printResult(
        outputOf(shell, command),
        { id, provider, url },
        url,
        `Added source ${id}. Enter this webhook URL at ${title}. The field "${campaignField}" names the campaign of an event; set it in ${location}.`,
      );
      warnOfWebhookUrl(shell);
      if (secret === undefined) printSecretHint(outputOf(shell, command), source);
    });
}

function defineList(group: Command, shell: Shell): void {
  organizationCommand(group, "list", "List the sources of an organization and their webhook URLs").action(
    async ({ organization }: { organization: number }, command: Command) => {
      const sources = await readOfOrganization(shell, organization, listSources);
      const output = outputOf(shell, command);
      const rows = sources.map((source) => {
        const row = toRow(shell, source);
        return output.json ? row : { ...row, has_secret: row.has_secret ? "yes" : "no" };
      });
      printRows(output, rows, "The organization has no sources.");
      if (rows.length > 0) warnOfWebhookUrl(shell);
    },
  );
}

interface ChangeSourceOptions {
  organization: number;
  id: string;
  secret?: string;
  campaignField?: string;
}

function defineChange(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "change",
    "Change the secret or the campaign field of a source. The next request uses it.",
  )
    .requiredOption("--id <ID>", "ID of the source", parseSourceId)
    .option("--secret <SECRET>", `new secret: ${secretHelp}`)
    .option("--campaign-field <NAME>", "new campaign field", parseName)
    .action(async (options: ChangeSourceOptions, command: Command) => {
      const { organization: organizationId, id, campaignField } = options;
      if (options.secret === undefined && campaignField === undefined) {
        command.error("error: nothing to change; pass --secret or --campaign-field");
      }
      const secret = await readSecret(shell, options.secret);
      const source = await writeOfOrganization(shell, organizationId, async (scope, record) => {
        const { provider } = await requireSource(scope, id);
        checkSecret(secret, provider);
        const change = {
          ...(secret !== undefined && { secret }),
          ...(campaignField !== undefined && { campaignField }),
        };
        await changeSource(scope, { id }, change);
        const names = Object.keys(change).join(", ").replace("campaignField", "campaign field");
        const target = `${describeSource({ provider, id })}, ${names}`;
        await record("source.change", target);
        return requireSource(scope, id);
      });
      printResult(outputOf(shell, command), toRow(shell, source), `Changed source ${id}.`);
    });
}

function defineDelete(group: Command, shell: Shell): void {
  organizationCommand(group, "delete", "Delete a source. Its webhook URL answers 404 immediately.")
    .requiredOption("--id <ID>", "ID of the source", parseSourceId)
    .action(
      writing(
        shell,
        async (scope, { id }: { organization: number; id: string }, record) => {
          const source = await requireSource(scope, id);
          await deleteSource(scope, id);
          await record("source.delete", describeSource(source));
          return [toRow(shell, source), `Deleted source ${id}. Remove its webhook at the provider.`];
        },
        { wipes: true },
      ),
    );
}
