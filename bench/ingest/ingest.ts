// Measures the rate of events, by import and over HTTP, on both databases, against a bare loop that parses the same lines
// and writes the same event and recipient rows in batches of the same size, with the same database settings.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { eventsPerCommit } from "../../src/cli/import/import-events.ts";
import { generateEvents, requestBodies } from "../../test/support/generated-events.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { programPath } from "../../test/support/program.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../test/support/service-process.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { writeLines } from "../../test/support/write-lines.ts";
import { memoryOf } from "../support/process-stats.ts";

const bareLoop = (name: string) => join(import.meta.dirname, name);
const campaigns = 50;
const eventsPerRequest = 500;
const connections = 4;

/** The databases of the service and of the bare loop. */
interface BenchDatabase {
  bareLoop: string;
  /** Path or URL of a new database for the bare loop. */
  bareDatabase(name: string): Promise<string>;
  /** URL of a new database for the service. */
  database(name: string): Promise<string>;
}

export async function benchIngest(events: number): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "events.ndjson");
    await writeLines(file, generateEvents(events, campaigns));
    console.log("SQLite");
    const path = async (name: string) => join(folder, `${name}.db`);
    await benchDatabase(file, events, {
      bareLoop: bareLoop("bare-sqlite.ts"),
      bareDatabase: path,
      database: async (name) => `sqlite:${await path(name)}`,
    });
    console.log("PostgreSQL (bare loop: COPY of the event IDs, one upsert of the recipients)");
    const server = await startPostgres();
    try {
      const database = async (name: string) => {
        await server.query(`create database ${name}`);
        return server.url(name);
      };
      await benchDatabase(file, events, {
        bareLoop: bareLoop("bare-postgres.ts"),
        bareDatabase: database,
        database,
      });
    } finally {
      await server.remove();
    }
  });
}

async function benchDatabase(file: string, events: number, target: BenchDatabase): Promise<void> {
  const runBareLoop = async (name: string) =>
    runTimed(target.bareLoop, [file, await target.bareDatabase(name), String(eventsPerCommit)], {});
  const bare = await runBareLoop("bare");
  const imported = await timeImport(await target.database("import"), file);
  const sent = await timeRequests(await target.database("http"), events);
  const again = await runBareLoop("bare_again");
  const seconds = (bare.seconds + again.seconds) / 2;
  printRatio("import: rate vs. the bare loop", seconds / imported.first.seconds);
  printRatio(
    "import of the same file again (all repeated): rate vs. the bare loop",
    seconds / imported.again.seconds,
  );
  printRatio(`HTTP, ${eventsPerRequest} events per request: rate vs. the bare loop`, seconds / sent.seconds);
  printTiming("bare loop, average of before and after", { ...bare, seconds }, events);
  printTiming("import", imported.first, events);
  printTiming("import of the same file again", imported.again, events);
  printTiming(`HTTP, ${connections} connections`, sent, events);
}

async function timeImport(DATABASE_URL: string, file: string): Promise<{ first: Timed; again: Timed }> {
  const keys = await makeOrganization(DATABASE_URL);
  const service = await startService(DATABASE_URL);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  await stopService(service);
  const argv = ["import", "--organization", String(keys.organizationId), "--events", file];
  const first = await runTimed(programPath, argv, { DATABASE_URL });
  return { first, again: await runTimed(programPath, argv, { DATABASE_URL }) };
}

async function timeRequests(databaseUrl: string, events: number): Promise<Timed> {
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  const bodies = [...requestBodies(generateEvents(events, campaigns))];
  const started = performance.now();
  await sendAll(service.url, keys.ingest, bodies, connections);
  const seconds = (performance.now() - started) / 1000;
  const peakMegabytes = memoryOf(service.child.pid ?? 0)?.peak ?? 0;
  await stopService(service);
  return { seconds, peakMegabytes };
}

function printRatio(name: string, ratio: number): void {
  console.log(`${ratio.toFixed(2).padStart(8)} x  ${name}`);
}

/** @param count how many events the program has processed */
function printTiming(name: string, { seconds, peakMegabytes }: Timed, count: number): void {
  const rate = Math.round(count / seconds);
  const memory = `peak memory ${peakMegabytes.toFixed(0)} MB`;
  console.log(`${seconds.toFixed(2).padStart(8)} s  ${name}: ${rate} per second, ${memory}`);
}

interface Timed {
  seconds: number;
  /** The largest resident memory of the process. */
  peakMegabytes: number;
}

/** Runs a script with the Node of this process, and measures its time and memory. */
async function runTimed(script: string, argv: string[], environment: Record<string, string>): Promise<Timed> {
  const report =
    "data:text/javascript,process.on('exit',()=>console.error('peak='+process.resourceUsage().maxRSS))";
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", report, script, ...argv], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await once(child, "close");
  const seconds = (performance.now() - started) / 1000;
  const peak = /peak=(\d+)/.exec(errors)?.[1];
  if (child.exitCode !== 0 || !peak) throw new Error(`${script} ${argv.join(" ")}: ${errors}`);
  return { seconds, peakMegabytes: (Number(peak) * 1024) / 1e6 };
}
