// `recipient forget` on SQLite: traces remain in the write-ahead log while a reader has a snapshot open.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "../../../support/events.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeSqliteWorld, run } from "../../../support/world.ts";

test("recipient forget warns of traces that remain while another process reads", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const ann = "ann@example.com";
  await world.ingest(organization, [open(1, { recipient: ann })]);
  const argv = ["recipient", "forget", "--yes", "--organization", "1"];
  const held = await world.database.snapshot(async (queries) => {
    await queries.selectFrom("recipients").selectAll().execute();
    return run(world.databaseUrl, [...argv, ann]);
  });
  assert.equal(held.exitCode, 0);
  assert.match(
    held.stdout,
    /^Forgotten in 1 campaign; 0 quarantined events deleted\. Traces of the deleted data remain .*\n$/,
  );
  const again = await run(world.databaseUrl, [...argv, ann]);
  assert.equal(
    again.stdout,
    "No data of this recipient was found. Check that the address is written as in your events.\n",
  );
  assert.deepEqual(await placesWith(world, ann), []);
});
