// The commands `source add|list|change|delete`: the email providers whose events come in, each under an address of its
// own.

import { type Command, InvalidArgumentError, Option } from "commander";
import { isStorable } from "../../campaign/validate-fields.ts";
import { AppError } from "../../errors.ts";
import { webhooksPath } from "../../http/ingest/webhooks.ts";
import { listeningUrl } from "../../http/start.ts";
import { findProvider, type ProviderName, providerNames } from "../../providers/providers.ts";
import type { Queries } from "../../storage/database.ts";
import {
  addSource,
  changeSource,
  deleteSource,
  findSource,
  listSources,
  type Source,
} from "../../storage/sources.ts";
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
import { finishDeleting } from "./vacuum.ts";

interface AddOptions {
  organization: number;
  provider: ProviderName;
  secret?: string;
  campaignField: string;
}

interface ChangeOptions {
  organization: number;
  id: string;
  secret?: string;
  campaignField?: string;
}

const secretFlags = "--secret <SECRET>";
const secretMeaning =
  "what it signs with, or sends along; - reads it from standard input, so that it stands in no shell history and no list of processes";

export function addSourceCommands(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Let the events of an email provider in; prints the address to paste there")
    .requiredOption("--organization <ID>", "whose events", parseId)
    .addOption(
      new Option("--provider <PROVIDER>", "which email provider")
        .choices(providerNames)
        .makeOptionMandatory(),
    )
    .option(secretFlags, secretMeaning)
    .option(
      "--campaign-field <NAME>",
      "the field of its events that names the campaign",
      parseName,
      "campaign_id",
    )
    .action((options: AddOptions, command: Command) => add(shell, options, command));

  group
    .command("list")
    .description("List the sources of an organization with their addresses")
    .requiredOption("--organization <ID>", "whose sources", parseId)
    .action(async ({ organization }: { organization: number }, command: Command) => {
      const sources = await withDatabase(shell, (database) =>
        database.snapshot(async (queries) => {
          await needOrganization(queries, organization);
          return listSources(queries, organization);
        }),
      );
      const output = outputOf(shell, command);
      const rows = sources.map((source) => {
        const row = toRow(shell, source);
        return output.json ? row : { ...row, has_secret: row.has_secret ? "yes" : "no" };
      });
      printRows(output, rows, "The organization has no sources yet.");
      if (rows.length > 0) warnOfUnreachable(shell);
    });

  group
    .command("change")
    .description("Change the secret or the campaign field of a source, from the very next request on")
    .requiredOption("--organization <ID>", "whose source", parseId)
    .requiredOption("--id <ID>", "which source", parseSourceId)
    .option(secretFlags, `its new secret: ${secretMeaning}`)
    .option("--campaign-field <NAME>", "its new campaign field", parseName)
    .action((options: ChangeOptions, command: Command) => change(shell, options, command));

  group
    .command("delete")
    .description("Delete a source; the very next request to its address is answered 404")
    .requiredOption("--organization <ID>", "whose source", parseId)
    .requiredOption("--id <ID>", "which source", parseSourceId)
    .action(async ({ organization, id }: { organization: number; id: string }, command: Command) => {
      const { source, rest } = await withDatabase(shell, async (database) => {
        const deleted = await database.transaction(async (queries) => {
          const found = await needSource(queries, organization, id);
          await deleteSource(queries, organization, id);
          return found;
        });
        return { source: deleted, rest: await finishDeleting(database) };
      });
      const sentence = `Deleted source ${id}. Take its address away at the provider.${rest}`;
      printDone(outputOf(shell, command), toRow(shell, source), sentence);
    });
}

