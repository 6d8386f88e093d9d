// Records get the numbers of a campaign at an age when the campaign reaches it, without an event.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { findPublishedEmails } from "../../src/storage/campaigns/emails.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { findTotals } from "../../src/storage/sums/sum-queries.ts";
import { open } from "../support/events.ts";
import { campaign, makeAcme } from "../support/world.ts";

const hourMs = 3_600_000;
const sentAt = Date.parse("2026-07-06T09:00:00Z");

async function sent(t: TestContext) {
  const { world, organization } = await makeAcme(t);
  world.clock.now = sentAt;
  const register = (hours: number) =>
    world.register(organization, 1, {
      sent_at: new Date(sentAt + hours * hourMs).toISOString(),
      recipient_count: 4,
    });
  await register(0);
  const opensAfter = async (recipient: number, hours: number) => {
    const at = new Date(sentAt + hours * hourMs).toISOString();
    const id = `e-${recipient}-${hours}`;
    await world.ingest(organization, [open(recipient, { id, campaign_id: 1, at })]);
  };
  const read = async () => {
    const [email] = await world.read(organization, (scope) => findPublishedEmails(scope, [1]));
    return [email?.unique_opens_24h, email?.open_rate_24h, email?.unique_opens_72h, email?.unique_opens_7d];
  };
  const waitUntil = async (hours: number) => {
    world.clock.now = sentAt + hours * hourMs;
    await world.publishDue();
  };
  return { world, organization, register, opensAfter, read, waitUntil };
}

test("publishes the numbers at each age once it is reached, and late events of that age afterwards", async (t) => {
  const { opensAfter, read, waitUntil } = await sent(t);
  await opensAfter(1, 1);
  await waitUntil(23.9);
  assert.deepEqual(await read(), [null, null, null, null]);
  await waitUntil(24);
  assert.deepEqual(await read(), [1, 0.25, null, null]);
  await waitUntil(26);
  await opensAfter(2, 23);
  await opensAfter(3, 25);
  assert.deepEqual(await read(), [2, 0.5, null, null]);
  await waitUntil(8 * 24);
  assert.deepEqual(await read(), [2, 0.5, 3, 3]);
  await opensAfter(3, 2);
  assert.deepEqual(
    await read(),
    [3, 0.75, 3, 3],
    "an earlier event of the same recipient moves its first open",
  );
});

test("counts the ages again when the send time changes, and keeps that of a closed campaign", async (t) => {
  const { world, organization, register, opensAfter, read, waitUntil } = await sent(t);
  await waitUntil(100);
  await opensAfter(1, 1);
  await opensAfter(2, 30);
  assert.deepEqual(await read(), [1, 0.25, 2, null]);
  await register(-50);
  assert.deepEqual(await read(), [0, 0, 1, null]);
  await waitUntil(200);
  assert.deepEqual(await read(), [0, 0, 1, 2]);
  await world.closeCampaign(organization, 1);
  await assert.rejects(register(0), /sent_at: campaign 1 is closed and its numbers by age are final/);
});

test("reaches no age by a clock that is further ahead of the last change than any age", async (t) => {
  const { opensAfter, read, waitUntil } = await sent(t);
  await waitUntil(1);
  await opensAfter(1, 1);
  // The last change was an hour after the send time. No age is later than eight days after it.
  const limit = 1 + 8 * 24;
  for (const hours of [30 * 24, limit + 1 / hourMs]) {
    await waitUntil(hours);
    assert.deepEqual(await read(), [null, null, null, null], `${hours} h`);
  }
  await waitUntil(limit);
  assert.deepEqual(await read(), [1, 0.25, 1, 1]);
});

test("publishes the record of an imported campaign once, and its rates at seven days", async (t) => {
  const { world, organization } = await makeAcme(t);
  const start = world.clock.now;
  await world.save(organization, [campaign({ id: 1, sentAt: start })]);
  const read = () =>
    world.database.query(async (queries) => {
      const [email] = await findPublishedEmails(new Scope(queries, organization.id), [1]);
      const { sums } = await findTotals(new Scope(queries, organization.id), { traffic: "people" });
      return [email?.updated_at, sums.campaigns, sums.settledCampaigns];
    });
  const [updatedAt] = await read();
  for (const [hours, settled] of [
    [24, 0],
    [72, 0],
    [167, 0],
    [168, 1],
  ] as const) {
    world.clock.now = start + hours * hourMs;
    await world.publishDue();
    assert.deepEqual(await read(), [updatedAt, 1, settled], `${hours} h`);
  }
});
