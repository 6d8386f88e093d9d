// Details of a campaign: shared reads, one campaign at a time, cached but never stale.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { wallTimeOf } from "../../../src/campaign/calendar/calendar-date.ts";
import { quarterHourMs } from "../../../src/campaign/calendar/durations.ts";
import { startOfQuarter } from "../../../src/campaign/events/activity.ts";
import { HourCounts } from "../../../src/campaign/events/hour-counts.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { AppError } from "../../../src/errors.ts";
import { hoursShown } from "../../../src/listing/reports/activity-summary.ts";
import { CampaignDetailsReader } from "../../../src/listing/reports/campaign-details.ts";
import { addToHours } from "../../../src/storage/campaigns/campaign-hours.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { raiseRevision } from "../../../src/storage/organizations/revisions.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { pick } from "../../support/pick.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeAcme, present } from "../../support/world.ts";

async function worldWithReader(
  t: TestContext,
  { signal, campaigns = 1 }: { signal?: AbortSignal; campaigns?: number } = {},
) {
  const { world, organization } = await makeAcme(t);
  for (let id = 1; id <= campaigns; id++) await world.register(organization, id);
  let events = 0;
  const open = (campaign_id = 1) => {
    events += 1;
    return {
      id: `e-${events}`,
      campaign_id,
      recipient: `${events}@example.com`,
      type: "open",
      at: "2026-06-15T11:05:00Z",
    };
  };
  const more = Array.from({ length: 450 }, () => open());
  await world.ingest(organization, more);
  const counts = { queries: 0, overlapping: 0 };
  /** When each finished query started and ended, on a logical clock. */
  const finished: { start: number; end: number }[] = [];
  let clock = 0;
  const query: Database["query"] = async (work) => {
    const start = clock++;
    const result = await world.database.query(work);
    // Only queries of the change log return no array. They check the campaign's revision while the next read runs.
    if (!Array.isArray(result)) return result;
    counts.queries += 1;
    const end = clock++;
    counts.overlapping += finished.filter((other) => other.end > start).length;
    finished.push({ start, end });
    return result;
  };
  const reader = new CampaignDetailsReader({ ...world.database, query }, signal);
  const find = (id: number) =>
    world.database.snapshot(async (queries) => {
      const now = await findOrganization(new Scope(queries, organization.id));
      const [stored] = await findCampaigns(new Scope(queries, organization.id), [id]);
      assert.ok(now && stored);
      return [now, stored] as const;
    });
  const read = async (id = 1) => {
    const details = await reader.read(...(await find(id)));
    assert.ok(details);
    return details;
  };
  return {
    counts,
    read,
    open: (campaign?: number) => world.ingest(organization, [open(campaign)]),
    find,
    reader,
    world,
    async opens(id = 1) {
      const { activity } = await read(id);
      return activity.days[0]?.open.human ?? 0;
    },
  };
}

test("shares one read among concurrent callers, and serves later ones from the cache", async (t) => {
  const { opens, counts } = await worldWithReader(t);
  assert.equal(await opens(), 450);
  const alone = counts.queries;
  const { opens: opensOfMany, counts: shared } = await worldWithReader(t);
  assert.deepEqual(await Promise.all(Array.from({ length: 8 }, () => opensOfMany())), Array(8).fill(450));
  assert.equal(shared.queries, alone);
  await opensOfMany();
  assert.equal(shared.queries, alone);
});

test("shows a new event at once although details are cached", async (t) => {
  const { opens, open } = await worldWithReader(t);
  for (let expected = 450; expected < 455; expected++) {
    assert.equal(await opens(), expected);
    await open();
  }
});

sqliteTest("includes every event counted before the call, and waits for at most two reads", async (t) => {
  const { opens, open, counts } = await worldWithReader(t);
  await opens();
  const alone = counts.queries;
  const calls: Promise<number>[] = [];
  for (let expected = 451; expected < 459; expected++) {
    await open();
    calls.push(opens().then((seen) => seen - expected));
  }
  for (const ahead of await Promise.all(calls)) assert.ok(ahead >= 0);
  assert.equal(await opens(), 458);
  assert.ok(counts.queries <= 10 * alone);
});

