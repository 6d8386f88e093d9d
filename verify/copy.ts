// Checks that `copy` from SQLite to PostgreSQL keeps every record, compared directly in the databases, and that the copy
// deduplicates and counts events.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { run } from "../test/support/world.ts";
import { checkRecords } from "./support/check-records.ts";
import { generateEvents } from "./support/generated-events.ts";
import { generateRecord, generateRecords } from "./support/generated-record.ts";
import {
  type Keys,
  makeOrganization,
  programPath,
  type RunningService,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "./support/service.ts";
import { runTimed, type Timed } from "./support/timed-program.ts";
import { writeLines } from "./support/write-lines.ts";

export interface CopyOptions {
  folder: string;
  /** An empty database on a PostgreSQL server. */
  postgresUrl: string;
  /** Imported campaigns. A second organization has counted campaigns with a fifth as many events. */
  campaigns: number;
  print: (line: string) => void;
}

const countedCampaigns = 20;
const eventsPerRequest = 500;
const recordsPerBatch = 2_000;
const pagesCompared = 200;

/** @throws AssertionError if a record differs or an event is counted twice */
export async function verifyCopy({ folder, postgresUrl, campaigns, print }: CopyOptions): Promise<void> {
  const path = join(folder, "source.db");
  const from = `sqlite:${path}`;
  const [reported, counting] = [await makeOrganization(from), await makeOrganization(from)];
  await importRecords(from, join(folder, "records.ndjson"), campaigns);
  const events = [...generateEvents(Math.ceil(campaigns / 5), countedCampaigns)];
  const here = await startService(from);
  await registerCampaigns(here.url, counting.ingest, countedCampaigns);
  await sendAll(here.url, counting.ingest, batchesOf(events), 4);
  const argv = ["copy", "--from", from, "--json"];
  const copied = await runTimed(programPath, argv, { DATABASE_URL: postgresUrl });
  print(figures(path, copied));
  const records = await compareRecords(path, postgresUrl);
  assert.equal(records, campaigns + countedCampaigns);
  print(`${records} records are identical in both databases`);
  const there = await startService(postgresUrl);
  try {
    await comparePages(here, there, reported, campaigns);
    print(`${pagesCompared} pages of the endpoint are identical`);
    const repeated = await sendAll(there.url, counting.ingest, batchesOf(events), 4);
    assert.deepEqual(repeated, { accepted: 0, repeated: events.length, quarantined: 0 });
    const fields = await checkRecords(there.url, counting.read, { campaigns: countedCampaigns, events });
    print(
      `${events.length} events were sent again and not counted again: ${fields} fields equal those of the oracle`,
    );
  } finally {
    await stopService(here);
    await stopService(there);
  }
  const recounted = await run(postgresUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  print(recounted.stderr.trim());
}

async function importRecords(databaseUrl: string, file: string, records: number): Promise<void> {
  await writeLines(file, generateRecords(records));
  const imported = await run(databaseUrl, ["import", "--organization", "1", file]);
  assert.equal(imported.exitCode, 0, imported.stderr);
  rmSync(file);
}

function* batchesOf(events: readonly unknown[]): Generator<string> {
  for (let start = 0; start < events.length; start += eventsPerRequest) {
    yield JSON.stringify({ events: events.slice(start, start + eventsPerRequest) });
  }
}

function figures(path: string, { seconds, peakMegabytes }: Timed): string {
  const sqlite = new Sqlite(path, { readonly: true });
  const tables = ["campaigns", "campaign_tags", "event_ids", "recipients"];
  const counts = tables.map(
    (table) => sqlite.prepare(`select count(*) from ${table}`).pluck().get() as number,
  );
  sqlite.close();
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const rate = Math.round(rows / seconds);
  const what = tables.map((table, index) => `${counts[index]} ${table}`).join(", ");
  return `${rows} rows (${what}) in ${seconds.toFixed(1)} s: ${rate} rows per second, peak memory ${peakMegabytes.toFixed(0)} MB`;
}

/** Compares the stored records through the database drivers. @returns how many were compared */
async function compareRecords(path: string, postgresUrl: string): Promise<number> {
  const sqlite = new Sqlite(path, { readonly: true });
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const select = "select record, organization_id, sent_at, campaign_id from records";
  const order = `order by organization_id, sent_at, campaign_id limit ${recordsPerBatch}`;
  const next = sqlite
    .prepare(`${select} where (organization_id, sent_at, campaign_id) > (?, ?, ?) ${order}`)
    .raw();
  const nextThere = `${select} where (organization_id, sent_at, campaign_id) > ($1, $2, $3) ${order}`;
  let compared = 0;
  for (let after: unknown[] = [0, 0, 0]; ; ) {
    const rows = next.all(after) as unknown[][];
    const found = await client.query({ text: nextThere, values: after, rowMode: "array" });
    // The PostgreSQL driver returns bigint as text.
    assert.deepEqual(
      found.rows.map(([record, ...key]) => [record, ...key.map(Number)]),
      rows,
    );
    compared += rows.length;
    after = rows.at(-1)?.slice(1) ?? [];
    if (rows.length < recordsPerBatch) break;
  }
  sqlite.close();
  await client.end();
  return compared;
}

/** Compares pages that are spread over all campaigns. */
async function comparePages(
  here: RunningService,
  there: RunningService,
  { read }: Keys,
  campaigns: number,
): Promise<void> {
  for (let page = 0; page < pagesCompared; page++) {
    const { sent_at } = generateRecord(Math.ceil((campaigns * (page + 1)) / pagesCompared));
    const path = `/data_api/v1/emails?per_page=100&sent_before=${sent_at}`;
    const [one, other] = await Promise.all([here, there].map((service) => readPage(service, read, path)));
    assert.equal(other, one, path);
  }
}

async function readPage({ url }: RunningService, key: string, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}
