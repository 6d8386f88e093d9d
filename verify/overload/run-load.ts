// Runs the load in a process of its own, so that it takes its time from no measurement.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LoadJob, LoadReport } from "./load.ts";

export async function runLoad(job: LoadJob): Promise<LoadReport> {
  return JSON.parse(await outputOf(startScript("load.ts", JSON.stringify(job)))) as LoadReport;
}

/** Starts a script of this folder. */
export function startScript(name: string, argument: string): ChildProcess {
  const script = join(import.meta.dirname, name);
  return spawn(process.execPath, [script, argument], { stdio: ["pipe", "pipe", "inherit"] });
}

/** @returns what the process prints until it ends */
export async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const [exitCode] = await once(child, "close");
  assert.equal(exitCode, 0, "a process of the check failed");
  return output;
}
