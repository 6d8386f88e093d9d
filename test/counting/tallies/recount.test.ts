// Recounts of more recipients than a statement reads.

import assert from "node:assert/strict";
import test from "node:test";
import { recountCampaign } from "../../../src/counting/tallies/recount.ts";
import { opens, tamper } from "../../support/events.ts";
import { makeAcme } from "../../support/world.ts";

test("says which recipient is unreadable by its position among all of the campaign", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, opens(2_001));
  const recount = () =>
    world.read(organization, (scope) =>
      recountCampaign(scope, organization, 1, {
        isRepaired: false,
        now: world.clock.now,
      }),
    );
  assert.deepEqual(await recount(), []);
  await tamper(world, "update recipients set state = '{' where name = (select max(name) from recipients)");
  await assert.rejects(recount(), { name: "Error", position: 2_001 });
});
