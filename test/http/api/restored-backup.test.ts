// A restored backup: no response of the state that was lost is ever taken for one of the state that replaced it, even if
// a clock was wrong and revisions repeat.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import {
  campaign,
  makeAcme,
  makeDatabase,
  makeFolder,
  makeWorldOn,
  run,
  serve,
  type World,
} from "../../support/world.ts";

/** A service, and a restore of the database that it uses to the state at the start of the test. */
async function serveRestorable(test: TestContext) {
  const { world, organization, key } = await makeAcme(test);
  await world.save(organization, [campaign({ id: 1 })]);
  const backup = await makeDatabase(test, { folder: makeFolder(test), isEmpty: true });
  const copied = await run(backup, ["copy", "--from", world.databaseUrl]);
  assert.equal(copied.exitCode, 0, copied.stderr);
  let present = world;
  const database: Database = {
    ...world.database,
    query: (work) => present.database.query(work),
    snapshot: (work, retry) => present.database.snapshot(work, retry),
  };
  const service = await serve(test, world, { database });
  const restore = async (): Promise<World> => {
    present = await makeWorldOn(test, backup);
    return present;
  };
  const get = (etag?: string | null) =>
    service.get("/data_api/v1/emails", {
      key,
      headers: etag ? { "if-none-match": etag } : {},
    });
  const revisionOf = async ({ database }: World) =>
    (await database.snapshot((queries) => findOrganization(new Scope(queries, organization.id))))?.revision;
  return { world, organization, restore, get, revisionOf };
}

const subjectsOf = ({ body }: Awaited<ReturnType<Awaited<ReturnType<typeof serve>>["get"]>>) =>
  body.emails.map(({ subject }) => subject);

/** How far the clock was ahead of the last change in the backup when the lost and the new change were written. */
const clocks = { "the clock is behind the data": -hourMs, "a clock was ahead": 10 * hourMs };

for (const [name, clock] of Object.entries(clocks)) {
  test(`sends another ETag and the restored state when ${name} and a revision repeats`, async (t) => {
    const { world, organization, restore, get, revisionOf } = await serveRestorable(t);
    world.clock.now += clock;
    await world.save(organization, [campaign({ id: 2, subject: "Lost" })]);
    // The third response comes from the response cache.
    const [lost] = [await get(), await get(), await get()];
    assert.deepEqual(subjectsOf(lost), ["Lost", "Campaign 1"]);
    const restored = await restore();
    restored.clock.now = world.clock.now;
    await restored.save(organization, [campaign({ id: 3, subject: "Kept" })]);
    assert.equal(await revisionOf(restored), await revisionOf(world), "the revision repeats");
    const kept = await get(lost.headers.get("etag"));
    assert.equal(kept.status, 200);
    assert.deepEqual(subjectsOf(kept), ["Kept", "Campaign 1"]);
    assert.notEqual(kept.headers.get("etag"), lost.headers.get("etag"));
  });
}

test("keeps answering 304 for the state of the backup", async (t) => {
  const { world, organization, restore, get } = await serveRestorable(t);
  const saved = await get();
  await world.save(organization, [campaign({ id: 2 })]);
  await restore();
  const again = await get(saved.headers.get("etag"));
  assert.equal(again.status, 304);
});
