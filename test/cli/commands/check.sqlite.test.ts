// `check` and the check after a start find flipped bytes in a SQLite file.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { getPriority } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import { childrenOf } from "../../../bench/support/process-stats.ts";
import { readSettings } from "../../../src/config.ts";
import { startDamageCheck } from "../../../src/http/damage-check.ts";
import { createMetrics } from "../../../src/http/monitoring/metrics.ts";
import { startServer } from "../../../src/http/start.ts";
import { campaign, makeFolder, makeSqliteWorld, run } from "../../support/world.ts";

/** A subject that appears nowhere else in the file: in the rendered record, and in the subject. */
const subject = "A subject like no other";

/** A database with 300 campaigns, and where campaign 150 has its subject: everywhere, and in its rendered record. */
async function makeFile(t: TestContext) {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(
    organization,
    Array.from({ length: 300 }, (_, index) => campaign({ id: index + 1, ...(index === 149 && { subject }) })),
  );
  await run(world.databaseUrl, ["vacuum"]);
  const bytes = readFileSync(world.databaseUrl.slice("sqlite:".length));
  const positions = [];
  for (let at = bytes.indexOf(subject); at !== -1; at = bytes.indexOf(subject, at + 1)) positions.push(at);
  const recordAt = positions.find((at) => bytes[at - 1] === '"'.charCodeAt(0));
  assert.ok(recordAt);
  const path = join(makeFolder(t), "damaged.db");
  /** Writes the file with one flipped bit. */
  const damage = (at: number) => {
    const damaged = Buffer.from(bytes);
    damaged[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, damaged, { mode: 0o600 });
    return `sqlite:${path}`;
  };
  return { damage, positions, recordAt };
}

test("check finds a flipped bit in a record, and in the data it was rendered from", async (t) => {
  const { damage, positions } = await makeFile(t);
  assert.equal(positions.length, 2);
  for (const at of positions) {
    const { exitCode, stderr } = await run(damage(at), ["check"]);
    assert.equal(exitCode, 1, `at ${at}`);
    assert.match(stderr, /^error: Checked 300 records: \d+ problems?\. The database is damaged; restore a/);
  }
});

test("the check after a start reports damage in the log, as a metric and in /readyz", async (t) => {
  const { damage, recordAt } = await makeFile(t);
  const url = damage(recordAt);
  const MONITORING = "127.0.0.1:0";
  const settings = readSettings({ DATABASE_URL: url, PORT: "0", LOG_LEVEL: "silent", MONITORING }, {});
  const server = await startServer(settings, undefined, { checkAfterMs: 0 });
  t.after(() => server.stop());
  const read = async (from: string) => (await fetch(from, { headers: { connection: "close" } })).text();
  let ready = await read(`${server.url}/readyz`);
  while (ready === '{"status":"ok"}') {
    await pause(20);
    ready = await read(`${server.url}/readyz`);
  }
  assert.deepEqual(JSON.parse(ready), {
    status: "warn",
    warnings: ["The database is damaged. The log says where. Restore a backup."],
  });
  assert.match(await read(server.monitoring ?? ""), /^email_analytics_database_damaged 1$/m);
});

/** The first line that the check logs. */
function logOfCheck(t: TestContext, url: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const log = pino({}, { write: (line: string) => resolve(JSON.parse(line)) });
    const parts = { log, metrics: createMetrics(), warn: () => undefined };
    const check = startDamageCheck(url, 0, parts);
    t.after(() => check.stop());
  });
}

test("the check after a start logs what it found", async (t) => {
  const { damage, recordAt } = await makeFile(t);
  const [damaged, missing] = await Promise.all([
    logOfCheck(t, damage(recordAt)),
    logOfCheck(t, "sqlite:/nowhere/missing.db"),
  ]);
  assert.deepEqual([damaged.level, damaged.records, damaged.problems], [50, 300, 1]);
  assert.equal((damaged.damage as unknown[]).length, 1);
  assert.equal(missing.level, 50);
  assert.match(String(missing.err), /there is no database at sqlite:\/nowhere\/missing\.db/);
});

test("the check after a start logs that the system forbids lowering its priority, and ends", async (t) => {
  const others = new Set(childrenOf(process.pid));
  const setPriority = t.mock.method(os, "setPriority", () => {
    throw new Error("operation not permitted");
  });
  syncBuiltinESMExports();
  t.after(() => {
    setPriority.mock.restore();
    syncBuiltinESMExports();
  });
  const { level, err, msg } = await logOfCheck(t, "sqlite:/nowhere/missing.db");
  assert.deepEqual(
    { level, err, msg },
    { level: 50, err: "Error: operation not permitted", msg: "the database could not be checked for damage" },
  );
  while (childrenOf(process.pid).some((pid) => !others.has(pid))) await pause(1);
});

test("the check after a start has low priority from its first moment", async (t) => {
  const { damage, recordAt } = await makeFile(t);
  const others = new Set(childrenOf(process.pid));
  let hasEnded = false;
  const log = pino({}, { write: () => (hasEnded = true) });
  const check = startDamageCheck(damage(recordAt), 0, {
    log,
    metrics: createMetrics(),
    warn: () => undefined,
  });
  t.after(() => check.stop());
  const findChild = () => childrenOf(process.pid).find((pid) => !others.has(pid));
  let child = findChild();
  while (child === undefined && !hasEnded) {
    await pause(1);
    child = findChild();
  }
  assert.ok(child, "the processes that a process has started are listed on Linux only");
  assert.equal(getPriority(child), 19);
});
