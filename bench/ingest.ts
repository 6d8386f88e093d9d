// How fast events are taken, by import and over HTTP, on either database, against a bare loop that parses the same lines
// and writes the same event and recipient rows in batches of the same size, with the same settings of the database.

import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { eventsPerCommit } from "../src/cli/import/import-events.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { inFolder } from "../verify/folder.ts";
import { madeUpEvents } from "../verify/made-up-events.ts";
import { makeOrganization, pourIn, registerCampaigns, startService, stopService } from "../verify/service.ts";
import { type Timed, timed } from "./world.ts";

const main = join(import.meta.dirname, "..", "bin", "email-analytics.js");
const bareLoop = (name: string) => join(import.meta.dirname, name);
const campaigns = 50;
const eventsPerRequest = 500;
const connections = 4;

/** Where the events are taken, and what the bare loop writes to. */
interface BenchDatabase {
  bareLoop: string;
  /** What the bare loop takes for a new database. */
  bareDatabase(name: string): Promise<string>;
  /** The address of a new database. */
  database(name: string): Promise<string>;
}

export async function benchIngest(events: number): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, "events.ndjson");
    await writeEvents(file, events);
    console.log("SQLite");
    const path = async (name: string) => join(folder, `${name}.db`);
    await benchPlace(file, events, {
      bareLoop: bareLoop("bare-ingest.ts"),
      bareDatabase: path,
      database: async (name) => `sqlite:${await path(name)}`,
    });
    console.log("PostgreSQL (the bare loop: COPY of the event ids, one upsert of the recipients)");
    const server = await startPostgres();
    try {
      const database = async (name: string) => {
        await server.query(`create database ${name}`);
        return server.url(name);
      };
      await benchPlace(file, events, {
        bareLoop: bareLoop("bare-postgres-ingest.ts"),
        bareDatabase: database,
        database,
      });
    } finally {
      await server.remove();
    }
  });
}

async function benchPlace(file: string, events: number, place: BenchDatabase): Promise<void> {
  const runBareLoop = async (name: string) =>
    timed(place.bareLoop, [file, await place.bareDatabase(name), String(eventsPerCommit)], {});
  const bare = await runBareLoop("bare");
  const imported = await benchImportOfEvents(await place.database("import"), file);
  const sent = await benchRequests(await place.database("http"), events);
  const again = await runBareLoop("bare_again");
  const seconds = (bare.seconds + again.seconds) / 2;
  print("rate of the import, to the bare loop", seconds / imported.first.seconds);
  print("rate of the same file again (all repeated), to the bare loop", seconds / imported.again.seconds);
  print(`rate over HTTP in batches of ${eventsPerRequest}, to the bare loop`, seconds / sent.seconds);
  printFigures("bare loop, before and after the others", { ...bare, seconds }, events);
  printFigures("import", imported.first, events);
  printFigures("import of the same file again", imported.again, events);
  printFigures(`HTTP over ${connections} connections`, sent, events);
}

async function writeEvents(file: string, events: number): Promise<void> {
  const stream = createWriteStream(file);
  for (const event of madeUpEvents(events, campaigns)) {
    if (!stream.write(`${JSON.stringify(event)}\n`))
      await new Promise((resolve) => stream.once("drain", resolve));
  }
  stream.end();
  await finished(stream);
}

async function benchImportOfEvents(
  DATABASE_URL: string,
  file: string,
): Promise<{ first: Timed; again: Timed }> {
  const keys = await makeOrganization(DATABASE_URL);
  const service = await startService(DATABASE_URL);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  await stopService(service);
  const argv = ["import", "--organization", String(keys.organizationId), "--events", file];
  const first = await timed(main, argv, { DATABASE_URL });
  return { first, again: await timed(main, argv, { DATABASE_URL }) };
}

async function benchRequests(databaseUrl: string, events: number): Promise<Timed> {
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  const made = madeUpEvents(events, campaigns);
  const bodies: string[] = [];
  for (let left = events; left > 0; left -= eventsPerRequest) {
    const some = Array.from({ length: Math.min(left, eventsPerRequest) }, () => made.next().value);
    bodies.push(JSON.stringify({ events: some }));
  }
  const started = performance.now();
  await pourIn(service.url, keys.ingest, bodies, connections);
  const seconds = (performance.now() - started) / 1000;
  const peakMegabytes = peakOf(service.child.pid ?? 0);
  await stopService(service);
  return { seconds, peakMegabytes };
}

/** The largest resident memory of a running process, as Linux tells it; 0 elsewhere. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function print(name: string, ratio: number): void {
  console.log(`${ratio.toFixed(2).padStart(8)} x  ${name}`);
}

function printFigures(name: string, { seconds, peakMegabytes }: Timed, events: number): void {
  const rate = Math.round(events / seconds);
  console.log(
    `${seconds.toFixed(2).padStart(8)} s  ${name}: ${rate} events a second, ${peakMegabytes.toFixed(0)} MB at the peak`,
  );
}
