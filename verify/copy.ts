// A whole installation is moved from SQLite to PostgreSQL by `copy`: every record is the same there, read past the program,
// and what was counted goes on.

import assert from "node:assert/strict";
import { createWriteStream, rmSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { madeUpRecord, type Timed, timed } from "../bench/world.ts";
import { run } from "../test/support/world.ts";
import { checkRecords } from "./check-records.ts";
import { madeUpEvents } from "./made-up-events.ts";
import {
  type Keys,
  makeOrganization,
  pourIn,
  programPath,
  type RunningService,
  registerCampaigns,
  startService,
  stopService,
} from "./service.ts";

export interface CopyOptions {
  folder: string;
  /** An empty database on a PostgreSQL server. */
  postgresUrl: string;
  /** Reported ones; a second organization has counted ones, with an event for every fifth of these. */
  campaigns: number;
  say: (line: string) => void;
}

const counted = 20;
const batch = 500;
const recordsAtOnce = 2_000;
const pagesCompared = 200;

/** @throws AssertionError when any record differs, or an event is counted a second time */
export async function verifyCopy({ folder, postgresUrl, campaigns, say }: CopyOptions): Promise<void> {
  const path = join(folder, "source.db");
  const from = `sqlite:${path}`;
  const [reported, counting] = [await makeOrganization(from), await makeOrganization(from)];
  await importRecords(from, join(folder, "records.ndjson"), campaigns);
  const events = [...madeUpEvents(Math.ceil(campaigns / 5), counted)];
  const here = await startService(from);
  await registerCampaigns(here.url, counting.ingest, counted);
  await pourIn(here.url, counting.ingest, batchesOf(events), 4);
  const argv = ["copy", "--from", from, "--json"];
  const copied = await timed(programPath, argv, { DATABASE_URL: postgresUrl });
  say(figures(path, copied));
  const records = await compareRecords(path, postgresUrl);
  assert.equal(records, campaigns + counted);
  say(`${records} records are the same text in both databases`);
  const there = await startService(postgresUrl);
  try {
    await comparePages(here, there, reported, campaigns);
    say(`${pagesCompared} pages of the endpoint are the same`);
    const repeated = await pourIn(there.url, counting.ingest, batchesOf(events), 4);
    assert.deepEqual(repeated, { accepted: 0, repeated: events.length, quarantined: 0 });
    const fields = await checkRecords(there.url, counting.read, { campaigns: counted, events });
    say(
      `${events.length} events came again, and none was counted again: ${fields} fields equal the oracle's`,
    );
  } finally {
    await stopService(here);
    await stopService(there);
  }
  const recounted = await run(postgresUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  say(recounted.stderr.trim());
}

async function importRecords(databaseUrl: string, file: string, records: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let id = 1; id <= records; id++) {
    if (!stream.write(`${JSON.stringify(madeUpRecord(id))}\n`)) {
      await new Promise((resolve) => stream.once("drain", resolve));
    }
  }
  stream.end();
  await finished(stream);
  const imported = await run(databaseUrl, ["import", "--organization", "1", file]);
  assert.equal(imported.exitCode, 0, imported.stderr);
  rmSync(file);
}

function* batchesOf(events: readonly unknown[]): Generator<string> {
  for (let start = 0; start < events.length; start += batch) {
    yield JSON.stringify({ events: events.slice(start, start + batch) });
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
  return `${rows} rows (${what}) in ${seconds.toFixed(1)} s: ${rate} rows a second, ${peakMegabytes.toFixed(0)} MB at the peak`;
}

/** By the drivers alone. @returns how many there are */
async function compareRecords(path: string, postgresUrl: string): Promise<number> {
  const sqlite = new Sqlite(path, { readonly: true });
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const select = "select organization_id, id, record from campaigns";
  const order = `order by organization_id, id limit ${recordsAtOnce}`;
  const next = sqlite.prepare(`${select} where (organization_id, id) > (?, ?) ${order}`).raw();
  const nextThere = `${select} where (organization_id, id) > ($1, $2) ${order}`;
  let compared = 0;
  for (let after: unknown[] = [0, 0]; ; ) {
    const rows = next.all(after) as unknown[][];
    const found = await client.query({ text: nextThere, values: after, rowMode: "array" });
    // The driver gives large whole numbers as texts.
    assert.deepEqual(
      found.rows.map(([organization, id, record]) => [Number(organization), Number(id), record]),
      rows,
    );
    compared += rows.length;
    after = rows.at(-1)?.slice(0, 2) ?? [];
    if (rows.length < recordsAtOnce) break;
  }
  sqlite.close();
  await client.end();
  return compared;
}

/** Spread over all of them. */
async function comparePages(
  here: RunningService,
  there: RunningService,
  { read }: Keys,
  campaigns: number,
): Promise<void> {
  for (let page = 0; page < pagesCompared; page++) {
    const { sent_at } = madeUpRecord(Math.ceil((campaigns * (page + 1)) / pagesCompared));
    const path = `/data_api/v1/emails?per_page=100&sent_before=${sent_at}`;
    const [one, other] = await Promise.all([here, there].map((service) => readPage(service, read, path)));
    assert.equal(other, one, path);
  }
}

async function readPage({ url }: RunningService, key: string, path: string): Promise<string> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}
