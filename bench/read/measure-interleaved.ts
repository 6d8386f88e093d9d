// Measures several servers in turn, in every run again, so that other work on the computer affects all of them equally.

import { join } from "node:path";
import type { RunningService } from "../../test/support/service-process.ts";
import { runWorker } from "../support/programs.ts";
import type { Measured } from "./findings.ts";
import type { Load, PageJob } from "./page-load.ts";

export interface Subject extends Pick<PageJob, "key" | "paths"> {
  name: string;
  server: RunningService;
  /** Measures the load, with something else meanwhile. */
  beside?(measure: () => Promise<Load>): Promise<Load>;
}

/** How often and how long to measure. */
export interface Effort {
  runs: number;
  seconds: number;
}

const script = join(import.meta.dirname, "page-load.ts");

export function runPageLoad(
  { server, key, paths }: Pick<Subject, "server" | "key" | "paths">,
  { seconds }: Pick<Effort, "seconds">,
): Promise<Load> {
  const job: PageJob = { url: server.url, pid: server.child.pid ?? 0, key, paths, seconds };
  return runWorker<Load>(script, job, "client");
}

/** Every second run is in reverse order. */
export async function measureInterleaved<Name extends string>(
  subjects: Record<Name, Subject>,
  effort: Effort,
): Promise<Record<Name, Measured>> {
  const entries = Object.entries<Subject>(subjects);
  const measured = Object.fromEntries(
    entries.map(([key, { name }]) => [key, { name, runs: [] as Load[] }]),
  ) as Record<Name, Measured>;
  for (let run = 0; run < effort.runs; run++) {
    for (const [key, subject] of run % 2 === 0 ? entries : entries.toReversed()) {
      const measure = () => runPageLoad(subject, effort);
      measured[key as Name].runs.push(await (subject.beside ? subject.beside(measure) : measure()));
    }
  }
  return measured;
}
