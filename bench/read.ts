// How the emails endpoint answers: against the least that a server of Node can do, against what an engineer writes in an
// hour, and against itself.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { inFolder } from "../verify/folder.ts";
import { installIn } from "./installed.ts";
import { isPinned } from "./pinned.ts";
import { measureAgain } from "./read-again.ts";
import { measureBesideEvents } from "./read-beside-events.ts";
import { type Findings, figuresOf, type Measured } from "./read-findings.ts";
import type { Effort } from "./read-in-turn.ts";
import { performancePage } from "./read-page.ts";
import { measurePostgres } from "./read-postgres.ts";
import { measurePull } from "./read-pull.ts";
import { measureRandom } from "./read-random.ts";
import { printFindings } from "./read-report.ts";
import { measureStart } from "./read-start.ts";
import { makeWorld } from "./read-world.ts";

export interface ReadOptions extends Effort {
  /** Campaigns, and the many campaigns; made up to whole pages. */
  records: number;
  large: number;
  /** Writes the page for users even if there were fewer campaigns or runs than there should be. */
  isWritten: boolean;
}

export const readDefaults = { records: 100_000, large: 1_000_000, runs: 5, seconds: 2 };
const page = join(import.meta.dirname, "..", "docs", "performance.md");
/** A server that is less busy was not asked as fast as it could answer. */
const busyLeast = 0.9;

export async function benchRead({ records, large, runs, seconds, isWritten }: ReadOptions): Promise<void> {
  const findings: Findings = { ratios: [], figures: [], remarks: [], versions: [] };
  const effort = { runs, seconds };
  const say = (what: string) => process.stderr.isTTY && console.error(what);
  const sqlite = new Sqlite(":memory:").prepare("select sqlite_version()").pluck().get();
  findings.versions.push(`Node ${process.versions.node}`, `SQLite ${sqlite}`);
  await inFolder(async (folder) => {
    const program = installIn(join(folder, "installed"));
    say("campaigns are made");
    const world = await makeWorld(`sqlite:${join(folder, "read.db")}`, program, wholePages(records));
    say("the same pages again and again");
    await measureAgain(world, findings, effort);
    say("a pull of all pages");
    await measurePull(world, findings, effort);
    say("many more campaigns are made");
    const many = await makeWorld(`sqlite:${join(folder, "large.db")}`, program, wholePages(large));
    say("random pages");
    await measureRandom(world, many, findings, effort);
    say("the first page after a start");
    await measureStart(many, findings, effort);
    say("pages while events come in");
    await measureBesideEvents(world, findings, effort);
    say("PostgreSQL");
    await measurePostgres(program, wholePages(records), findings, effort);
  });
  remarkOnMachine(findings);
  printFindings(findings, runs);
  const isFull =
    findings.versions.some((version) => version.startsWith("PostgreSQL")) &&
    records >= readDefaults.records &&
    large >= readDefaults.large &&
    runs >= readDefaults.runs &&
    seconds >= readDefaults.seconds;
  if (isFull || isWritten) writeFileSync(page, performancePage(findings, { records, large, runs, seconds }));
  const name = "docs/performance.md";
  console.log(
    isFull || isWritten
      ? `${name} was written.`
      : `${name} was not written: this was less than a full measurement (--write writes it anyway).`,
  );
}

/** What makes the figures worse than they could be, or a ceiling too low. */
function remarkOnMachine({ figures, remarks }: Findings): void {
  if (!isPinned)
    remarks.push("Nothing was pinned to a processor: `taskset` or a second processor is missing.");
  const slowlyAsked: string[] = [];
  for (const measured of figures) {
    const [busy, asking, processor] = (["busy", "askingUs", "processorUs"] as const).map(
      (field) => figuresOf(measured, (load) => (load.latencies ? load[field] : undefined))?.median,
    );
    if (busy === undefined || asking === undefined || processor === undefined) continue;
    if (busy < busyLeast && !isShared(measured))
      slowlyAsked.push(`${measured.name} (${Math.round(100 * busy)} %)`);
    if (asking > processor) remarks.push(`To ask took longer than to answer: ${measured.name}.`);
  }
  if (slowlyAsked.length === 0) return;
  remarks.push(
    `These had their processor for less than ${100 * busyLeast} % of the time, since something else used it or the asking was too slow: ${slowlyAsked.join("; ")}.`,
  );
}

/** It waits for another server. */
const isShared = ({ name }: Measured) => name.startsWith("PostgreSQL");

const wholePages = (campaigns: number) => Math.ceil(campaigns / 100) * 100;
