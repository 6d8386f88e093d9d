// Runs the command line as a real process, to test signals, pipes, standard streams and exit codes.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "./program.ts";
import type { Cleanup } from "./world.ts";

export interface Program {
  child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  /** Resolves with the match as soon as standard output contains it. Rejects if the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Whether the process has ended and its output was read. */
  isOver(): boolean;
  /** Resolves with the exit code or signal when the process has ended and its output was read. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Sends a signal, and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts `email-analytics` with only this environment. The process is killed when the test ends. */
export function start(
  test: Cleanup,
  argv: string[],
  environment: Record<string, string> = {},
  program = programPath,
  cwd = process.cwd(),
): Program {
  const { PATH = "", TMPDIR, NODE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  const env = {
    PATH,
    REGION: "test",
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
    // Compiling TypeScript would take most of the time of a process.
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...environment,
  };
  const child = spawn(process.execPath, [program, ...argv], { env, cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  test.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    isOver: () => isOver,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(stdout);
        if (match) return match;
        const isOver = await Promise.race([
          once(child.stdout, "data").then(() => false),
          ended.then(() => true),
        ]);
        if (isOver && !pattern.test(stdout)) throw new Error(`never printed ${pattern}: ${stdout}${stderr}`);
      }
    },
    ended,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

export const serveOnFreePort = ["serve", "--port", "0", "--json"];

/** The URL of a server that was started with `--json`. */
export async function urlOf(server: Program): Promise<string> {
  await server.printed(/\n/);
  return (JSON.parse(server.stdout()) as { url: string }).url;
}
