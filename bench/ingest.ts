// How fast events are taken, by import and over HTTP, against a bare loop that parses the same lines and writes the
// same event and recipient rows in batches of the same size, with the same settings of SQLite.

import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { eventsPerCommit } from "../src/cli/import-events.ts";
import { inFolder } from "../verify/folder.ts";
import { madeUpEvents } from "../verify/made-up-events.ts";
import { makeOrganization, pourIn, registerCampaigns, startService, stopService } from "../verify/service.ts";
import { type Timed, timed } from "./world.ts";

const main = join(import.meta.dirname, "..", "bin", "email-analytics.js");
const bareLoop = join(import.meta.dirname, "bare-ingest.ts");
const campaigns = 50;
const eventsPerRequest = 500;
const connections = 4;

export async function benchIngest(events: number): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, "events.ndjson");
    await writeEvents(file, events);
    const bare = await timed(bareLoop, [file, join(folder, "bare.db"), String(eventsPerCommit)], {});
    const imported = await benchImportOfEvents(folder, file);
    const sent = await benchRequests(folder, events);
    const again = await timed(bareLoop, [file, join(folder, "bare-again.db"), String(eventsPerCommit)], {});
    const seconds = (bare.seconds + again.seconds) / 2;
    print("rate of the import, to the bare loop", seconds / imported.first.seconds);
    print("rate of the same file again (all repeated), to the bare loop", seconds / imported.again.seconds);
    print(`rate over HTTP in batches of ${eventsPerRequest}, to the bare loop`, seconds / sent.seconds);
    printFigures("bare loop, before and after the others", { ...bare, seconds }, events);
    printFigures("import", imported.first, events);
    printFigures("import of the same file again", imported.again, events);
    printFigures(`HTTP over ${connections} connections`, sent, events);
  });
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

async function benchImportOfEvents(folder: string, file: string): Promise<{ first: Timed; again: Timed }> {
  const DATABASE_URL = `sqlite:${join(folder, "import.db")}`;
  const keys = await makeOrganization(DATABASE_URL);
  const service = await startService(DATABASE_URL);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  await stopService(service);
  const argv = ["import", "--organization", String(keys.organizationId), "--events", file];
  const first = await timed(main, argv, { DATABASE_URL });
  return { first, again: await timed(main, argv, { DATABASE_URL }) };
}

async function benchRequests(folder: string, events: number): Promise<Timed> {
  const databaseUrl = `sqlite:${join(folder, "http.db")}`;
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
