// Renders the help of every command for docs/commands.md.

import type { Command } from "commander";
import { buildProgram, commandNames } from "../../src/cli/program.ts";
import type { Shell } from "../../src/cli/shell/shell.ts";
import { code, table } from "./markdown.ts";

/** Every command and subcommand, with its full name such as `email-analytics tag add`. */
export function allCommands(): { name: string; command: Command }[] {
  const collect = (command: Command, before: string): { name: string; command: Command }[] => {
    const name = `${before}${command.name()}`;
    return [{ name, command }, ...command.commands.flatMap((each) => collect(each, `${name} `))];
  };
  return collect(program, "");
}

/** A shell that does nothing: printing help never uses it. */
const noShell: Shell = {
  stdin: {
    async *[Symbol.asyncIterator]() {},
  },
  stdout: process.stdout,
  stderr: process.stderr,
  environment: {},
  now: () => 0,
  sleep: async () => undefined,
  untilStopped: async () => undefined,
};

const program = await buildProgram(commandNames, noShell, "0.0.0", () => undefined);

export function commandTable(): string {
  const rows = allCommands()
    .filter(({ command }) => command.parent && command.commands.length === 0)
    .map(({ name, command }) => [code(name.replace(/^email-analytics /, "")), command.description()]);
  return table(["Command", "What it does"], rows);
}

export function commandHelp(): string {
  return allCommands()
    .map(({ name, command }) => {
      command.configureOutput({ getOutHelpWidth: () => 100, getOutHasColors: () => false });
      return `## ${name}\n\n\`\`\`text\n${command.helpInformation().trimEnd()}\n\`\`\``;
    })
    .join("\n\n");
}
