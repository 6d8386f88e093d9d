// The command `recipient forget` on SQLite: traces stay in its log of writes for as long as somebody reads.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "../../support/events.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { makeSqliteWorld, run } from "../../support/world.ts";

test("people are told where, and what to do while somebody reads", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const ann = "ann@example.com";
  await world.ingest(organization, [open(1, { recipient: ann })]);
  const argv = ["recipient", "forget", "--organization", "1"];
  const held = await world.database.snapshot(async (queries) => {
    await queries.selectFrom("recipients").selectAll().execute();
    return run(world.databaseUrl, [...argv, ann]);
  });
  assert.equal(held.exitCode, 0);
  assert.match(
    held.stdout,
    /^Forgotten in 1 campaign; 0 waiting events dropped\. Traces of it are left .*\n$/,
  );
  const again = await run(world.databaseUrl, [...argv, ann]);
  assert.equal(again.stdout, "Nothing is known of that recipient; is it written as in the events?\n");
  assert.deepEqual(await placesWith(world, ann), []);
});
