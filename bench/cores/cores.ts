// Measures `serve --processes` with 1, 2, 4 and 8 processes, up to the cores of this computer, against one process and
// against as many processes of plain node:http, because the client shares the cores.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { atLeast, type Findings, type Measured, rateRatio } from "../read/findings.ts";
import {
  type Effort,
  measureInterleaved,
  type Subject,
  type WritableEffort,
} from "../read/measure-interleaved.ts";
import { pageUrl, randomPageUrls } from "../read/page-urls.ts";
import { figureTable, noteList, ratioTable } from "../read/performance-page.ts";
import { printFindings } from "../read/print-findings.ts";
import { fetchResponse, Servers, withoutCache } from "../read/servers.ts";
import { makeWorld, vacuumAnalyze, type World } from "../read/world.ts";
import { buildPackage } from "../support/build-package.ts";
import { writeSection } from "../support/performance-sections.ts";

/** The share of the ideal growth that is the goal. */
const minEfficiency = 0.85;
const cores = availableParallelism();
const counts = [1, 2, 4, 8].filter((count) => count <= cores);

export async function benchCores(records: number, effort: WritableEffort): Promise<void> {
  const findings: Findings = {
    ratios: [],
    figures: [],
    notes: [`This computer has ${cores} cores: measured with ${counts.join(", ")} processes.`],
    versions: [`Node ${process.versions.node}`],
  };
  await withTemporaryFolder(async (folder) => {
    const program = buildPackage(join(folder, "installed"));
    const world = await makeWorld(`sqlite:${join(folder, "cores.db")}`, program, records);
    await measureDatabase("SQLite", world, findings, effort);
    const server = await startPostgres();
    try {
      await server.query("create database cores");
      const world = await makeWorld(server.url("cores"), program, records);
      await vacuumAnalyze(world.databaseUrl);
      await measureDatabase("PostgreSQL", world, findings, effort);
    } finally {
      await server.remove();
    }
  });
  printFindings(findings, effort.runs);
  if (!effort.isWritten) return;
  const { ratios, figures, notes } = findings;
  writeSection("cores", `${noteList(notes)}\n\n${ratioTable(ratios)}\n\n${figureTable(figures)}`);
}

/** The measurements with one number of processes. */
interface Group {
  bare: Measured;
  random: Measured;
  same: Measured;
}

function measureDatabase(database: string, world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const subjects: Record<string, Subject> = {};
    for (const count of counts) Object.assign(subjects, await subjectsOf(servers, world, database, count));
    const by = await measureInterleaved(subjects, effort);
    const groups = counts.map((count) => {
      const of = (kind: keyof Group) => by[`${kind}${count}`] as Measured;
      return { bare: of("bare"), random: of("random"), same: of("same") };
    });
    const [one, ...several] = groups as [Group, ...Group[]];
    for (const [index, group] of several.entries()) {
      addRatios(findings, database, counts[index + 1] ?? 0, one, group);
    }
    findings.figures.push(...Object.values(by));
  });
}

async function subjectsOf(servers: Servers, world: World, database: string, count: number) {
  const random = await servers.group(world, count, withoutCache);
  const same = await servers.group(world, count);
  const bare = await servers.bareGroup(count, await fetchResponse(random, world, pageUrl(1)));
  const shown = `${database}, ${count} ${count === 1 ? "process" : "processes"}`;
  const all = { key: world.keys.read, hasOpenLoop: false, isGroup: true };
  return {
    [`bare${count}`]: { ...all, name: `${shown}: node:http`, server: bare, paths: [pageUrl(1)] },
    [`random${count}`]: {
      ...all,
      name: `${shown}: random pages`,
      server: random,
      paths: randomPageUrls(world),
    },
    [`same${count}`]: { ...all, name: `${shown}: the same page`, server: same, paths: [pageUrl(1)] },
  } satisfies Record<string, Subject>;
}

function addRatios(findings: Findings, database: string, count: number, one: Group, several: Group): void {
  const name = (kind: string) => `${database}, ${count} processes vs. one: ${kind}`;
  const goal = atLeast(minEfficiency * count);
  const bare = rateRatio(name("node:http"), several.bare, one.bare);
  for (const [kind, pages] of [
    ["random", "random pages"],
    ["same", "the same page"],
  ] as const) {
    const ratio = rateRatio(name(pages), several[kind], one[kind], goal);
    const relative = ratio.values.map((value, run) => value / (bare.values[run] ?? Number.NaN));
    findings.ratios.push(ratio, {
      name: `${database}, ${pages}: growth with ${count} processes vs. growth of node:http`,
      values: relative,
      unit: "x",
    });
  }
  findings.ratios.push(bare);
}
