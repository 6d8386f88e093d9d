// Measures several servers in turn, in every run again, so that other work on the computer affects all of them equally.

import { join } from "node:path";
import type { RunningService } from "../../verify/support/service.ts";
import { runWorker } from "../support/programs.ts";
import type { Measured } from "./findings.ts";
import type { Load, PageJob } from "./page-load.ts";

export interface Subject {
  name: string;
  server: RunningService;
  key: string;
  /** Several keys, used in turn instead of `key`. */
  keys?: string[];
  paths: string[];
  /** The keys that lead to the campaigns in a response, if the server is not the service. */
  list?: readonly string[];
  ifNoneMatch?: string;
  /** By default 16. */
  connections?: number;
  /** Default: true. */
  hasOpenLoop?: boolean;
}

/** How often and how long to measure. */
export interface Effort {
  runs: number;
  seconds: number;
}

/** Of a benchmark with a section in docs/performance.md. */
export interface WritableEffort extends Effort {
  isWritten: boolean;
}

const script = join(import.meta.dirname, "page-load.ts");

export function runPageLoad(
  { server, key, keys = [key], paths, list, ifNoneMatch, connections, hasOpenLoop = true }: Subject,
  { seconds, isPull = false }: { seconds: number; isPull?: boolean },
): Promise<Load> {
  const job: PageJob = {
    url: server.url,
    pid: server.child.pid ?? 0,
    keys,
    paths,
    isPull,
    seconds,
    hasOpenLoop,
    ...(list && { list }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
    ...(connections !== undefined && { connections }),
  };
  return runWorker<Load>(script, job, "client");
}

/** A measurement that is not a page load. */
export interface Measurement {
  name: string;
  measure(): Promise<Load>;
}

/** Every second run is in reverse order. */
export async function measureInterleaved<Name extends string>(
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
      measured[key as Name].runs.push(
        await (isOther ? subject.measure() : runPageLoad(subject, { seconds })),
      );
    }
  }
  return measured;
}
