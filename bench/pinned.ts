// Programs on processors of their own: what is measured on one, what asks it on another, and anything else beside it.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import type { RunningService } from "../verify/service.ts";

export type CorePlacement = "measured" | "asking" | "beside";

const processors = availableParallelism();

/** Where `taskset` exists, and there are two processors at least. */
export const isPinned =
  processors >= 2 && ["0", "1"].every((each) => spawnSync("taskset", ["-c", each, "true"]).status === 0);

const processorsOf: Record<CorePlacement, string> = {
  measured: "0",
  asking: "1",
  beside: processors > 2 ? `2-${processors - 1}` : "1",
};

/** What runs a script there with the Node of this process. */
export function nodeOn(place: CorePlacement): string[] {
  return [...(isPinned ? ["taskset", "-c", processorsOf[place]] : []), process.execPath];
}

/**
 * Starts a server. It says where it listens by one line of JSON; `stated` is all of that.
 *
 * @param input what it reads from standard input
 */
export async function startProgram(
  script: string,
  argv: readonly string[],
  { place, input }: { place: CorePlacement; input?: Buffer },
): Promise<RunningService & { stated: Record<string, string> }> {
  const [file = "", ...given] = [...nodeOn(place), script, ...argv];
  const child = spawn(file, given, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const ended = once(child, "close");
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!value) throw new Error(`${script} did not start`);
  const stated = JSON.parse(value) as Record<string, string>;
  return { url: stated.url ?? "", stated, child, ended, stderr: () => "" };
}

/** A program that is given its work as JSON and tells what it saw as JSON, at its end. */
export interface Running<Report> {
  /** Resolves when it has said something, as one does that goes on until it is told to end. */
  begun: Promise<unknown>;
  /** Tells it to come to its end, if it waits for that, and returns what it saw. */
  end(): Promise<Report>;
}

export function begin<Report>(script: string, work: object, place: CorePlacement): Running<Report> {
  const [file = "", ...given] = [...nodeOn(place), script];
  const child = spawn(file, given, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(`${JSON.stringify(work)}\n`);
  let said = "";
  child.stdout.on("data", (piece) => {
    said += piece;
  });
  const ended = once(child, "close");
  return {
    begun: Promise.race([once(child.stdout, "data"), ended]),
    async end() {
      child.stdin.end();
      await ended;
      if (child.exitCode !== 0) throw new Error(`${script} failed`);
      return JSON.parse(said) as Report;
    },
  };
}

/** Runs it until it has come to its end by itself. */
export function runProgram<Report>(script: string, work: object, place: CorePlacement): Promise<Report> {
  return begin<Report>(script, work, place).end();
}
