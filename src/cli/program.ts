// The table of commands, from which the help and the documentation come.

import { Command, Option } from "commander";
import { settings } from "../config.ts";
import { distribute } from "../storage/postgres/distribute.ts";
import { addCampaignCommands } from "./commands/campaign.ts";
import { addCopyCommand } from "./commands/copy.ts";
import { addDemoCommand } from "./commands/demo.ts";
import { type ExportFormat, exportCampaigns, exportFormats } from "./commands/export.ts";
import { importCampaigns } from "./commands/import.ts";
import { importEvents } from "./commands/import-events.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addOrganizationCommands } from "./commands/organization.ts";
import { addQuarantineCommands } from "./commands/quarantine.ts";
import { addRecipientCommands } from "./commands/recipient.ts";
import { addRecountCommand } from "./commands/recount.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSourceCommands } from "./commands/source.ts";
import { addTagCommands } from "./commands/tag.ts";
import { addUserCommands } from "./commands/user.ts";
import { addVacuumCommand } from "./commands/vacuum.ts";
import { printDone } from "./output.ts";
import { outputOf, parseId, type Shell, settingsOf, withDatabase } from "./shell.ts";

/** @param exit takes the exit code of a command that ends without an error and without success */
export function buildProgram(shell: Shell, version: string, exit: (code: number) => void): Command {
  const program = new Command("email-analytics")
    .description("Exact campaign email analytics, served to the visualization tools you already use.")
    .version(version)
    .option("--json", "print results as JSON, one object a line")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      // Commander puts what may have been meant into a second line.
      outputError: (text, write) => write(`${text.trim().replaceAll("\n", " ")}\n`),
    })
    .exitOverride()
    .addHelpText("after", settingsHelp);

  addOrganizationCommands(
    program.command("organization").description("Organizations, the owners of everything else"),
    shell,
  );
  addTagCommands(program.command("tag").description("Tags of campaigns"), shell);
  addKeyCommands(program.command("key").description("API keys"), shell);
  addUserCommands(
    program.command("user").description("People who may sign in to the web application"),
    shell,
  );
  addSourceCommands(program.command("source").description("Email providers whose events come in"), shell);
  addCampaignCommands(program.command("campaign").description("Single campaigns"), shell);
  addRecipientCommands(program.command("recipient").description("Single recipients"), shell);
  addQuarantineCommands(
    program.command("quarantine").description("Events that could not be counted, or not yet"),
    shell,
  );

  program
    .command("import")
    .description(
      "Import campaigns with their finished numbers (saved pages, JSON, NDJSON or CSV), or events (NDJSON); - is standard input",
    )
    .argument("<FILE...>", "files; one of campaigns is taken whole or not at all")
    .requiredOption("--organization <ID>", "whose campaigns they are", parseId)
    .option("--events", "the files hold events, as they are sent to /ingest/v1/events")
    .option("--dry-run", "check everything, write nothing")
    .action(
      async (
        files: string[],
        options: { organization: number; events?: boolean; dryRun?: boolean },
        command: Command,
      ) => {
        if (files.filter((file) => file === "-").length > 1) {
          command.error("error: standard input (-) can be read only once");
        }
        const { stdin, now } = shell;
        const { organization: organizationId, dryRun = false } = options;
        if (options.events) {
          if (dryRun)
            command.error(
              "error: --dry-run is for campaigns; events are counted once, however often they come",
            );
          const quarantineMax = settingsOf(shell).QUARANTINE_MAX;
          const imported = withDatabase(shell, (database) =>
            importEvents(database, outputOf(shell, command), {
              organizationId,
              files,
              stdin,
              now,
              quarantineMax,
            }),
          );
          return exit(await imported);
        }
        const imported = withDatabase(shell, (database) =>
          importCampaigns(database, outputOf(shell, command), { organizationId, files, dryRun, stdin, now }),
        );
        return exit(await imported);
      },
    );

  program
    .command("export")
    .description("Print all records of an organization, such that an import elsewhere loses nothing of them")
    .requiredOption("--organization <ID>", "whose campaigns", parseId)
    .addOption(new Option("--format <FORMAT>", "how").choices(exportFormats).default("ndjson"))
    .action(async (options: { organization: number; format: ExportFormat }, command: Command) => {
      const { organization: organizationId, format } = options;
      await withDatabase(shell, (database) =>
        exportCampaigns(database, outputOf(shell, command), { organizationId, format }),
      );
    });

  addRecountCommand(program.command("recount"), shell, exit);
  addServeCommand(program.command("serve"), shell);

  addVacuumCommand(program.command("vacuum"), shell, exit);
  addCopyCommand(program.command("copy"), shell);

  program
    .command("migrate")
    .description("Bring the database to this version, which every command does by itself as well, or make it")
    .option("--distribute", "spread the tables over the machines of a Citus cluster, by organization")
    .action(async ({ distribute: isToBeSpread }: { distribute?: boolean }, command: Command) => {
      const done = await withDatabase(
        shell,
        async ({ migrated, transaction }) => ({
          migrated,
          ...(isToBeSpread && { distributed: await transaction(distribute) }),
        }),
        { mayBeNew: true },
      );
      printDone(outputOf(shell, command), done, sentenceOf(done));
    });

  addDemoCommand(program.command("demo"), shell);
  return program;
}

function sentenceOf({ migrated, distributed = [] }: { migrated: string[]; distributed?: string[] }): string {
  return [
    migrated.length > 0 ? `Migrated: ${migrated.join(", ")}.` : "The database is up to date.",
    ...(distributed.length > 0 ? [`Distributed: ${distributed.join(", ")}.`] : []),
  ].join(" ");
}

/** The group of commands that is named without saying what to do in it: its whole help would be no clear line. */
export function unfinishedCommand(program: Command, argv: readonly string[]): Command | undefined {
  const words = argv.filter((word) => word !== "--json");
  if (words.length === 0) return program;
  const named =
    words.length === 1 ? program.commands.find((command) => command.name() === words[0]) : undefined;
  return named && named.commands.length > 0 ? named : undefined;
}

function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, { meaning, default: byDefault }]) => {
    const suffix = byDefault === "" ? "" : ` (default: ${byDefault})`;
    return `  ${name.padEnd(16)} ${meaning.replaceAll("`", "")}${suffix}`;
  });
  return `\nSettings, from the environment:\n${lines.join("\n")}`;
}
