// Bare baseline of ingest on PostgreSQL: parses the lines and, in one transaction for each batch, writes the event IDs with
// COPY and the recipients with one upsert. It does not validate, count or publish.

import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";

const [file = "", url = "", eventsPerCommit = ""] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query(`
  create table event_ids (organization_id bigint not null, ledger_id bigint not null, id bytea not null,
    primary key (organization_id, ledger_id, id));
  create table recipients (organization_id bigint not null, ledger_id bigint not null, name text collate "C" not null,
    done text not null, primary key (organization_id, ledger_id, name)) with (fillfactor = 80);`);
const secret = "0".repeat(64);
let ids: string[] = [];
let recipients = new Map<string, [ledger: number, name: string, done: string]>();

async function commit(): Promise<void> {
  await client.query("begin");
  await pipeline(Readable.from(ids), client.query(from("copy event_ids from stdin")));
  const rows = [...recipients.values()];
  await client.query(
    `insert into recipients select 1, * from unnest($1::bigint[], $2::text[], $3::text[])
     on conflict (organization_id, ledger_id, name) do update set done = excluded.done`,
    [0, 1, 2].map((column) => rows.map((row) => row[column])),
  );
  await client.query("commit");
  ids = [];
  recipients = new Map();
}

for await (const line of createInterface({ input: createReadStream(file) })) {
  const event = JSON.parse(line);
  const ledger = event.campaign_id;
  // The tracking types take turns: recipients, nameless recipients, devices (see test/support/generated-events.ts).
  const who = ledger % 3 === 2 ? `${event.ip}${event.user_agent}` : event.recipient.toLowerCase();
  const name = ledger % 3 === 0 ? who : hash("sha256", secret + who, "hex").slice(0, 32);
  ids.push(`1\t${ledger}\t\\\\x${hash("sha256", secret + event.id, "hex").slice(0, 32)}\n`);
  recipients.set(`${ledger} ${name}`, [
    ledger,
    name,
    JSON.stringify({ opens: { [`${event.type} ${event.device}`]: 1 } }),
  ]);
  if (ids.length === Number(eventsPerCommit)) await commit();
}
if (ids.length > 0) await commit();
await client.end();
