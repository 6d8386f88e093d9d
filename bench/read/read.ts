// Measures pages of campaigns beside the most that Node can do (the ceiling: the same bytes from a buffer) and beside a
// program as people would write it (the hand-written baseline), which returns the same records.

import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { buildPackage } from "../support/build-package.ts";
import { registerForEvents } from "../support/event-stream.ts";
import { memoryOf } from "../support/process-stats.ts";
import { atLeast, atMost, type Findings, printFindings, ratioOf } from "./findings.ts";
import { type Effort, measureInterleaved, runPageLoad } from "./measure-interleaved.ts";
import type { Load } from "./page-load.ts";
import { allPageUrls, pageUrl, randomPageUrls, tagPageUrls } from "./page-urls.ts";
import { checkSameRecords, fetchResponse, Servers } from "./servers.ts";
import { makeWorld, vacuumAnalyze, type World } from "./world.ts";

/** The largest organization whose every page must be fast. */
const usualCampaigns = 5_000;
const perSecond = 5_000;
const [ten, hundred] = [pageUrl(1, 10), pageUrl(1)];

export async function benchRead(records: number, effort: Effort): Promise<void> {
  const findings: Findings = { ratios: [], figures: [] };
  await withTemporaryFolder(async (folder) => {
    const program = await buildPackage(join(folder, "installed"));
    const world = await makeWorld(`sqlite:${join(folder, "read.db")}`, program, wholePages(records));
    const usual = await makeWorld(`sqlite:${join(folder, "usual.db")}`, program, usualCampaigns);
    await Servers.during((servers) => measurePages(servers, world, findings, effort));
    await Servers.during((servers) => measureBesideEvents(servers, world, findings, effort));
    await Servers.during((servers) => measureMemory(servers, usual, findings, effort));
    const postgres = await startPostgres();
    try {
      await postgres.query("create database read");
      const world = await makeWorld(postgres.url("read"), program, wholePages(records));
      await vacuumAnalyze(world.databaseUrl);
      await Servers.during((servers) => measurePostgres(servers, world, findings, effort));
    } finally {
      await postgres.remove();
    }
  });
  printFindings(findings);
}

async function measurePages(servers: Servers, world: World, findings: Findings, effort: Effort) {
  const server = await servers.service(world);
  const work = await servers.baseline(world);
  const bareTen = await servers.bareServer(await fetchResponse(server, world, ten));
  const bareHundred = await servers.bareServer(await fetchResponse(server, world, hundred));
  const [random, last] = [randomPageUrls(world), allPageUrls(world).slice(-1)];
  await checkSameRecords(server, work, world, [ten, hundred, ...random.slice(0, 10), ...last]);
  const key = world.keys.read;
  // Loads the new database into the cache of the operating system.
  await runPageLoad({ server, key, paths: random }, effort);
  const by = await measureInterleaved(
    {
      bareTen: { name: "ceiling, 10 campaigns", server: bareTen, key, paths: [ten] },
      bareHundred: { name: "ceiling, 100 campaigns", server: bareHundred, key, paths: random },
      ten: { name: "the same page of 10", server, key, paths: [ten] },
      hundred: { name: "the same page of 100", server, key, paths: [hundred] },
      random: { name: "random pages", server, key, paths: random },
      tags: { name: "random pages of three random tags", server, key, paths: tagPageUrls(world) },
      first: { name: "first page", server, key, paths: [hundred] },
      last: { name: "last page", server, key, paths: last },
      work: { name: "random pages, hand-written", server: work, key, paths: random },
    },
    effort,
  );
  const many = world.campaigns.toLocaleString("en");
  findings.ratios.push(
    ratioOf(`random pages of 100 of ${many} vs. the ceiling`, by.random, by.bareHundred, {
      goal: atLeast(0.5),
    }),
    ratioOf("the same page of 10 vs. the ceiling", by.ten, by.bareTen, { goal: atLeast(0.6) }),
    ratioOf("the same page of 100 vs. the ceiling", by.hundred, by.bareHundred, { goal: atLeast(0.6) }),
    ratioOf("three tags of twenty vs. all", by.tags, by.random, { goal: atLeast(0.35) }),
    ratioOf("last page vs. first page", by.last, by.first, { goal: atLeast(0.95) }),
    ratioOf("random pages vs. hand-written", by.random, by.work),
  );
  findings.figures.push(...Object.values(by));
}

/** Another process on the same database ingests events of the same organization. */
async function measureBesideEvents(servers: Servers, world: World, findings: Findings, effort: Effort) {
  const ingesting = await servers.ingestService(world);
  const startEvents = await registerForEvents(ingesting.url, world.keys.ingest, { perSecond });
  const server = await servers.service(world, { argv: ["--only", "api"] });
  const subject = { server, key: world.keys.read, paths: randomPageUrls(world) };
  const beside = async (measure: () => Promise<Load>) => {
    const sending = await startEvents();
    const load = await measure();
    await sending.end();
    return load;
  };
  const name = `random pages beside ${perSecond.toLocaleString("en")} events per second`;
  const by = await measureInterleaved(
    { quiet: { name: "random pages, quiet", ...subject }, busy: { name, ...subject, beside } },
    effort,
  );
  // The client and the sender may share a CPU, so the rate would be theirs.
  const of = ({ cpuUs }: Load) => 1 / cpuUs;
  findings.ratios.push(
    ratioOf(`${name} vs. quiet, by CPU time`, by.busy, by.quiet, { of, goal: atLeast(0.8) }),
  );
  findings.figures.push(...Object.values(by));
}

async function measureMemory(servers: Servers, world: World, findings: Findings, effort: Effort) {
  const server = await servers.service(world);
  const bare = await servers.bareServer(await fetchResponse(server, world, hundred));
  const memory = ({ child }: typeof server) => memoryOf(child.pid ?? 0)?.now ?? Number.NaN;
  const values: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
  for (let run = 0; run < effort.runs; run++) {
    for (const each of [server, bare]) {
      await runPageLoad({ server: each, key: world.keys.read, paths: randomPageUrls(world) }, effort);
    }
    values.ours.push(memory(server));
    values.bare.push(memory(bare));
  }
  const name = `memory after random pages of ${world.campaigns.toLocaleString("en")}`;
  const ratios = values.ours.map((mb, run) => mb / (values.bare[run] ?? Number.NaN));
  findings.ratios.push(
    { name, values: values.ours, unit: "MB", goal: atMost(160) },
    { name: `${name} vs. the ceiling`, values: ratios, unit: "x" },
  );
}

async function measurePostgres(servers: Servers, world: World, findings: Findings, effort: Effort) {
  const server = await servers.service(world);
  const work = await servers.baseline(world);
  const paths = randomPageUrls(world);
  await checkSameRecords(server, work, world, [hundred, ...paths.slice(0, 10)]);
  const key = world.keys.read;
  const by = await measureInterleaved(
    {
      ours: { name: "PostgreSQL, random pages", server, key, paths },
      work: { name: "PostgreSQL, random pages, hand-written", server: work, key, paths },
    },
    effort,
  );
  findings.ratios.push(
    ratioOf("PostgreSQL, random pages of 100 vs. hand-written", by.ours, by.work, { goal: atLeast(60) }),
  );
  findings.figures.push(...Object.values(by));
}

const wholePages = (campaigns: number) => Math.ceil(campaigns / 100) * 100;
