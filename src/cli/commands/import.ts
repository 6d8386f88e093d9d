// The command `import`: campaigns with their final numbers, or events, from files.

import { access, constants, stat } from "node:fs/promises";
import type { Command } from "commander";
import { readScannerNetworks, ScannerNetworks } from "../../counting/events/scanner-networks.ts";
import { type InputFile, openInput } from "../files/input-file.ts";
import { type ImportCampaignsOptions, importCampaigns } from "../import/import-campaigns.ts";
import { importEvents } from "../import/import-events.ts";
import { dateOrderOption, mapOption, ratesOption } from "../import/mapping-options.ts";
import { organizationOption } from "../shell/options.ts";
import { printable } from "../shell/output.ts";
import { outputOf, requireOrganization, type Shell, settingsOf, withDatabase } from "../shell/shell.ts";

interface ImportOptions extends ImportCampaignsOptions {
  events?: boolean;
}

export function addTo(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .argument(
      "<FILE...>",
      "files to import; - is standard input. A file of campaigns is imported completely or not at all",
    )
    .addOption(organizationOption)
    .option("--events", "the files contain events, as sent to /ingest/v1/events")
    .addOption(mapOption)
    .addOption(dateOrderOption)
    .addOption(ratesOption)
    .option("--dry-run", "validate the campaigns without writing them")
    .option("--verbose", "list all warnings")
    .action(async (names: string[], options: ImportOptions, running: Command) => {
      await checkUsage(names, options, running);
      const { stdin, now } = shell;
      const { organization } = options;
      const output = outputOf(shell, running);
      const exitCode = await withDatabase(shell, async (database) => {
        await database.snapshotOf(organization, requireOrganization);
        const files: InputFile[] = [];
        for (const name of names) files.push(await openInput(name, stdin));
        if (!options.events) return importCampaigns(database, output, files, { ...options, now });
        const { QUARANTINE_BYTES: maxQuarantineBytes, SCANNER_NETWORKS } = settingsOf(shell);
        const networks = new ScannerNetworks(readScannerNetworks(SCANNER_NETWORKS));
        return importEvents(database, output, files, { organization, now, maxQuarantineBytes, networks });
      });
      setExitCode(exitCode);
    });
}

async function checkUsage(
  files: readonly string[],
  { events, dryRun, map, dateOrder, rates }: ImportOptions,
  command: Command,
): Promise<void> {
  if (files.filter((file) => file === "-").length > 1) {
    command.error("error: standard input (-) can be read only once");
  }
  if (events && dryRun) {
    command.error("error: --dry-run is only for campaigns; importing the same events again is safe");
  }
  if (events && (map ?? dateOrder ?? rates) !== undefined) {
    command.error(
      "error: --map, --date-order and --rates are only for campaigns; events have the fields of /ingest/v1/events",
    );
  }
  for (const file of files) {
    const problem = file === "-" ? undefined : await findProblem(file);
    if (problem !== undefined) command.error(`error: ${printable(file)} ${problem}`);
  }
}

/** Why a file cannot be read, before anything of another one is imported. */
async function findProblem(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).isDirectory()) return "is a folder; name the files in it";
    await access(file, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? "does not exist; check the path" : `cannot be read: ${printable(message)}`;
  }
}