sqliteTest("reads one campaign at a time, and answers unavailable beyond the queue", async (t) => {
  const { opens, find, reader, counts } = await worldWithReader(t, { campaigns: 60 });
  const found = await Promise.all(Array.from({ length: 60 }, (_, index) => find(index + 1)));
  const all = await Promise.allSettled(found.map((each) => reader.read(...each)));
  assert.equal(counts.overlapping, 0);
  // One runs and twenty wait. Some may be read before the last ones ask.
  const codes = all.map((each) => (each.status === "fulfilled" ? "read" : (each.reason as AppError).code));
  const refused = codes.filter((code) => code !== "read");
  assert.ok(refused.length > 0 && refused.length <= codes.length - 21, `${refused.length} refused`);
  assert.deepEqual(new Set(refused), new Set(["unavailable"]));
  // Afterwards the queue is free again.
  assert.equal(await opens(30), 0);
});

test("adds up hours from many parts, and leaves out verdicts whose counts sum to zero", async (t) => {
  const { find, read, world } = await worldWithReader(t);
  const [organization, stored] = await find(1);
  const first = startOfQuarter(stored.campaign.sentAt);
  await world.database.transaction(async (queries) => {
    for (let part = 0; part < 45; part++) {
      const hours = new HourCounts();
      for (let index = 0; index < 100; index++) {
        hours.add("click", "person", first + (part * 100 + index) * quarterHourMs, 2);
      }
      hours.add("click", "burst", first, part === 44 ? -44 : 1);
      await addToHours(new Scope(queries, organization.id), [{ campaignId: 1, hours }]);
    }
    await raiseRevision(new Scope(queries, organization.id), present + 1);
  });
  const { activity } = await read();
  assert.deepEqual(pick(activity.verdicts, "verdict", "open", "click"), [["person", 450, 9_000]]);
  assert.equal(activity.hours.length, hoursShown);
  assert.deepEqual(activity.hours[1]?.click, { human: 8, automated: 0 });
  const sum = activity.days.reduce((clicks, { click }) => clicks + click.human, 0);
  assert.equal(sum, 9_000);
  const days = activity.days.map(({ date }) => wallTimeOf(date));
  const expected = days.toSorted((a, b) => a - b);
  assert.deepEqual(days, expected);
});

sqliteTest("answers unavailable when the server shuts down during a read", async (t) => {
  const shutdown = new AbortController();
  const { opens, counts } = await worldWithReader(t, { signal: shutdown.signal });
  const call = opens();
  shutdown.abort();
  await assert.rejects(call, (error) => error instanceof AppError && error.code === "unavailable");
  assert.equal(counts.queries, 0);
});

test("no longer shows cached answers of a recipient after they are forgotten", async (t) => {
  const { world, organization } = await makeAcme(t, { register: { surveys_count: 1 } });
  const answers = Array.from({ length: 5 }, (_, index) => ({
    id: `a-${index}`,
    campaign_id: 1,
    recipient: `person${index}@example.com`,
    type: "survey",
    at: "2026-06-15T11:05:00Z",
    survey_id: "s",
    kind: "enps",
    score: 9,
    comment: `Comment of ${index}`,
  }));
  await world.ingest(organization, answers);
  const reader = new CampaignDetailsReader(world.database);
  const seen = async () => {
    const [current, [stored]] = await world.database.snapshot(async (queries) => {
      const now = await findOrganization(new Scope(queries, organization.id));
      return [now, await findCampaigns(new Scope(queries, organization.id), [1])] as const;
    });
    assert.ok(current && stored);
    return JSON.stringify((await reader.read(current, stored))?.surveys);
  };
  assert.match(await seen(), /Comment of 3.*person3@example\.com|person3@example\.com.*Comment of 3/);
  await world.write(organization, (scope) =>
    forgetRecipient(scope, organization, "person3@example.com", world.clock.now),
  );
  assert.doesNotMatch(await seen(), /Comment of 3|person3/);
});