async function add(
  shell: Shell,
  { organization: organizationId, provider, secret: given, campaignField }: AddOptions,
  command: Command,
): Promise<void> {
  const secret = await readSecret(shell, given);
  refuseSecret(secret, provider);
  const source = await withDatabase(shell, (database) =>
    database.transaction(async (queries) => {
      await takeOrganization(queries, organizationId);
      return addSource(queries, { organizationId, provider, secret, campaignField, now: shell.now() });
    }),
  );
  const { id } = source;
  const url = urlOf(shell, source);
  const { title, campaignFieldLocation, secret: wanted } = findProvider(provider);
  printDone(
    outputOf(shell, command),
    { id, provider, url },
    `${url}\nThis is source ${id}. Paste its address at ${title}; an event names its campaign by the field "${campaignField}". Fields are carried in ${plain(campaignFieldLocation)}.`,
  );
  warnOfUnreachable(shell);
  // Programs are told what has to be done, people what can be.
  if (secret !== undefined || (!wanted.isRequired && outputOf(shell, command).json)) return;
  const meaning = plain(wanted.description);
  const how = `email-analytics source change --organization ${organizationId} --id ${id} --secret -`;
  shell.stderr.write(
    wanted.isRequired
      ? `Everything from ${title} is refused with 401 until the source has its secret: ${meaning}. Create the webhook there with this address, then: ${how}\n`
      : `There is no secret, so whoever knows the address can send. One is possible: ${meaning}. To set it: ${how}\n`,
  );
}

async function change(
  shell: Shell,
  { organization: organizationId, id, secret: given, campaignField }: ChangeOptions,
  command: Command,
): Promise<void> {
  if (given === undefined && campaignField === undefined) {
    command.error("error: say what to change: --secret or --campaign-field");
  }
  const secret = await readSecret(shell, given);
  const source = await withDatabase(shell, (database) =>
    database.transaction(async (queries) => {
      const { provider } = await needSource(queries, organizationId, id);
      refuseSecret(secret, provider);
      const change = {
        ...(secret !== undefined && { secret }),
        ...(campaignField !== undefined && { campaignField }),
      };
      await changeSource(queries, { organizationId, id }, change);
      return needSource(queries, organizationId, id);
    }),
  );
  printDone(outputOf(shell, command), toRow(shell, source), `Changed source ${id}.`);
}

function toRow(shell: Shell, source: Source) {
  const { id, provider, campaignField, secret, createdAt } = source;
  return {
    id,
    provider,
    campaign_field: campaignField,
    has_secret: secret !== undefined,
    added: new Date(createdAt).toISOString().slice(0, 10),
    url: urlOf(shell, source),
  };
}

function urlOf(shell: Shell, { id }: Pick<Source, "id">): string {
  const { PUBLIC_URL, HOST, PORT } = settingsOf(shell);
  return `${PUBLIC_URL || listeningUrl(HOST, PORT)}${webhooksPath}/${id}`;
}

function warnOfUnreachable(shell: Shell): void {
  const { PUBLIC_URL, HOST, PORT } = settingsOf(shell);
  if (PUBLIC_URL !== "") return;
  shell.stderr.write(
    `PUBLIC_URL is not set, so the address leads to ${listeningUrl(HOST, PORT)}, which providers cannot reach; set it to the address that they can.\n`,
  );
}

/** A line break that ends it was typed, and is none of it. */
async function readSecret({ stdin }: Shell, given: string | undefined): Promise<string | undefined> {
  if (given !== "-") return given;
  const pieces: Uint8Array[] = [];
  for await (const piece of stdin) pieces.push(piece);
  return Buffer.concat(pieces)
    .toString()
    .replace(/\r?\n$/, "");
}

const secretLengthMax = 10_000;

/** @throws Refusal `bad_request`, which does not show what was given */
function refuseSecret(secret: string | undefined, provider: string): void {
  if (secret === undefined) return;
  const isText = secret.length >= 1 && secret.length <= secretLengthMax && isStorable(secret);
  const { format } = findProvider(provider).secret;
  if (isText && (format?.isValid(secret) ?? true)) return;
  const accepted = isText ? format?.description : `text of 1 to ${secretLengthMax} characters`;
  throw new AppError("bad_request", `--secret: what was given is not ${accepted}`);
}

async function needSource(queries: Queries, organizationId: number, id: string): Promise<Source> {
  await takeOrganization(queries, organizationId);
  const source = await findSource(queries, id);
  if (source?.organizationId === organizationId) return source;
  throw new AppError(
    "not_found",
    `organization ${organizationId} has no source ${id}; see "email-analytics source list"`,
  );
}

function parseSourceId(text: string): string {
  if (/^\d+-[0-9a-f]{32}$/.test(text)) return text;
  throw new InvalidArgumentError("An id of a source is the last part of its address.");
}

/** Words of the documentation, as they stand on a terminal. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
