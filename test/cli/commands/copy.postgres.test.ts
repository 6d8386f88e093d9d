// `copy` from SQLite to PostgreSQL and back, and failures of the PostgreSQL server during the copy.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { nextCampaignId } from "../../../src/storage/campaigns/campaign-ids.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { assertCopied, assertEmpty, copy, fillWorld } from "../../support/copied-database.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { campaign, makeDatabase, makeSqliteWorld, run, succeeds, type World } from "../../support/world.ts";

/** A SQLite database with this many campaigns. */
async function sqliteWorld(world: Promise<World>, campaigns: number): Promise<World> {
  const made = await world;
  const { organization } = await made.addOrganization();
  const some = Array.from({ length: campaigns }, (_, index) => campaign({ id: index + 1, tags: ["New"] }));
  await made.save(organization, some);
  return made;
}

test("copy from SQLite to PostgreSQL, back and again keeps every response byte for byte, and the copy counts new events", async (t) => {
  const full = await fillWorld(await makeSqliteWorld(t));
  const [there, again] = [await makeDatabase(t, { isEmpty: true }), await makeDatabase(t)];
  const back = `sqlite:${join(full.world.folder, "new", "back.db")}`;
  let from = full.world.databaseUrl;
  for (const to of [there, back, again]) {
    assert.equal((await copy(from, to)).exitCode, 0);
    from = to;
  }
  const argv = ["export", "--organization", "1", "--json"];
  for (const url of [there, back]) {
    assert.equal((await succeeds(url, argv)).stdout, (await succeeds(full.world.databaseUrl, argv)).stdout);
  }
  await assertCopied(t, full, again);
});

test(
  "copy can be started again after its connection was lost, which leaves the target empty",
  notOnCitus("waits for rows in the coordinator's files, which have none"),
  async (t) => {
    const world = await sqliteWorld(makeSqliteWorld(t), 5_000);
    const to = await makeDatabase(t);
    const watching = await openDatabase(to);
    t.after(() => watching.close());
    const cut = () =>
      watching.snapshot(async (queries) => {
        const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and pg_total_relation_size('campaigns') > 500000`.execute(queries);
        return rows.length > 0;
      });
    const { exitCode, stdout, stderr } = await watching.transaction(async (queries) => {
      // The copy waits for this lock, so that it cannot finish before the connection is cut.
      await sql`lock table campaign_tags in share mode`.execute(queries);
      const copying = run(to, ["copy", "--from", world.databaseUrl]);
      while (!(await cut())) await pause(2);
      return copying;
    });
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(stderr, /error: The database is unavailable \(\w+\)\. Nothing was changed; try again\.\n$/);
    await assertEmpty(to);
    assert.equal((await copy(world.databaseUrl, to)).exitCode, 0);
  },
);

test("two copies into the same database at the same time: one succeeds and one is refused", async (t) => {
  const world = await sqliteWorld(makeSqliteWorld(t), 500);
  const to = await makeDatabase(t);
  const both = await Promise.all([copy(world.databaseUrl, to), copy(world.databaseUrl, to)]);
  assert.deepEqual(both.map(({ exitCode }) => exitCode).sort(), [0, 1]);
  const refused = both.find(({ exitCode }) => exitCode === 1);
  assert.match(refused?.stderr ?? "", /error: the target database is not empty/);
});

test("copy into a database that has used IDs before never uses them again", async (t) => {
  const world = await sqliteWorld(makeSqliteWorld(t), 1);
  const to = await makeDatabase(t);
  const add = async (url: string) =>
    (await succeeds(url, ["organization", "add", "--name", "Next", "--json"])).rows[0]?.id;
  for (const id of [1, 2, 3]) {
    assert.equal(await add(to), id);
    await succeeds(to, ["organization", "delete", "--organization", String(id), "--yes"]);
  }
  assert.equal((await copy(world.databaseUrl, to)).exitCode, 0);
  assert.equal(await add(to), 4);
  const copied = await openDatabase(to);
  t.after(() => copied.close());
  assert.equal(await copied.transaction((queries) => nextCampaignId(new Scope(queries, 1))), 2);
});
