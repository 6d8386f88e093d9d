// Measures the time and peak memory of a program.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Timed {
  seconds: number;
  /** The largest resident memory of the process. */
  peakMegabytes: number;
}

/** Runs a script with the Node of this process, and measures its time and memory. */
export async function runTimed(
  script: string,
  argv: string[],
  environment: Record<string, string>,
): Promise<Timed> {
  const report =
    "data:text/javascript,process.on('exit',()=>console.error('peak='+process.resourceUsage().maxRSS))";
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", report, script, ...argv], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await once(child, "close");
  const seconds = (performance.now() - started) / 1000;
  const peak = /peak=(\d+)/.exec(errors)?.[1];
  if (child.exitCode !== 0 || !peak) throw new Error(`${script} ${argv.join(" ")}: ${errors}`);
  return { seconds, peakMegabytes: (Number(peak) * 1024) / 1e6 };
}
