// A batch of which some events cannot be counted, because the database is damaged.

import assert from "node:assert/strict";
import test from "node:test";
import { countRows, open, opens, tamper } from "../../support/events.ts";
import { makeAcme } from "../../support/world.ts";

test("counts nothing of a batch of which some events fail, and all of it once they can be counted", async (t) => {
  const { world, organization } = await makeAcme(t);
  for (const campaign_id of [1, 2]) {
    await world.register(organization, campaign_id);
    await world.ingest(organization, [open(1, { campaign_id })]);
  }
  const batch = [1, 2].flatMap((campaign_id) =>
    opens(1_000, { campaign_id }).map((event) => ({ ...event, id: `later ${event.id}` })),
  );
  const setState = (state: string) =>
    tamper(world, `update recipients set state = ${state} where ledger_id = 1`);
  await setState("'[' || state");
  await assert.rejects(world.ingest(organization, batch), { name: "SyntaxError" });
  assert.deepEqual(await countRows(world, "event_ids", "recipients"), [2, 2]);
  await setState("substr(state, 2)");
  const { accepted, repeated } = await world.ingest(organization, batch);
  assert.deepEqual([accepted, repeated], [2_000, 0]);
  assert.deepEqual(await countRows(world, "event_ids", "recipients"), [2_002, 2_000]);
});
