// Details of a campaign: shared reads, one campaign at a time, cached but never stale.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { AppError } from "../../../src/errors.ts";
import { CampaignDetailsReader } from "../../../src/listing/reports/campaign-details.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeAcme } from "../../support/world.ts";

async function worldWithReader(
  t: TestContext,
  { signal, campaigns = 1 }: { signal?: AbortSignal; campaigns?: number } = {},
) {
  const { world, organization } = await makeAcme(t);
  for (let id = 1; id <= campaigns; id++) await world.register(organization, id);
  let events = 0;
  const click = (campaign_id = 1) => {
    events += 1;
    return {
      id: `e-${events}`,
      campaign_id,
      recipient: `${events}@example.com`,
      type: "click",
      url: "https://example.com/news",
      at: "2026-06-15T11:05:00Z",
    };
  };
  const more = Array.from({ length: 450 }, () => click());
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
    click: (campaign?: number) => world.ingest(organization, [click(campaign)]),
    find,
    reader,
    world,
    async clicks(id = 1) {
      return (await read(id)).links[0]?.people ?? 0;
    },
  };
}

test("shares one read among concurrent callers, and serves later ones from the cache", async (t) => {
  const { clicks, counts } = await worldWithReader(t);
  assert.equal(await clicks(), 450);
  const alone = counts.queries;
  const { clicks: clicksOfMany, counts: shared } = await worldWithReader(t);
  assert.deepEqual(await Promise.all(Array.from({ length: 8 }, () => clicksOfMany())), Array(8).fill(450));
  assert.equal(shared.queries, alone);
  await clicksOfMany();
  assert.equal(shared.queries, alone);
});

test("shows a new event at once although details are cached", async (t) => {
  const { clicks, click } = await worldWithReader(t);
  for (let expected = 450; expected < 455; expected++) {
    assert.equal(await clicks(), expected);
    await click();
  }
});

sqliteTest("includes every event counted before the call, and waits for at most two reads", async (t) => {
  const { clicks, click, counts } = await worldWithReader(t);
  await clicks();
  const alone = counts.queries;
  const calls: Promise<number>[] = [];
  for (let expected = 451; expected < 459; expected++) {
    await click();
    calls.push(clicks().then((seen) => seen - expected));
  }
  for (const ahead of await Promise.all(calls)) assert.ok(ahead >= 0);
  assert.equal(await clicks(), 458);
  assert.ok(counts.queries <= 10 * alone);
});

sqliteTest("reads one campaign at a time, and answers unavailable beyond the queue", async (t) => {
  const { clicks, find, reader, counts } = await worldWithReader(t, { campaigns: 60 });
  const found = await Promise.all(Array.from({ length: 60 }, (_, index) => find(index + 1)));
  const all = await Promise.allSettled(found.map((each) => reader.read(...each)));
  assert.equal(counts.overlapping, 0);
  // One runs and twenty wait. Some may be read before the last ones ask.
  const codes = all.map((each) => (each.status === "fulfilled" ? "read" : (each.reason as AppError).code));
  const refused = codes.filter((code) => code !== "read");
  assert.ok(refused.length > 0 && refused.length <= codes.length - 21, `${refused.length} refused`);
  assert.deepEqual(new Set(refused), new Set(["unavailable"]));
  // Afterwards the queue is free again.
  assert.equal(await clicks(30), 0);
});

sqliteTest("answers unavailable when the server shuts down during a read", async (t) => {
  const shutdown = new AbortController();
  const { clicks, counts } = await worldWithReader(t, { signal: shutdown.signal });
  const call = clicks();
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
