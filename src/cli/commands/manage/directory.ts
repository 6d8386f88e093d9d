// The command `directory import`: which department, site and so on the recipients of an organization have.

import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { findSameName } from "../../../campaign/fields/names.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { addAttributes } from "../../../counting/audience/add-attributes.ts";
import { removeAttribute } from "../../../counting/audience/change-attribute.ts";
import { type ListColumns, readCsvList, recipientColumn } from "../../../counting/audience/parse-list.ts";
import { replaceDirectory } from "../../../counting/audience/save-directory.ts";
import { AppError } from "../../../errors.ts";
import { listAttributes } from "../../../storage/audience/store-groups.ts";
import { asyncChunks, type Database } from "../../../storage/queries/database.ts";
import { openInput } from "../../files/input-file.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import { parseName } from "../../shell/options.ts";
import { confirmed, organizationCommand } from "../../shell/organization-command.ts";
import { printResult } from "../../shell/output.ts";
import { progressBar } from "../../shell/progress-bar.ts";
import {
  outputOf,
  recordCommand,
  requireOrganizationForUpdate,
  type Shell,
  withDatabase,
} from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  defineImport(group, shell);
  defineDeleteAttribute(group, shell);
}

interface DirectoryOptions {
  organization: number;
  recipient: string;
  /** The attribute of each column. */
  attribute: Map<string, string>;
}

function defineImport(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "import",
    "Replace the directory by a CSV file with a header. A file with a mistake changes nothing. Campaigns that recipients already belong to keep their groups.",
  )
    .argument("<FILE>", "the CSV file; - is standard input")
    .option(
      "--recipient <COLUMN>",
      "the column with the addresses or IDs, as in your events",
      recipientColumn,
    )
    .requiredOption(
      "--attribute <NAME[=COLUMN]>",
      "an attribute, and its column if that has another name; repeat the option for up to 8. One that does not exist yet is added.",
      addColumn,
    )
    .action(async (file: string, options: DirectoryOptions, command: Command) => {
      const { organization: id, recipient, attribute } = options;
      const columns = { recipient, attributes: attribute };
      const output = outputOf(shell, command);
      const recipients = await withDatabase(shell, (database) =>
        importDirectory(
          database,
          shell,
          { id, file, columns, names: [...attribute.values()] },
          progressBar(output),
        ),
      );
      printResult(output, { recipients }, `The directory has ${pluralize(recipients, "recipient")}.`);
    });
}

function defineDeleteAttribute(group: Command, shell: Shell): void {
  const command = organizationCommand(
    group,
    "delete-attribute",
    "Delete an attribute with its values, also from the directory and from all campaigns, whose own numbers stay",
  ).argument("<NAME>", "the attribute, such as Department");
  confirmed(command, "this deletes the results of all campaigns by this attribute").action(
    async (wanted: string, { organization: id }: { organization: number }) => {
      const { name, warning } = await withDatabase(shell, (database) =>
        deleteAttribute(database, shell, id, wanted),
      );
      const output = outputOf(shell, command);
      const row = { attribute: name, is_gone: warning === "" };
      printResult(output, row, `Deleted the attribute ${quote(name)}.${warning}`);
    },
  );
}

async function deleteAttribute(
  database: Database,
  shell: Shell,
  organizationId: number,
  wanted: string,
): Promise<{ name: string; warning: string }> {
  const attributes = await database.queryOf(organizationId, listAttributes);
  const attribute = findSameName(attributes, wanted);
  if (!attribute) {
    const names = attributes.map(({ name }) => quote(name)).join(", ");
    const known = names === "" ? "it has none" : `it has ${names}`;
    const problem = `organization ${organizationId} has no attribute ${quote(wanted)}; ${known}`;
    throw new AppError("not_found", problem);
  }
  const { id, name } = attribute;
  const runStep = () =>
    database.transactionOf(organizationId, async (scope) => {
      const organization = await requireOrganizationForUpdate(scope);
      const step = await removeAttribute(scope, organization, { id, now: shell.now() });
      if (step === "removed") await recordCommand(scope, shell, "attribute.delete", name);
      return step;
    });
  while ((await runStep()) === "more");
  return { name, warning: await finishDeleting(database) };
}

async function importDirectory(
  database: Database,
  shell: Shell,
  { id, file, columns, names }: { id: number; file: string; columns: ListColumns; names: readonly string[] },
  bar: ReturnType<typeof progressBar>,
): Promise<number> {
  const input = await openInput(file, shell.stdin);
  /** Adds the attributes once the header has their columns. */
  const rows = async function* () {
    let isAdded = false;
    for await (const row of readCsvList(input.bytes(bar), columns)) {
      if (!isAdded) {
        await database.transactionOf(id, async (scope) => {
          await requireOrganizationForUpdate(scope);
          for (const name of await addAttributes(scope, names))
            await recordCommand(scope, shell, "attribute.add", name);
        });
      }
      isAdded = true;
      yield row;
    }
  };
  try {
    return await replaceDirectory(database, id, asyncChunks(rows()), (scope) =>
      recordCommand(scope, shell, "directory.replace", basename(file)),
    );
  } finally {
    bar.clear();
  }
}

/** @param before the attribute of each column so far, because the option can be repeated */
function addColumn(text: string, before: Map<string, string> = new Map()): Map<string, string> {
  const [given = "", column] = text.split(/=(.*)/s);
  const name = parseName(given);
  if (new Set(before.values()).has(name))
    throw new InvalidArgumentError(`The attribute ${JSON.stringify(name)} is there twice.`);
  return new Map(before).set(column ?? name, name);
}
