// The table of commands. The help and docs/commands.md are generated from it.

import { Command, Help, type Option } from "commander";
import { settings } from "../config.ts";
import type { Shell } from "./shell.ts";

type AddCommand = (command: Command, shell: Shell, setExitCode: (code: number) => void) => void;

interface CommandEntry {
  description: string;
  load(): Promise<AddCommand>;
}

/** A process loads the code of its own command only, so that it starts sooner. */
const commands: Readonly<Record<string, CommandEntry>> = {
  organization: {
    description: "Manage organizations, which own all other data",
    load: async () => (await import("./commands/organization.ts")).addOrganizationCommands,
  },
  tag: {
    description: "Manage the tags of campaigns",
    load: async () => (await import("./commands/tag.ts")).addTagCommands,
  },
  key: {
    description: "Manage API keys",
    load: async () => (await import("./commands/key.ts")).addKeyCommands,
  },
  "csv-link": {
    description: "Manage links that return campaigns as CSV",
    load: async () => (await import("./commands/csv-link.ts")).addCsvLinkCommands,
  },
  views: {
    description: "Manage SQL views for tools that read PostgreSQL",
    load: async () => (await import("./commands/views.ts")).addViewsCommands,
  },
  user: {
    description: "Manage the users of the web application",
    load: async () => (await import("./commands/user.ts")).addUserCommands,
  },
  source: {
    description: "Manage the email providers that send events (webhooks)",
    load: async () => (await import("./commands/source.ts")).addSourceCommands,
  },
  campaign: {
    description: "Close or delete a campaign",
    load: async () => (await import("./commands/campaign.ts")).addCampaignCommands,
  },
  recipient: {
    description: "Forget a recipient",
    load: async () => (await import("./commands/recipient.ts")).addRecipientCommands,
  },
  quarantine: {
    description: "Manage quarantined events, which could not be counted",
    load: async () => (await import("./commands/quarantine.ts")).addQuarantineCommands,
  },
  import: {
    description:
      "Import campaigns with their final numbers (saved API pages, JSON, NDJSON or CSV), or events (NDJSON)",
    load: async () => (await import("./commands/import.ts")).addImportCommand,
  },
  pull: {
    description:
      "Copy campaigns from a hosted service with the same API. Everything is saved at the end, or nothing.",
    load: async () => (await import("./commands/pull.ts")).addPullCommand,
  },
  export: {
    description:
      "Print all records of an organization, in a form that import reads without loss (ndjson, csv), or as downloads have them (feed-ndjson, feed-csv, parquet)",
    load: async () => (await import("./commands/export.ts")).addExportCommand,
  },
  recount: {
    description: "Recount all counted campaigns. Exits with 1 if a number has drifted and was not repaired.",
    load: async () => (await import("./commands/recount.ts")).addRecountCommand,
  },
  serve: {
    description: "Run the server",
    load: async () => (await import("./commands/serve.ts")).addServeCommand,
  },
  doctor: {
    description:
      "Check a deployment: settings, PUBLIC_URL, proxy, database, clock, disk, events, keys and backups. Each finding says how to correct it. Exits with 1 if there is a problem; warnings do not count.",
    load: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
  },
  backup: {
    description:
      "Copy the database into a file while the service runs, and verify the copy. FILE appears once it is complete.",
    load: async () => (await import("./commands/backup.ts")).addBackupCommand,
  },
  restore: {
    description:
      "Verify a backup, make it the database, and tell clients: cursors of changes are refused, and every record counts as changed",
    load: async () => (await import("./commands/restore.ts")).addRestoreCommand,
  },
  copy: {
    description:
      "Copy the database into an empty one, SQLite or PostgreSQL, and verify every row. Data that arrives during the copy is not copied.",
    load: async () => (await import("./commands/copy.ts")).addCopyCommand,
  },
  migrate: {
    description:
      "Create the database, or upgrade it to this version; every other command upgrades it as well",
    load: async () => (await import("./commands/migrate.ts")).addMigrateCommand,
  },
  demo: {
    description: "Run the server with sample data, to try the API. The data is deleted when it stops.",
    load: async () => (await import("./commands/demo.ts")).addDemoCommand,
  },
};

export const commandNames = Object.keys(commands);

/**
 * @param argv the commands that it names are complete; the others have only their names and descriptions
 * @param setExitCode takes the exit code of a command that ends without an error, but not with 0
 */
export async function buildProgram(
  argv: readonly string[],
  shell: Shell,
  version: string,
  setExitCode: (code: number) => void,
): Promise<Command> {
  const program = new Command("email-analytics")
    .description("Exact campaign email analytics, served to the visualization tools you already use.")
    .version(version)
    .option("--json", "print results as JSON, one object a line")
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: describeOption,
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      // Commander prints its suggestions on a second line.
      outputError: (text, write) => write(`${text.trim().replaceAll("\n", " ")}\n`),
    })
    .exitOverride()
    .addHelpText("after", settingsHelp);
  for (const [name, { description, load }] of Object.entries(commands)) {
    const command = program.command(name).description(description);
    if (argv.includes(name)) (await load())(command, shell, setExitCode);
  }
  return program;
}

/** The arguments without the option that may come before the command. */
const withoutJson = (argv: readonly string[]) => argv.filter((argument) => argument !== "--json");

/**
 * The program or the group of commands that was named without one of its commands. Commander would answer with the whole
 * help instead of an error.
 */
export function findIncompleteCommand(program: Command, argv: readonly string[]): Command | undefined {
  const [name, ...rest] = withoutJson(argv);
  if (name === undefined) return program;
  const command = program.commands.find((each) => each.name() === name);
  return rest.length === 0 && command && command.commands.length > 0 ? command : undefined;
}

/** Commander does not mark the options that a command requires. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, { meaning, default: byDefault }]) => {
    const suffix = byDefault === "" ? "" : ` (default: ${byDefault})`;
    return `  ${name.padEnd(16)} ${meaning.replaceAll("`", "")}${suffix}`;
  });
  return `\nSettings (environment variables):\n${lines.join("\n")}`;
}
