// Starts programs that are pinned to CPUs: the measured server on one, the client on another, and others beside them.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import type { RunningService } from "../../test/support/service-process.ts";

type Cpu = "server" | "client" | "other";

const cpus = availableParallelism();

/** Whether processes can be pinned: it needs `taskset` and two CPUs. */
const isPinned =
  cpus >= 2 && ["0", "1"].every((each) => spawnSync("taskset", ["-c", each, "true"]).status === 0);

const cpuSets: Record<Cpu, string> = {
  server: "0",
  client: "1",
  other: cpus > 2 ? `2-${cpus - 1}` : "1",
};

/** The command that runs a script with the Node of this process on a CPU. */
export function nodeOn(cpu: Cpu): string[] {
  return [...(isPinned ? ["taskset", "-c", cpuSets[cpu]] : []), process.execPath];
}

/** Starts a server that prints its URL as one line of JSON. @param input its standard input */
export async function startServer(
  script: string,
  argv: readonly string[],
  { cpu, input }: { cpu: Cpu; input?: Buffer },
): Promise<RunningService> {
  const [file = "", ...given] = [...nodeOn(cpu), script, ...argv];
  const child = spawn(file, given, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const ended = once(child, "close");
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!value) throw new Error(`${script} did not start`);
  const { url } = JSON.parse(value) as { url: string };
  return { url, child, ended, stderr: () => "" };
}

/** A script that reads its job as JSON and prints a report as JSON when it ends. */
export interface RunningWorker<Report> {
  /** Resolves with the first output: a script that runs until it is stopped prints something when it has started. */
  started: Promise<unknown>;
  /** Stops the script, or waits for its end, and returns its report. */
  end(): Promise<Report>;
}

export function startWorker<Report>(script: string, job: object, cpu: Cpu): RunningWorker<Report> {
  const [file = "", ...given] = [...nodeOn(cpu), script];
  const child = spawn(file, given, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(`${JSON.stringify(job)}\n`);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const ended = once(child, "close");
  return {
    started: Promise.race([once(child.stdout, "data"), ended]),
    async end() {
      child.stdin.end();
      await ended;
      if (child.exitCode !== 0) throw new Error(`${script} failed`);
      return JSON.parse(output) as Report;
    },
  };
}

/** Runs a script that ends without being stopped. */
export function runWorker<Report>(script: string, job: object, cpu: Cpu): Promise<Report> {
  return startWorker<Report>(script, job, cpu).end();
}
