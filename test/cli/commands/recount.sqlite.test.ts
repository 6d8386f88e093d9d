// `recount` while another process deletes an organization. The test deletes it from the clock, which `recount` reads before
// each campaign.

import assert from "node:assert/strict";
import test from "node:test";
import Sqlite from "better-sqlite3";
import { opens, tamperWithTally } from "../../support/events.ts";
import { makeSqliteWorld, present, run } from "../../support/world.ts";

test("recount goes on with the other organizations when one is deleted", async (t) => {
  const world = await makeSqliteWorld(t);
  for (const name of ["Acme", "Globex"]) {
    const { organization } = await world.addOrganization({ name });
    await world.register(organization, 1);
    await world.ingest(organization, opens(3));
  }
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7 });
  const now = () => {
    const file = new Sqlite(world.databaseUrl.slice("sqlite:".length));
    file.exec("delete from organizations where id = 1");
    file.close();
    return present;
  };
  const { exitCode, stderr, rows } = await run(world.databaseUrl, "recount --json", { now });
  assert.deepEqual([exitCode, stderr], [1, ""]);
  assert.deepEqual(rows, [
    { organization: 2, campaign: 1, counted: "people", number: "totalOpens", stored: 7, recounted: 3 },
  ]);
});
