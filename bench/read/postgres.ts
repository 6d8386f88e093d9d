// Measures PostgreSQL: the same page against a program that only looks up the key, and random pages against the baseline.

import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { runWorker } from "../support/programs.ts";
import type { SelectJob } from "./bare-select.ts";
import { atLeast, type Findings, rateRatio } from "./findings.ts";
import { type Effort, measureInterleaved } from "./measure-interleaved.ts";
import type { Load } from "./page-load.ts";
import { pageUrl, randomPageUrls } from "./page-urls.ts";
import { checkSameRecords, Servers, withoutCache } from "./servers.ts";
import { makeWorld, vacuumAnalyze, type World } from "./world.ts";

const script = join(import.meta.dirname, "bare-select.ts");

export async function measurePostgres(
  program: string,
  campaigns: number,
  findings: Findings,
  effort: Effort,
): Promise<void> {
  const server = await startPostgres().catch((error: unknown) => String(error));
  if (typeof server === "string") {
    findings.notes.push(`PostgreSQL was not measured, because it did not start: ${server.split("\n")[0]}`);
    return;
  }
  try {
    const [version] = await server.query("show server_version");
    findings.versions.push(`PostgreSQL ${version?.server_version}`);
    await server.query("create database read");
    const world = await makeWorld(server.url("read"), program, campaigns);
    await vacuumAnalyze(world.databaseUrl);
    await measureServers(world, findings, effort);
  } finally {
    await server.remove();
  }
}

function measureServers(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const caching = await servers.service(world);
    const ours = await servers.service(world, { environment: withoutCache });
    const work = await servers.baseline(world);
    const random = randomPageUrls(world);
    await checkSameRecords(ours, work, world, [pageUrl(1), ...random.slice(0, 10)]);
    const { read: key, organizationId } = world.keys;
    const select = (isPrepared: boolean) => {
      const job: SelectJob = {
        databaseUrl: world.databaseUrl,
        organizationId,
        key,
        seconds: effort.seconds,
        isPrepared,
      };
      return runWorker<Load>(script, job, "server");
    };
    const by = await measureInterleaved(
      {
        select: { name: "PostgreSQL, plain selects of the key", measure: () => select(false) },
        prepared: { name: "PostgreSQL, prepared selects of the key", measure: () => select(true) },
        same: {
          name: "PostgreSQL, the same page of 100: service",
          server: caching,
          key,
          paths: [pageUrl(1)],
        },
        random: { name: "PostgreSQL, random pages: service", server: ours, key, paths: random },
        work: { name: "PostgreSQL, random pages: baseline", server: work, key, paths: random },
      },
      effort,
    );
    findings.ratios.push(
      rateRatio("PostgreSQL, the same page of 100 vs. plain selects", by.same, by.select, atLeast(0.5)),
      rateRatio("PostgreSQL, the same page of 100 vs. prepared selects", by.same, by.prepared),
      rateRatio("PostgreSQL, random pages of 100 vs. the baseline", by.random, by.work, atLeast(30)),
    );
    findings.figures.push(...Object.values(by));
  });
}
