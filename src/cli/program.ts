// The table of commands. The help and docs/commands.md are generated from it.

import { Command, Help, type Option } from "commander";
import { settings } from "../config.ts";
import type { Shell } from "./shell.ts";

type AddCommand = (command: Command, shell: Shell, setExitCode: (code: number) => void) => void;

interface CommandEntry {
  /** Of a group; a single command describes itself. */
  description?: string;
  load(): Promise<AddCommand>;
}

/** A process loads the code of its own command only, so that it starts sooner. */
const commands: Record<string, CommandEntry> = {
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
  import: { load: async () => (await import("./commands/import.ts")).addImportCommand },
  pull: { load: async () => (await import("./commands/pull.ts")).addPullCommand },
  export: { load: async () => (await import("./commands/export.ts")).addExportCommand },
  tap: { load: async () => (await import("./commands/tap.ts")).addTapCommand },
  recount: { load: async () => (await import("./commands/recount.ts")).addRecountCommand },
  check: { load: async () => (await import("./commands/check.ts")).addCheckCommand },
  serve: { load: async () => (await import("./commands/serve.ts")).addServeCommand },
  vacuum: { load: async () => (await import("./commands/vacuum.ts")).addVacuumCommand },
  "confirm-clock": { load: async () => (await import("./commands/confirm-clock.ts")).addConfirmClockCommand },
  copy: { load: async () => (await import("./commands/copy.ts")).addCopyCommand },
  migrate: { load: async () => (await import("./commands/migrate.ts")).addMigrateCommand },
  demo: { load: async () => (await import("./commands/demo.ts")).addDemoCommand },
};

/**
 * @param argv names the command; without a known command the program has all of them
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
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      // Commander prints its suggestions on a second line.
      outputError: (text, write) => write(`${text.trim().replaceAll("\n", " ")}\n`),
    })
    .exitOverride()
    .addHelpText("after", settingsHelp);
  const [named = ""] = withoutJson(argv);
  const names = Object.hasOwn(commands, named) ? [named] : Object.keys(commands);
  for (const name of names) {
    const { description = "", load } = commands[name] as CommandEntry;
    (await load())(program.command(name).description(description), shell, setExitCode);
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
