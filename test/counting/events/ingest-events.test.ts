// What the sender is told of a batch.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "../../support/events.ts";
import { makeWorld } from "../../support/world.ts";

test("lists the problems of counted and of other events in the order of the batch", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
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
  assert.deepEqual(
    problems.map(({ index, reason }) => [index, reason]),
    [
      [0, "time_ahead"],
      [1, "unknown_campaign"],
      [3, "time_ahead"],
      [4, "unreadable"],
    ],
  );
});
