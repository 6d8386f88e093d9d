// What the sender is told of a batch.

import assert from "node:assert/strict";
import test from "node:test";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { countRows, open } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme } from "../../support/world.ts";

test("lists the problems of counted and of other events in the order of the batch", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const ahead = { at: "2026-06-16T00:00:00Z" };
  const batch = [
    open(1, ahead),
    open(2, { campaign_id: 5 }),
    open(3),
    open(4, ahead),
    open(5, { at: "never" }),
  ];
  const { problems, accepted, quarantined } = await world.ingest(organization, batch);
  assert.deepEqual([accepted, quarantined], [3, 2]);
  assert.deepEqual(pick(problems, "index", "reason"), [
    [0, "time_ahead"],
    [1, "unknown_campaign"],
    [3, "time_ahead"],
    [4, "unreadable"],
  ]);
});

test("counts an event whose id an event of a test send or of a forgotten recipient had", async (t) => {
  const { world, organization } = await makeAcme(t);
  // Whether an event is of a test send is known only once its campaign is registered.
  await world.ingest(organization, [open(1, { at: "2026-06-15T09:00:00Z" })]);
  assert.equal((await world.ingest(organization, [open(1), open(1)])).quarantined, 2);
  assert.deepEqual(await countRows(world, "quarantine"), [2]);
  await world.register(organization, 1);
  assert.deepEqual(await countRows(world, "event_ids", "quarantine"), [1, 1]);
  await world.write(organization, (scope) =>
    forgetRecipient(scope, organization, "person-1@example.com", world.clock.now),
  );
  const batch = [open(2, { recipient: "person-1@example.com" }), open(2), open(2)];
  const { accepted, repeated, problems } = await world.ingest(organization, batch);
  assert.deepEqual([accepted, repeated, problems.map(({ reason }) => reason)], [1, 1, ["forgotten"]]);
});
