// The table of commands. The help and docs/commands.md are generated from it.

import { styleText } from "node:util";
import { Command, Help, type Option } from "commander";
import { settings } from "../config.ts";
import { organizationOption } from "./shell/options.ts";
import type { Shell } from "./shell/shell.ts";

type AddCommand = (command: Command, shell: Shell, setExitCode: (code: number) => void) => void;

interface CommandEntry {
  /** The title of its group in the help. */
  group: "Set up" | "Campaigns" | "Move data" | "Run" | "Look after";
  description: string;
  /** What follows `email-analytics`. The help of the command, and of each of its commands, shows them. */
  examples: readonly string[];
  load(): Promise<{ addTo: AddCommand }>;
}

/** A process loads the code of its own command only, so that it starts sooner. */
export const commandTable: Readonly<Record<string, CommandEntry>> = {
  init: {
    group: "Set up",
    description: "Set up an empty database: add the first organization, and invite its first admin",
    load: () => import("./commands/init.ts"),
    examples: ['init --name "Acme" --email ada@example.com --time-zone Europe/Berlin'],
  },
  organization: {
    group: "Set up",
    description: "Manage organizations, which own all other data",
    load: () => import("./commands/manage/organization.ts"),
    examples: ['organization add --name "Acme" --time-zone Europe/Berlin', "organization change --count all"],
  },
  tag: {
    group: "Campaigns",
    description: "Manage the tags of campaigns",
    load: () => import("./commands/manage/tag.ts"),
    examples: ['tag change --id News --name "Company news"'],
  },
  key: {
    group: "Set up",
    description: "Manage API keys",
    load: () => import("./commands/manage/key.ts"),
    examples: ['key add --name "Power BI" --days 365', 'key roll --id "Power BI"'],
  },
  views: {
    group: "Set up",
    description: "Manage SQL views for tools that read PostgreSQL",
    load: () => import("./commands/manage/views.ts"),
    examples: ["views add --role metabase"],
  },
  user: {
    group: "Set up",
    description: "Manage the users of the web application",
    load: () => import("./commands/manage/user.ts"),
    examples: [
      "user add --email ada@example.com --role admin",
      "user change --id ada@example.com --reset-password",
    ],
  },
  source: {
    group: "Set up",
    description: "Manage the email providers that send events (webhooks)",
    load: () => import("./commands/manage/source.ts"),
    examples: ["source add --provider postmark"],
  },
  campaign: {
    group: "Campaigns",
    description: "Close or delete a campaign",
    load: () => import("./commands/manage/campaign.ts"),
    examples: ["campaign close --id 42 --yes"],
  },
  recipient: {
    group: "Campaigns",
    description: "Forget a recipient",
    load: () => import("./commands/manage/recipient.ts"),
    examples: ["recipient forget ada@example.com --yes"],
  },
  directory: {
    group: "Campaigns",
    description: "Manage the directory: the department, site and so on of recipients",
    load: () => import("./commands/manage/directory.ts"),
    examples: [
      "directory import staff.csv --recipient Email --attribute Department --attribute Site=Location",
    ],
  },
  quarantine: {
    group: "Campaigns",
    description: "Manage quarantined events, which could not be counted",
    load: () => import("./commands/manage/quarantine.ts"),
    examples: ["quarantine list", "quarantine replay --campaign 42"],
  },
  import: {
    group: "Move data",
    description:
      "Import campaigns with their final numbers (saved API pages, JSON, NDJSON, CSV or XLSX), or events (NDJSON)",
    load: () => import("./commands/import.ts"),
    examples: ["import campaigns.csv", "import --events events.ndjson"],
  },
  pull: {
    group: "Move data",
    description:
      "Copy campaigns from a hosted service with the same API. Everything is saved at the end, or nothing.",
    load: () => import("./commands/pull.ts"),
    examples: ["pull --from https://www.example.com --every 6h"],
  },
  export: {
    group: "Move data",
    description:
      "Print all records of an organization, in a form that import reads without loss (ndjson, csv), or as downloads have them (feed-ndjson, feed-csv, parquet, xlsx). The first two include survey results that are withheld elsewhere.",
    load: () => import("./commands/export.ts"),
    examples: ["export > campaigns.ndjson", "export --format parquet > campaigns.parquet"],
  },
  report: {
    group: "Campaigns",
    description:
      "Print the digest of a period: changes beyond chance, the best and the worst campaigns, those that are still counting, and comments",
    load: () => import("./commands/report.ts"),
    examples: ["report", "report --period last-month --format html > report.html"],
  },
  recount: {
    group: "Look after",
    description: "Recount all counted campaigns. Exits with 1 if a number has drifted and was not repaired.",
    load: () => import("./commands/recount.ts"),
    examples: ["recount --repair"],
  },
  serve: {
    group: "Run",
    description: "Run the server",
    load: () => import("./commands/serve.ts"),
    examples: ["serve --port 8080", "serve --only api,web"],
  },
  doctor: {
    group: "Look after",
    description:
      "Check a deployment: settings, PUBLIC_URL, proxy, memory, database, clock, disk, events, keys and backups. Each finding says how to correct it. Exits with 1 if there is a problem; warnings do not count.",
    load: () => import("./commands/doctor.ts"),
    examples: ["doctor", "doctor --full"],
  },
  backup: {
    group: "Look after",
    description:
      "Copy the database into a file while the service runs, and verify the copy. FILE appears once it is complete.",
    load: () => import("./commands/backup.ts"),
    examples: ["backup /var/backups/email-analytics.db --replace"],
  },
  rehearse: {
    group: "Look after",
    description:
      "Rehearse an upgrade: migrate a copy of the database with this version, and compare its answers with those of the running service. Or prove a backup: migrate a copy of it, recount it and ask it for all data. Exits with 1 if answers differ or fail.",
    load: () => import("./commands/rehearse.ts"),
    examples: [
      "rehearse --key - --url http://127.0.0.1:8080 < key.txt",
      "rehearse /var/backups/email-analytics.db",
    ],
  },
  restore: {
    group: "Look after",
    description:
      "Verify a backup, make it the database, and tell clients: cursors of changes are refused, and every record counts as changed",
    load: () => import("./commands/restore.ts"),
    examples: ["restore /var/backups/email-analytics.db --replace --yes"],
  },
  copy: {
    group: "Move data",
    description:
      "Copy the database into an empty one, SQLite or PostgreSQL, and verify every row. Data that arrives during the copy is not copied.",
    load: () => import("./commands/copy.ts"),
    examples: ["copy --from sqlite:data/email-analytics.db --to postgres://db.example.com/analytics"],
  },
  migrate: {
    group: "Run",
    description:
      "Create the database, or upgrade it to this version; every other command upgrades it as well",
    load: () => import("./commands/migrate.ts"),
    examples: ["migrate"],
  },
  demo: {
    group: "Run",
    description: "Run the server with sample data, to try the API. The data is deleted when it stops.",
    load: () => import("./commands/demo.ts"),
    examples: ["demo", "demo --port 8080"],
  },
};

