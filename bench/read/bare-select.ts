// The ceiling on PostgreSQL: a program that only looks up the organization of a key, repeatedly. Reads its job and prints
// its report as JSON.

import { hash } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { cpuMs } from "../support/process-stats.ts";
import type { Load } from "./page-load.ts";

export interface SelectJob {
  databaseUrl: string;
  organizationId: number;
  key: string;
  seconds: number;
  /** Whether the statement is prepared: planned once for each connection instead of each time. */
  isPrepared: boolean;
}

const concurrency = 16;
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
const running = Array.from({ length: concurrency }, async () => {
  while (!isOver) {
    const { rows } = await pool.query(query);
    if (rows.length !== 1) throw new Error("the key was not found");
    selects += 1;
  }
});
await pause(job.seconds * 250);
const before = { selects, at: performance.now(), cpu: cpuMs(process.pid) ?? 0 };
await pause(job.seconds * 1000);
const ms = performance.now() - before.at;
const cpu = (cpuMs(process.pid) ?? Number.NaN) - before.cpu;
const done = selects - before.selects;
isOver = true;
await Promise.all(running);
await pool.end();
const load: Load = { rate: (done * 1000) / ms, seconds: ms / 1000 };
if (cpu >= 0) {
  load.cpuUs = (cpu * 1000) / done;
  load.cpuShare = cpu / ms;
}
console.log(JSON.stringify(load));
