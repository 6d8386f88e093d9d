// Puts several servers under load one after the other, and all of them again in each run, so that what else happens on the
// machine meets them alike.

import { join } from "node:path";
import type { RunningService } from "../verify/service.ts";
import { runProgram } from "./pinned.ts";
import type { Measured } from "./read-findings.ts";
import type { Load, ReadJob } from "./read-load.ts";

export interface Subject {
  name: string;
  server: RunningService;
  key: string;
  paths: string[];
  ifNoneMatch?: string;
  /** Unless it is said otherwise there is one. */
  hasOpenLoop?: boolean;
}

/** How long and how often. */
export interface Effort {
  runs: number;
  seconds: number;
}

const script = join(import.meta.dirname, "read-load.ts");

export function load(
  { server, key, paths, ifNoneMatch, hasOpenLoop = true }: Subject,
  { seconds, isPull = false }: { seconds: number; isPull?: boolean },
): Promise<Load> {
  const job: ReadJob = {
    url: server.url,
    pid: server.child.pid ?? 0,
    key,
    paths,
    isPull,
    seconds,
    hasOpenLoop,
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
  };
  return runProgram<Load>(script, job, "asking");
}

/** Anything else that is measured in turn. */
export interface Measurement {
  name: string;
  measure(): Promise<Load>;
}

/** Every second run is in the opposite order. */
export async function measureInTurn<Name extends string>(
  subjects: Record<Name, Subject | Measurement>,
  { runs, seconds }: Effort,
): Promise<Record<Name, Measured>> {
  const entries = Object.entries<Subject | Measurement>(subjects);
  const measured = Object.fromEntries(
    entries.map(([key, { name }]) => [key, { name, runs: [] as Load[] }]),
  ) as Record<Name, Measured>;
  for (let run = 0; run < runs; run++) {
    for (const [key, subject] of run % 2 === 0 ? entries : entries.toReversed()) {
      const isOther = "measure" in subject;
      measured[key as Name].runs.push(await (isOther ? subject.measure() : load(subject, { seconds })));
    }
  }
  return measured;
}
