// Bare baseline of ingest on SQLite: parses the lines and writes the same event and recipient rows, in batches of the same
// size, with the same settings of SQLite. It does not validate, count or publish.

import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { connectWriter } from "../../src/storage/sqlite/connect.ts";

const [file = "", path = "", eventsPerCommit = ""] = process.argv.slice(2);
const { sqlite, turns } = connectWriter(path);
sqlite.exec(`
  create table event_ids (organization_id, ledger_id, id, primary key (organization_id, ledger_id, id)) without rowid;
  create table recipients (organization_id, ledger_id, name, done, primary key (organization_id, ledger_id, name))
    without rowid;`);
const insertEvent = sqlite.prepare("insert into event_ids values (1, ?, ?) on conflict do nothing");
const upsertRecipient = sqlite.prepare(
  "insert into recipients values (1, ?, ?, ?) on conflict do update set done = excluded.done",
);
const secret = "0".repeat(64);
let events = 0;
sqlite.exec("begin immediate");
for await (const line of createInterface({ input: createReadStream(file) })) {
  const event = JSON.parse(line);
  const ledger = event.campaign_id;
  // The tracking types take turns: recipients, nameless recipients, devices (see test/support/generated-events.ts).
  const who = ledger % 3 === 2 ? `${event.ip}${event.user_agent}` : event.recipient.toLowerCase();
  const name = ledger % 3 === 0 ? who : hash("sha256", secret + who, "hex").slice(0, 32);
  insertEvent.run(ledger, hash("sha256", secret + event.id, "buffer").subarray(0, 16));
  upsertRecipient.run(ledger, name, JSON.stringify({ opens: { [`${event.type} ${event.device}`]: 1 } }));
  events += 1;
  if (events % Number(eventsPerCommit) === 0) sqlite.exec("commit; begin immediate");
}
sqlite.exec("commit");
sqlite.close();
turns.close();
