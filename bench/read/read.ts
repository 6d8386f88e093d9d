// Measures the emails endpoint against a ceiling, a plain Node server, and against a hand-written baseline.

import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { buildPackage } from "../support/build-package.ts";
import { writeSection } from "../support/performance-sections.ts";
import { isPinned } from "../support/programs.ts";
import { measureColdStart } from "./cold-start.ts";
import { measureDuringIngest } from "./during-ingest.ts";
import { type Findings, figuresOf, type Measured } from "./findings.ts";
import { measureFullPull } from "./full-pull.ts";
import type { Effort } from "./measure-interleaved.ts";
import { readSection } from "./performance-page.ts";
import { measurePostgres } from "./postgres.ts";
import { printFindings } from "./print-findings.ts";
import { measureRandomPages } from "./random-pages.ts";
import { measureRepeatedPages } from "./repeated-pages.ts";
import { makeWorld } from "./world.ts";

export interface ReadOptions extends Effort {
  /** The numbers of campaigns, rounded up to whole pages. */
  records: number;
  large: number;
  /** Whether to write the section of docs/performance.md. */
  isWritten: boolean;
}

export const readDefaults = { records: 100_000, large: 1_000_000, runs: 5, seconds: 2 };
/** Below this, the client or other programs have limited the server. */
const minCpuShare = 0.9;

export async function benchRead({ records, large, runs, seconds, isWritten }: ReadOptions): Promise<void> {
  const findings: Findings = { ratios: [], figures: [], notes: [], versions: [] };
  const effort = { runs, seconds };
  const report = (step: string) => process.stderr.isTTY && console.error(step);
  const sqlite = new Sqlite(":memory:").prepare("select sqlite_version()").pluck().get();
  findings.versions.push(`Node ${process.versions.node}`, `SQLite ${sqlite}`);
  await withTemporaryFolder(async (folder) => {
    const program = buildPackage(join(folder, "installed"));
    report("generating campaigns");
    const world = await makeWorld(`sqlite:${join(folder, "read.db")}`, program, wholePages(records));
    report("repeated pages");
    await measureRepeatedPages(world, findings, effort);
    report("download of all pages");
    await measureFullPull(world, findings, effort);
    report("generating many more campaigns");
    const many = await makeWorld(`sqlite:${join(folder, "large.db")}`, program, wholePages(large));
    report("random pages");
    await measureRandomPages(world, many, findings, effort);
    report("first page after a start");
    await measureColdStart(many, findings, effort);
    report("random pages with events");
    await measureDuringIngest(world, findings, effort);
    report("PostgreSQL");
    await measurePostgres(program, wholePages(records), findings, effort);
  });
  noteLimits(findings);
  printFindings(findings, runs);
  if (isWritten) writeSection("read", readSection(findings, { records, large, runs, seconds }));
}

/** Notes about the computer that make the figures less reliable. */
function noteLimits({ figures, notes }: Findings): void {
  if (!isPinned) notes.push("No process was pinned to a CPU: `taskset` or a second CPU is missing.");
  const limited: string[] = [];
  for (const measured of figures) {
    const [share, client, server] = (["cpuShare", "clientCpuUs", "cpuUs"] as const).map(
      (field) => figuresOf(measured, (load) => (load.latencies ? load[field] : undefined))?.median,
    );
    if (share === undefined || client === undefined || server === undefined) continue;
    if (share < minCpuShare && !waitsForPostgres(measured))
      limited.push(`${measured.name} (${Math.round(100 * share)} %)`);
    if (client > server) notes.push(`The client used more CPU time than the server: ${measured.name}.`);
  }
  if (limited.length === 0) return;
  notes.push(
    `These servers used less than ${100 * minCpuShare} % of their CPU, because of other programs or a slow client: ${limited.join("; ")}.`,
  );
}

/** The service waits for the PostgreSQL server. */
const waitsForPostgres = ({ name }: Measured) => name.startsWith("PostgreSQL");

const wholePages = (campaigns: number) => Math.ceil(campaigns / 100) * 100;
