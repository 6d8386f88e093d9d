// Names the commands and runs the one that is asked for.

import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { untilSignal } from "./cli/commands/serve.ts";
import { buildProgram, unfinishedCommand } from "./cli/program.ts";
import type { Shell } from "./cli/shell.ts";
import { processEnvironment } from "./config.ts";
import { AppError } from "./errors.ts";

const exitCodes = { done: 0, refused: 1, wrongUsage: 2 } as const;

/** @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage */
export async function main(argv: readonly string[], shell: Shell = processShell()): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = buildProgram(shell, readVersion(), (code) => {
    exitCode = code;
  });
  const fail = (code: number, message: string) => {
    shell.stderr.write(`error: ${message.replaceAll("\n", " ")}\n`);
    return code;
  };
  const unfinished = unfinishedCommand(program, argv);
  if (unfinished) {
    const verbs = unfinished.commands.map((command) => command.name()).join(", ");
    const name = unfinished === program ? "email-analytics" : `email-analytics ${unfinished.name()}`;
    return fail(exitCodes.wrongUsage, `say what to do: ${verbs}; see "${name} --help"`);
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    if (error instanceof AppError) {
      return fail(error.code === "bad_request" ? exitCodes.wrongUsage : exitCodes.refused, error.message);
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return exitCodes.done;
    if (code && /^(SQLITE_\w+|(?=.*\d)[0-9A-Z]{5})$/.test(code))
      return fail(exitCodes.refused, `the database: ${(error as Error).message} (${code})`);
    if (code && /^E[A-Z]+$/.test(code)) return fail(exitCodes.refused, (error as Error).message);
    throw error;
  }
}

function processShell(): Shell {
  // A reader that has gone (`export | head`) wants no more and no complaint.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.done);
    process.stderr.write(`error: standard output: ${error.message}\n`);
    process.exit(exitCodes.refused);
  });
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment,
    now: Date.now,
    untilStopped: untilSignal,
  };
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
