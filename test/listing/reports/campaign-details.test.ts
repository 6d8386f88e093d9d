// What is read of all recipients for the page of a campaign: once for all who ask, one campaign at a time, and never stale.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { quarterHourMs } from "../../../src/campaign/calendar/durations.ts";
import { startOfQuarter } from "../../../src/campaign/events/activity.ts";
import { HourCounts } from "../../../src/campaign/events/hour-counts.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { AppError } from "../../../src/errors.ts";
import { hoursShown } from "../../../src/listing/reports/campaign-activity.ts";
import { CampaignDetailsReader } from "../../../src/listing/reports/campaign-details.ts";
import { addToHours } from "../../../src/storage/campaigns/campaign-hours.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import { raiseRevisions } from "../../../src/storage/revisions.ts";
import { makeWorld, present } from "../../support/world.ts";

async function reading(
  t: TestContext,
  { stopped, campaigns = 1 }: { stopped?: AbortSignal; campaigns?: number } = {},
) {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
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
  await world.ingest(
    organization,
    Array.from({ length: 450 }, () => open()),
  );
  const counts = { looks: 0, overlapping: 0 };
  /** Where each reading of rows that is over began and ended, in the order of what happened here. */
  const readings: { began: number; ended: number }[] = [];
  let happened = 0;
  const query: Database["query"] = async (work) => {
    counts.looks += 1;
    const began = happened++;
    const result = await world.database.query(work);
    // What is no list is the organization: whether anything has changed meanwhile is looked at while the next one is read.
    if (!Array.isArray(result)) return result;
    const ended = happened++;
    counts.overlapping += readings.filter((other) => other.ended > began).length;
    readings.push({ began, ended });
    return result;
  };
  const reader = new CampaignDetailsReader({ ...world.database, query }, stopped);
  const find = (id: number) =>
    world.database.snapshot(async (queries) => {
      const now = await findOrganization(queries, organization.id);
      const [stored] = await findCampaigns(queries, organization.id, [id]);
      assert.ok(now && stored);
      return [now, stored] as const;
    });
  return {
    counts,
    open: (campaign?: number) => world.ingest(organization, [open(campaign)]),
    find,
    reader,
    world,
    async of(id = 1) {
      const { activity } = await reader.read(...(await find(id)));
      return activity.days[0]?.open.human ?? 0;
    },
  };
}

test("eight who look at a campaign at once share one reading, and the ninth finds it remembered", async (t) => {
  const { of, counts } = await reading(t);
  assert.equal(await of(), 450);
  const alone = counts.looks;
  const { of: ofMany, counts: shared } = await reading(t);
  assert.deepEqual(await Promise.all(Array.from({ length: 8 }, () => ofMany())), Array(8).fill(450));
  assert.equal(shared.looks, alone);
  await ofMany();
  assert.equal(shared.looks, alone);
});

test("an event of a campaign shows at once, whatever is remembered", async (t) => {
  const { of, open } = await reading(t);
  for (let opens = 450; opens < 455; opens++) {
    assert.equal(await of(), opens);
    await open();
  }
});

test("whoever comes while events come in gets what has been counted by then, and waits for two readings at most", async (t) => {
  const { of, open, counts } = await reading(t);
  await of();
  const alone = counts.looks;
  const asked: Promise<number>[] = [];
  for (let opens = 451; opens < 459; opens++) {
    await open();
    asked.push(of().then((seen) => seen - opens));
  }
  for (const ahead of await Promise.all(asked)) assert.ok(ahead >= 0);
  assert.equal(await of(), 458);
  assert.ok(counts.looks <= 10 * alone);
});

test("of several campaigns one is read at a time; too many who wait are asked to come again", async (t) => {
  const { of, find, reader, counts } = await reading(t, { campaigns: 30 });
  const found = await Promise.all(Array.from({ length: 30 }, (_, index) => find(index + 1)));
  const all = await Promise.allSettled(found.map((each) => reader.read(...each)));
  assert.ok(counts.looks >= 20);
  assert.equal(counts.overlapping, 0);
  const refused = all.filter(({ status }) => status === "rejected");
  for (const each of refused as PromiseRejectedResult[]) {
    assert.ok(each.reason instanceof AppError);
    assert.equal(each.reason.code, "unavailable");
  }
  assert.equal(refused.length, 10);
  // And then all goes on.
  assert.equal(await of(30), 0);
});

test("hours in however many parts are all there, and each verdict that came to nothing is left out", async (t) => {
  const { find, reader, world } = await reading(t);
  const [organization, stored] = await find(1);
  const first = startOfQuarter(stored.campaign.sentAt);
  await world.database.transaction(async (queries) => {
    for (let part = 0; part < 45; part++) {
      const hours = new HourCounts();
      for (let place = 0; place < 100; place++) {
        hours.add("click", "person", first + (part * 100 + place) * quarterHourMs, 2);
      }
      hours.add("click", "burst", first, part === 44 ? -44 : 1);
      await addToHours(queries, organization.id, [{ campaignId: 1, hours }]);
    }
    await raiseRevisions(queries, organization.id, "content", present + 1);
  });
  const { activity } = await reader.read(...(await find(1)));
  assert.deepEqual(
    activity.verdicts.map(({ verdict, open, click }) => [verdict, open, click]),
    [["person", 450, 9_000]],
  );
  assert.equal(activity.hours.length, hoursShown);
  assert.deepEqual(activity.hours[1]?.click, { human: 8, automated: 0 });
  const sum = activity.days.reduce((clicks, { click }) => clicks + click.human, 0);
  assert.equal(sum, 9_000);
  const days = activity.days.map(({ day }) => Date.parse(day));
  assert.deepEqual(
    days,
    days.toSorted((a, b) => a - b),
  );
});

test("when the service stops, a reading ends, and nobody takes it for a failure", async (t) => {
  const stopping = new AbortController();
  const { of, counts } = await reading(t, { stopped: stopping.signal });
  const asked = of();
  stopping.abort();
  await assert.rejects(asked, (error) => error instanceof AppError && error.code === "unavailable");
  assert.equal(counts.looks, 0);
});

test("who is forgotten is gone from what is remembered with the next look", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1, { surveys_count: 1 });
  const answers = Array.from({ length: 5 }, (_, index) => ({
    id: `a-${index}`,
    campaign_id: 1,
    recipient: `person${index}@example.com`,
    type: "survey",
    at: "2026-06-15T11:05:00Z",
    survey_id: "s",
    kind: "enps",
    score: 9,
    comment: `Words of ${index}`,
  }));
  await world.ingest(organization, answers);
  const reader = new CampaignDetailsReader(world.database);
  const seen = async () => {
    const [current, [stored]] = await world.database.snapshot(async (queries) => {
      const now = await findOrganization(queries, organization.id);
      return [now, await findCampaigns(queries, organization.id, [1])] as const;
    });
    assert.ok(current && stored);
    return JSON.stringify((await reader.read(current, stored)).surveys);
  };
  assert.match(await seen(), /Words of 3.*person3@example\.com|person3@example\.com.*Words of 3/);
  await world.database.transaction((queries) =>
    forgetRecipient(queries, organization, "person3@example.com", world.clock.now),
  );
  assert.doesNotMatch(await seen(), /Words of 3|person3/);
});
