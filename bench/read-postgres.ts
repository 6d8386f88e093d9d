// The same on PostgreSQL: a page again and again, against a program that only looks up the key; and random pages, against
// an hour's work.

import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../test/support/postgres-server.ts";
import type { SelectJob } from "./bare-select.ts";
import { runProgram } from "./pinned.ts";
import { pageAddress, randomPages } from "./read-addresses.ts";
import { atLeast, type Findings, rateRatio } from "./read-findings.ts";
import { type Effort, measureInTurn } from "./read-in-turn.ts";
import type { Load } from "./read-load.ts";
import { checkSame, nothingRemembered, Servers } from "./read-servers.ts";
import { makeWorld, type World } from "./read-world.ts";

const script = join(import.meta.dirname, "bare-select.ts");

export async function measurePostgres(
  program: string,
  campaigns: number,
  findings: Findings,
  effort: Effort,
): Promise<void> {
  const server = await startPostgres().catch((error: unknown) => String(error));
  if (typeof server === "string") {
    findings.remarks.push(`PostgreSQL was not measured, since it did not start: ${server.split("\n")[0]}`);
    return;
  }
  try {
    const [version] = await server.query("show server_version");
    findings.versions.push(`PostgreSQL ${version?.server_version}`);
    await server.query("create database read");
    const world = await makeWorld(server.url("read"), program, campaigns);
    // Otherwise autovacuum would do it while something is measured.
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    await client.query("vacuum analyze");
    await client.end();
    await measureServers(world, findings, effort);
  } finally {
    await server.remove();
  }
}

function measureServers(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const remembering = await servers.ours(world);
    const ours = await servers.ours(world, { environment: nothingRemembered });
    const work = await servers.hourOfWork(world);
    const random = randomPages(world);
    await checkSame(ours, work, world, [pageAddress(1), ...random.slice(0, 10)]);
    const { read: key, organizationId } = world.keys;
    const select = (isPrepared: boolean) => {
      const job: SelectJob = {
        databaseUrl: world.databaseUrl,
        organizationId,
        key,
        seconds: effort.seconds,
        isPrepared,
      };
      return runProgram<Load>(script, job, "measured");
    };
    const by = await measureInTurn(
      {
        select: { name: "PostgreSQL, plain selects of the key", measure: () => select(false) },
        prepared: { name: "PostgreSQL, prepared selects of the key", measure: () => select(true) },
        same: {
          name: "PostgreSQL, the same page of 100: service",
          server: remembering,
          key,
          paths: [pageAddress(1)],
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
