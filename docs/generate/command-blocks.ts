// Renders the help of every command for docs/commands.md.

import type { Command } from "commander";
import { buildProgram, commandNames } from "../../src/cli/program.ts";
import { organizationOption } from "../../src/cli/shell/options.ts";
import type { Shell } from "../../src/cli/shell/shell.ts";
import { code } from "./markdown.ts";

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

/** Every command that does something, without its groups: its help, less the options that the page has at its top. */
export function commandHelp(): string {
  let group = "";
  return leafCommands()
    .map(({ name, command }) => {
      const top = command.parent?.parent ? command.parent : command;
      const heading = top.helpGroup() === group ? "" : `## ${top.helpGroup().replace(/:$/, "")}\n\n`;
      group = top.helpGroup();
      return `${heading}### ${name}\n\n${[introduction(command), optionList(command)].filter(Boolean).join("\n\n")}`;
    })
    .join("\n\n");
}

/** The commands without commands of their own, in the groups of the help. */
export function leafCommands(): { name: string; command: Command }[] {
  const groups = [...new Set(program.commands.map((command) => command.helpGroup()))];
  return groups.flatMap((group) =>
    program.commands
      .filter((command) => command.helpGroup() === group)
      .flatMap((command) => (command.commands.length === 0 ? [command] : command.commands))
      .map((command) => ({
        name: command.parent === program ? command.name() : `${command.parent?.name()} ${command.name()}`,
        command,
      })),
  );
}

function introduction(command: Command): string {
  const description = command.description().replace(/\.$/, "");
  const help = command.createHelp();
  const lines = help
    .visibleArguments(command)
    .map((argument) => `${code(help.argumentTerm(argument))} is ${help.argumentDescription(argument)}`);
  return [description, ...lines].map((line) => `${line.replaceAll("<", "&lt;")}.`).join(" ");
}

function optionList(command: Command): string {
  const help = command.createHelp();
  return command.options
    .filter((option) => !option.hidden && option !== organizationOption)
    .map((option) => `- ${code(option.flags)}: ${help.optionDescription(option)}`)
    .join("\n");
}
