// The ceiling of reading from PostgreSQL: a program that looks up the organization of a key, over and over, and does
// nothing else. Reads what to do as JSON, and prints how often it did that as JSON.

import { hash } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { processorMs } from "./process-figures.ts";
import type { Load } from "./read-load.ts";

export interface SelectJob {
  databaseUrl: string;
  organizationId: number;
  key: string;
  seconds: number;
  /** Whether the server plans the statement once for each connection, and not each time. */
  isPrepared: boolean;
}

const atATime = 16;
const connections = 10;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as SelectJob;
const pool = new pg.Pool({ connectionString: job.databaseUrl, max: connections });
const query = {
  ...(job.isPrepared && { name: "key" }),
  text: `select organizations.*, api_keys.scope from api_keys
    join organizations on organizations.id = api_keys.organization_id
    where api_keys.organization_id = $1 and api_keys.hash = $2`,
  values: [job.organizationId, hash("sha256", job.key)],
};
let selects = 0;
let isOver = false;
const running = Array.from({ length: atATime }, async () => {
  while (!isOver) {
    const { rows } = await pool.query(query);
    if (rows.length !== 1) throw new Error("the key was not found");
    selects += 1;
  }
});
await pause(job.seconds * 250);
const before = { selects, at: performance.now(), processor: processorMs(process.pid) ?? 0 };
await pause(job.seconds * 1000);
const ms = performance.now() - before.at;
const processor = (processorMs(process.pid) ?? Number.NaN) - before.processor;
const done = selects - before.selects;
isOver = true;
await Promise.all(running);
await pool.end();
const load: Load = { rate: (done * 1000) / ms, seconds: ms / 1000 };
if (processor >= 0) Object.assign(load, { processorUs: (processor * 1000) / done, busy: processor / ms });
console.log(JSON.stringify(load));
