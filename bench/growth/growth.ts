// Measures how the time of a page, an import and a start, and the space on disk and in memory, grow with the number of
// campaigns of one organization, and with the number of organizations.

import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { startService, stopService } from "../../verify/support/service.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { rangeOf } from "../read/findings.ts";
import { type Effort, runPageLoad, type Subject, type WritableEffort } from "../read/measure-interleaved.ts";
import { allPageUrls, monthPageUrls, pageUrl, randomPageUrls, tagPageUrls } from "../read/page-urls.ts";
import { withoutCache } from "../read/servers.ts";
import { makeWorld, type World } from "../read/world.ts";
import { buildPackage } from "../support/build-package.ts";
import { writeSection } from "../support/performance-sections.ts";
import { memoryOf } from "../support/process-stats.ts";
import { nodeOn } from "../support/programs.ts";
import { growthTable } from "./growth-table.ts";
import { makeOrganizations } from "./organizations.ts";

const smallest = 10_000;
const campaignsOfEach = 100;
const organizations = 10_000;
/** With ten million campaigns, more clients would wait for so long that some were answered with 503. */
const connections = 4;

/** The measurements of one database; times in microseconds, sizes in bytes. */
export interface Growth {
  name: string;
  campaigns: number;
  /** Per campaign. */
  importUs: number;
  startUs: number;
  firstRequestUs: number;
  pagesUs: Record<string, number>;
  diskBytes: number;
  /** Of the process with its cached timelines. */
  memoryBytes: number;
}

/** @param largest the number of campaigns of the largest organization; measures powers of ten from 10,000 up to it */
export async function benchGrowth(largest: number, effort: WritableEffort): Promise<void> {
  const rows: Growth[] = [];
  await withTemporaryFolder(async (folder) => {
    const program = buildPackage(join(folder, "installed"));
    /** Measures a new database, which is deleted afterwards: the largest needs most of a small disk. */
    const add = (measure: (databaseUrl: string) => Promise<Omit<Growth, "diskBytes">>) =>
      withTemporaryFolder(async (data) => {
        const measured = await measure(`sqlite:${join(data, "growth.db")}`);
        rows.push({ ...measured, diskBytes: bytesIn(data) });
        const lines = growthTable(rows).split("\n");
        console.log((rows.length === 1 ? lines : lines.slice(-1)).join("\n"));
      });
    for (let campaigns = smallest; campaigns <= largest; campaigns *= 10) {
      await add((databaseUrl) => measureOne(databaseUrl, program, campaigns, effort));
    }
    const count = Math.min(organizations, Math.ceil(largest / campaignsOfEach));
    await add((databaseUrl) => measureMany(databaseUrl, program, count, effort));
  });
  if (effort.isWritten) writeSection("growth", growthTable(rows));
}

async function measureOne(databaseUrl: string, program: string, campaigns: number, effort: Effort) {
  const startedAt = performance.now();
  const world = await makeWorld(databaseUrl, program, campaigns);
  const importUs = ((performance.now() - startedAt) * 1000) / campaigns;
  const pages = {
    first: [pageUrl(1)],
    last: allPageUrls(world).slice(-1),
    random: randomPageUrls(world),
    month: monthPageUrls(world),
    tags: tagPageUrls(world),
  };
  const name = `${campaigns.toLocaleString("en")} of one organization`;
  return { name, campaigns, importUs, ...(await measureService(world, [world.keys.read], pages, effort)) };
}

async function measureMany(databaseUrl: string, program: string, count: number, effort: Effort) {
  const startedAt = performance.now();
  const campaigns = count * campaignsOfEach;
  const { world, keys } = await makeOrganizations(databaseUrl, program, count, campaignsOfEach);
  const importUs = ((performance.now() - startedAt) * 1000) / campaigns;
  // One page has all campaigns of an organization.
  const pages = { random: keys.map(() => pageUrl(1)) };
  const name = `${campaignsOfEach} of each of ${count.toLocaleString("en")} organizations`;
  return { name, campaigns, importUs, ...(await measureService(world, keys, pages, effort)) };
}

/** Starts the service without cached responses and requests the pages. */
async function measureService(
  { databaseUrl, program }: Pick<World, "databaseUrl" | "program">,
  keys: string[],
  pages: Record<string, string[]>,
  { runs, seconds }: Effort,
): Promise<Pick<Growth, "startUs" | "firstRequestUs" | "pagesUs" | "memoryBytes">> {
  const startedAt = performance.now();
  const options = { command: nodeOn("server"), program, environment: withoutCache };
  const server = await startService(databaseUrl, options);
  try {
    const startUs = (performance.now() - startedAt) * 1000;
    const firstRequestUs = await timeRequest(`${server.url}${pageUrl(1)}`, keys[0] ?? "");
    const pagesUs: Record<string, number> = {};
    for (const [name, paths] of Object.entries(pages)) {
      const subject: Subject = { name, server, key: "", keys, paths, connections, hasOpenLoop: false };
      const rates: number[] = [];
      for (let run = 0; run < runs; run++) rates.push((await runPageLoad(subject, { seconds })).rate);
      pagesUs[name] = 1e6 / rangeOf(rates).median;
    }
    const memoryBytes = (memoryOf(server.child.pid ?? 0)?.now ?? Number.NaN) * 1e6;
    return { startUs, firstRequestUs, pagesUs, memoryBytes };
  } finally {
    await stopService(server);
  }
}

async function timeRequest(url: string, key: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return (performance.now() - startedAt) * 1000;
}

/** The database with its write-ahead log. */
function bytesIn(folder: string): number {
  return globSync("growth.db*", { cwd: folder }).reduce(
    (sum, file) => sum + statSync(join(folder, file)).size,
    0,
  );
}