export const commandNames = Object.keys(commandTable);

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
  const program: Command = new Command("email-analytics")
    .description("Exact campaign email analytics, served to the visualization tools you already use.")
    .version(version)
    .option("--json", "print results as JSON, one object a line")
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: describeOption,
      subcommandTerm: (command) => command.name(),
      // Shows the first sentence; the help of the command has all.
      subcommandDescription: (command) => command.description().split(". ", 1)[0] ?? "",
      // Commander leaves colors out where the output is not a terminal.
      styleTitle: (text) => styleText("bold", text, { validateStream: false }),
      styleCommandText: (text) => styleText("cyan", text, { validateStream: false }),
      styleOptionText: (text) => styleText("cyan", text, { validateStream: false }),
    })
    .configureOutput({
      getOutHelpWidth: () => (shell.stdout as { columns?: number }).columns ?? defaultWidth,
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      // Commander prints its suggestions on a second line.
      outputError: (text, write) => write(`${text.trim().replaceAll("\n", " ")}\n`),
    })
    .exitOverride()
    .addHelpText("after", () => `${examplesHelp(firstExamples)}${settingsHelp(program)}`)
    .hook("preAction", async (_program, command) => {
      if (!command.options.includes(organizationOption)) return;
      await (await import("./shell/resolve-organization.ts")).resolveOrganization(shell, command);
    });
  for (const [name, { group, description, load, examples }] of Object.entries(commandTable)) {
    const command = program.command(name).description(description).helpGroup(`${group}:`);
    if (argv.includes(name)) (await load()).addTo(command, shell, setExitCode);
    for (const each of [command, ...command.commands]) each.addHelpText("after", examplesHelp(examples));
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

/** Where the output is not a terminal. */
const defaultWidth = 80;

/** What a person does first. */
const firstExamples = ["demo", "serve", "doctor"];

function examplesHelp(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((each) => `  email-analytics ${each}`).join("\n")}\n`;
}

/** Formats settings as Commander formats options, wrapped to the width of the terminal. */
function settingsHelp(program: Command): string {
  const help = program.createHelp();
  help.prepareContext({ helpWidth: program.configureOutput().getOutHelpWidth?.() ?? defaultWidth });
  const nameWidth = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).map(([name, { meaning, default: byDefault }]) => {
    const suffix = byDefault === "" ? "" : ` (default: ${byDefault})`;
    return help.formatItem(name, nameWidth, `${withoutMarkdown(meaning)}${suffix}`, help);
  });
  return `\nSettings (environment variables):\n${lines.join("\n")}`;
}

/** The meanings are also in docs/configuration.md, with code spans and links. */
function withoutMarkdown(text: string): string {
  return text.replaceAll("`", "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}
