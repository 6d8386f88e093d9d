// All commands. The help and docs/commands.md are generated from them.

import { Command, Help, type Option } from "commander";
import { settings } from "../config.ts";
import { addCampaignCommands } from "./commands/campaign.ts";
import { addCheckCommand } from "./commands/check.ts";
import { addConfirmClockCommand } from "./commands/confirm-clock.ts";
import { addCopyCommand } from "./commands/copy.ts";
import { addDemoCommand } from "./commands/demo.ts";
import { addExportCommand } from "./commands/export.ts";
import { addImportCommand } from "./commands/import.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addOrganizationCommands } from "./commands/organization.ts";
import { addPullCommand } from "./commands/pull.ts";
import { addQuarantineCommands } from "./commands/quarantine.ts";
import { addRecipientCommands } from "./commands/recipient.ts";
import { addRecountCommand } from "./commands/recount.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSourceCommands } from "./commands/source.ts";
import { addTagCommands } from "./commands/tag.ts";
import { addTapCommand } from "./commands/tap.ts";
import { addUserCommands } from "./commands/user.ts";
import { addVacuumCommand } from "./commands/vacuum.ts";
import type { Shell } from "./shell.ts";

/** @param setExitCode takes the exit code of a command that ends without an error, but not with 0 */
export function buildProgram(shell: Shell, version: string, setExitCode: (code: number) => void): Command {
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

  const group = (name: string, description: string) => program.command(name).description(description);
  addOrganizationCommands(group("organization", "Manage organizations, which own all other data"), shell);
  addTagCommands(group("tag", "Manage the tags of campaigns"), shell);
  addKeyCommands(group("key", "Manage API keys"), shell);
  addUserCommands(group("user", "Manage the users of the web application"), shell);
  addSourceCommands(group("source", "Manage the email providers that send events (webhooks)"), shell);
  addCampaignCommands(group("campaign", "Close or delete a campaign"), shell);
  addRecipientCommands(group("recipient", "Forget a recipient"), shell);
  addQuarantineCommands(group("quarantine", "Manage quarantined events, which could not be counted"), shell);
  addImportCommand(program.command("import"), shell, setExitCode);
  addPullCommand(program.command("pull"), shell, setExitCode);
  addExportCommand(program.command("export"), shell);
  addTapCommand(program.command("tap"), shell);
  addRecountCommand(program.command("recount"), shell, setExitCode);
  addCheckCommand(program.command("check"), shell, setExitCode);
  addServeCommand(program.command("serve"), shell, setExitCode);
  addVacuumCommand(program.command("vacuum"), shell, setExitCode);
  addConfirmClockCommand(program.command("confirm-clock"), shell);
  addCopyCommand(program.command("copy"), shell);
  addMigrateCommand(program.command("migrate"), shell);
  addDemoCommand(program.command("demo"), shell);
  return program;
}

/**
 * The program or the group of commands that was named without one of its commands. Commander would answer with the whole
 * help instead of an error.
 */
export function findIncompleteCommand(program: Command, argv: readonly string[]): Command | undefined {
  const [name, ...rest] = argv.filter((argument) => argument !== "--json");
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
