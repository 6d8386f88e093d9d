// A copy that fails leaves the target empty: damaged data, a target that changes rows, and kill -9.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { openDatabase, sqlitePath } from "../../../src/storage/open-database.ts";
import {
  addFaultyTrigger,
  assertEmpty,
  copy,
  dropFaultyTrigger,
  fillWorld,
} from "../../support/copied-database.ts";
import { opens, tamper } from "../../support/events.ts";
import { file, lines, record } from "../../support/import-files.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { start } from "../../support/process.ts";
import { makeAcme, makeDatabase, makeWorld, run } from "../../support/world.ts";

test(
  "copy fails and leaves the target empty when the target changes rows, and can be repeated",
  notOnCitus("Citus allows no triggers on distributed tables"),
  async (t) => {
    const { world } = await fillWorld(await makeWorld(t));
    const to = await makeDatabase(t);
    const cases = [
      ["tags", true, /error: tags: the rows written differ from the rows read; nothing was copied/],
      [
        "deliveries",
        false,
        /error: deliveries: the number of rows differs \(1, 1, 0, 0\); nothing was copied/,
      ],
    ] as const;
    for (const [table, keeps, why] of cases) {
      await addFaultyTrigger(to, table, { keeps });
      const { exitCode, stdout, stderr } = await copy(world.databaseUrl, to);
      assert.deepEqual([exitCode, stdout], [1, ""]);
      assert.match(stderr, why);
      await dropFaultyTrigger(to, table);
      await assertEmpty(to);
    }
    assert.equal((await copy(world.databaseUrl, to)).exitCode, 0);
  },
);

test("copy fails when numbers have drifted or a recipient is unreadable", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, opens(3));
  const to = await makeDatabase(t);
  const refused = async (why: RegExp) => {
    const { exitCode, stderr } = await copy(world.databaseUrl, to);
    assert.equal(exitCode, 1);
    assert.match(stderr, why);
    await assertEmpty(to);
  };
  await tamper(world, "delete from recipients where name = 'person-3@example.com'");
  await refused(
    /error: campaigns: the numbers of organization 1, campaign 1 do not match its recipients; see "recount"/,
  );
  await tamper(world, "update recipients set state = '{'");
  await refused(/error: recipients: organization 1, campaign 1: a recipient is unreadable/);
});

const onOneServer = notOnCitus("waits for rows in the coordinator's files, which have none");

test("copy can be started again after kill -9, which leaves the target empty", onOneServer, async (t) => {
  const { world } = await makeAcme(t);
  // Large records, so that the copy takes a while and does not fit into the cache of the database.
  const large = () => randomBytes(5_000).toString("hex");
  const content = lines(
    ...Array.from({ length: 1_200 }, (_, index) => record(index + 1, { recipients: large() })),
  );
  const imported = await run(world.databaseUrl, ["import", "--organization", "1", file(world, content)]);
  assert.equal(imported.exitCode, 0);
  let to = await copyKilled(t, world.databaseUrl);
  // The copy may have finished before the kill.
  while ((await run(to, "export --organization 1 --json")).rows.length === 1_200)
    to = await copyKilled(t, world.databaseUrl);
  await assertEmpty(to);
  const { exitCode, rows } = await copy(world.databaseUrl, to, "--json");
  assert.equal(exitCode, 0);
  assert.equal(rows.find(({ table }) => table === "campaigns")?.rows, 1_200);
});

/** @returns the URL of a new database into which a copy was started, and killed after it had written some of the rows */
async function copyKilled(t: TestContext, from: string): Promise<string> {
  const to = await makeDatabase(t);
  const program = start(t, ["copy", "--from", from], { DATABASE_URL: to });
  const written = await bytesWritten(to);
  while (!program.isOver() && (await written.bytes()) < 1_000_000) await pause(5);
  program.child.kill("SIGKILL");
  if ((await program.ended) !== "SIGKILL") assert.equal(await program.ended, 0, program.stderr());
  await written.close();
  return to;
}

/** How many bytes have been written to a database, committed or not. */
async function bytesWritten(url: string): Promise<{ bytes(): Promise<number>; close(): Promise<void> }> {
  const path = sqlitePath(url);
  const log = `${path}-wal`;
  if (path) {
    return { bytes: async () => (existsSync(log) ? statSync(log).size : 0), close: async () => undefined };
  }
  const database = await openDatabase(url);
  const bytes = () =>
    database.snapshot(async (queries) => {
      const { rows } = await sql<{
        bytes: number;
      }>`select pg_total_relation_size('campaigns') as bytes`.execute(queries);
      return rows[0]?.bytes ?? 0;
    });
  return { bytes, close: database.close };
}
