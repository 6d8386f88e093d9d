// Replays of more quarantined events than fit into a page.

import assert from "node:assert/strict";
import test from "node:test";
import { addReplayTotals, replayPage, replayQuarantined } from "../../../src/counting/events/replay.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { opens } from "../../support/events.ts";
import { makeAcme } from "../../support/world.ts";

test("replays each event once, and adds up what became of all of them", async (t) => {
  const { world, organization } = await makeAcme(t);
  const later = { now: world.clock.now + 60_000 };
  assert.equal((await world.ingest(organization, opens(2_001, { campaign_id: 5 }))).quarantined, 2_001);
  const pages = await world.database.transaction(async (queries) => {
    const first = await replayPage(new Scope(queries, organization.id), organization, {
      filter: {},
      after: undefined,
      ...later,
    });
    return [
      first,
      await replayPage(new Scope(queries, organization.id), organization, {
        filter: {},
        after: first.last,
        ...later,
      }),
    ];
  });
  assert.deepEqual(
    pages.map(({ quarantined, last }) => [quarantined, last !== undefined]),
    [
      [2_000, true],
      [1, false],
    ],
  );
  const total = await world.write(organization, (scope) =>
    replayQuarantined(scope, organization, {}, later.now),
  );
  assert.deepEqual(total, { accepted: 0, repeated: 0, quarantined: 2_001, ignored: 0 });
});

test("adds totals name by name", () => {
  const one = { accepted: 1, repeated: 2, quarantined: 3, ignored: 4 };
  const other = { accepted: 10, repeated: 20, quarantined: 30, ignored: 40 };
  assert.deepEqual(addReplayTotals(one, other), { accepted: 11, repeated: 22, quarantined: 33, ignored: 44 });
});
