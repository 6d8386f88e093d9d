// Runs the command line and turns errors into messages and exit codes.

import { setTimeout } from "node:timers/promises";
import { CommanderError } from "commander";
import { buildProgram, findIncompleteCommand } from "./cli/program.ts";
import type { Shell } from "./cli/shell/shell.ts";
import { untilSignal } from "./cli/shell/until-signal.ts";
import { processEnvironment } from "./config.ts";
import { AppError } from "./errors.ts";
import { programVersion } from "./storage/migrations/program-version.ts";
import { explainUnwritable } from "./storage/sqlite/failures.ts";

const exitCodes = { success: 0, failure: 1, wrongUsage: 2 } as const;

/** @returns the exit code: 0 success, 1 failure, 2 wrong usage */
export async function main(argv: readonly string[], shell: Shell = processShell()): Promise<number> {
  let exitCode: number = exitCodes.success;
  const program = await buildProgram(
    argv,
    shell,
    `${programVersion()} on Node ${process.versions.node}`,
    (code) => {
      exitCode = code;
    },
  );
  const incomplete = findIncompleteCommand(program, argv);
  if (incomplete === program) {
    program.outputHelp();
    return exitCodes.success;
  }
  if (incomplete) {
    const names = incomplete.commands.map((command) => command.name()).join(", ");
    printError(shell, `a command is missing: ${names}; see "email-analytics ${incomplete.name()} --help"`);
    return exitCodes.wrongUsage;
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(shell, error);
  }
}

/**
 * Prints an expected error as one line.
 *
 * @returns the exit code
 * @throws the error itself if it is a bug
 */
function reportError(shell: Shell, error: unknown): number {
  // Commander has already printed its message.
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.success : exitCodes.wrongUsage;
  }
  if (error instanceof AppError) {
    printError(shell, error.message);
    return error.code === "bad_request" ? exitCodes.wrongUsage : exitCodes.failure;
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return exitCodes.success;
  const isSqlState = /^(?=.*\d)[0-9A-Z]{5}$/.test(code);
  if (isSqlState || /^SQLITE_\w+$/.test(code)) {
    printError(shell, `the database: ${message} (${code})${explainUnwritable(error)}`);
  } else if (/^E[A-Z]+$/.test(code)) printError(shell, message);
  else throw error;
  return exitCodes.failure;
}

function printError(shell: Shell, message: string): void {
  shell.stderr.write(`error: ${message.replaceAll("\n", " ")}\n`);
}

function processShell(): Shell {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the pipe has exited (`export | head`): that is not a failure.
    if (error.code === "EPIPE") process.exit(exitCodes.success);
    process.stderr.write(`error: standard output: ${error.message}\n`);
    process.exit(exitCodes.failure);
  });
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: processEnvironment,
    now: Date.now,
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    untilStopped: untilSignal,
  };
}
