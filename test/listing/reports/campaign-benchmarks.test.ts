// What a campaign is compared with: its team, its tags, the usual opens, and the campaigns before and after it.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import type { HourCount } from "../../../src/campaign/events/hour-counts.ts";
import { coveredRateOf } from "../../../src/campaign/sum-rates.ts";
import { findBenchmarks, findUsualOpens } from "../../../src/listing/reports/campaign-benchmarks.ts";
import { curveHours, opensByAge, readUsualOpens } from "../../../src/listing/reports/opens-by-age.ts";
import { findNeighbors } from "../../../src/storage/campaigns/campaign-neighbors.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { campaign, makeWorld, present } from "../../support/world.ts";

const prefetch = { user_agent: "Mozilla/5.0" };

test("adds up opens by hours since the sending, for each traffic", () => {
  const sentAt = Date.UTC(2026, 5, 15, 8, 5);
  const start = Date.UTC(2026, 5, 15, 8);
  const count = (hours: number, verdict: string, count: number, activity: "open" | "click" = "open") =>
    ({ quarter: start + hours * hourMs, activity, verdict, count }) satisfies HourCount;
  const { people, all } = opensByAge(
    [
      count(-0.25, "person", 1),
      count(0.75, "person", 2),
      count(1, "apple_prefetch", 4),
      count(2.5, "google_proxy", 8),
      count(2.5, "person", 16, "click"),
      count(curveHours - 0.25, "person", 32),
      count(curveHours, "person", 64),
    ],
    sentAt,
  );
  assert.deepEqual([people.length, all.length], [curveHours, curveHours]);
  assert.deepEqual([people.slice(0, 4), people.at(-1)], [[3, 3, 11, 11], 43]);
  assert.deepEqual([all.slice(0, 4), all.at(-1)], [[3, 7, 15, 15], 47]);
});

test("compares with the median of other campaigns, per recipient, and needs three with activity", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sentAt = present - 5 * 24 * hourMs;
  const campaigns = [1, 2, 3, 4].map((id) => ({ id, sentAt, recipientCount: 10 * id }));
  for (const { id, recipientCount } of campaigns) {
    await world.register(organization, id, {
      sent_at: new Date(sentAt).toISOString(),
      recipient_count: recipientCount,
    });
  }
  // Campaign 4 has no opens. The others have some in the first hour, one in the third, and a prefetch.
  const openOf = (id: number, number: number, after: number, more = {}) => ({
    id: `${id} ${number} ${after}`,
    campaign_id: id,
    recipient: `${number}@example.com`,
    type: "open",
    at: new Date(sentAt + after).toISOString(),
    ...more,
  });
  await world.ingest(
    organization,
    [1, 2, 3].flatMap((id) => [
      ...Array.from({ length: 2 * id * id }, (_, number) => openOf(id, number, 10 * minuteMs)),
      openOf(id, 0, 2.5 * hourMs),
      openOf(id, 99, 3.5 * hourMs, prefetch),
    ]),
  );
  const read = (some: typeof campaigns) => readUsualOpens(world.database, organization.id, some);
  const usual = await read(campaigns);
  assert.equal(usual?.campaigns, 3);
  const first = (opens: readonly number[] = []) => opens.slice(0, 5).map((each) => Math.round(100 * each));
  // 2 of 10, 8 of 20 and 18 of 30 recipients in the first hour.
  assert.deepEqual(first(usual.opensPerRecipient.people), [40, 40, 45, 45, 45]);
  assert.deepEqual(first(usual.opensPerRecipient.all), [40, 40, 45, 50, 50]);
  assert.equal(usual.opensPerRecipient.people.length, curveHours);
  assert.equal(await read(campaigns.slice(1)), undefined);
  assert.equal(await read([]), undefined);
});

test("compares a campaign with its team and each of its tags in the year before it", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const day = 24 * hourMs;
  const sent = (id: number, daysBefore: number, opens: number, team: string, tags: string[]) => {
    const sentAt = present - daysBefore * day;
    return campaign({ id, sentAt, team, tags, recipientCount: 100, metrics: { unique_opens: opens } });
  };
  await world.save(organization, [
    sent(1, 500, 99, "HR", ["News"]),
    sent(2, 300, 10, "HR", ["News"]),
    sent(3, 200, 30, "HR", []),
    sent(7, 150, 50, "HR", []),
    sent(4, 100, 50, "IT", ["Benefits"]),
    sent(5, 10, 70, "HR", ["News", "Benefits"]),
    sent(6, 5, 99, "HR", ["News", "Benefits"]),
  ]);
  const [stored] = await world.database.query((queries) => findCampaigns(queries, organization.id, [5]));
  assert.ok(stored);
  const find = (of: StoredCampaign) => findBenchmarks(world.database, organization.id, of, "people");
  const { team, tags } = await find(stored);
  const openRate = ({ rate, of }: ReturnType<typeof coveredRateOf>) => [rate, of];
  assert.deepEqual([team?.name, team?.campaigns, team?.usual("openRate")], ["HR", 3, 0.3]);
  assert.equal(team?.usual("enpsIndex"), null, "imported campaigns have no index");
  assert.deepEqual(
    tags.map(({ tag, sums }) => [tag.name, ...openRate(coveredRateOf(sums, "openRate"))]),
    [
      ["Benefits", 0.5, 1],
      ["News", 0.1, 1],
    ],
  );
  const withoutTeam = { ...stored, campaign: { ...stored.campaign, team: null }, tags: [] };
  assert.deepEqual(await find(withoutTeam), { team: undefined, tags: [] });
});

test("knows whether the campaigns of a tag are those of the team, or as many others", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sent = (id: number, team: string, tags: string[]) =>
    campaign({ id, sentAt: present - 1_000 + id, team, tags });
  await world.save(organization, [
    sent(1, "HR", ["Both"]),
    sent(2, "HR", ["Both", "Half"]),
    sent(3, "IT", ["Half"]),
    sent(4, "HR", ["Both", "Half"]),
  ]);
  const [stored] = await world.database.query((queries) => findCampaigns(queries, organization.id, [4]));
  assert.ok(stored);
  const find = (of: StoredCampaign) => findBenchmarks(world.database, organization.id, of, "people");
  const { team, tags } = await find(stored);
  assert.equal(team?.campaigns, 2);
  assert.deepEqual(
    tags.map(({ tag, sums, isTeam }) => [tag.name, sums.campaigns, isTeam]),
    [
      ["Both", 2, true],
      ["Half", 2, false],
    ],
  );
});

test("takes the usual opens from the latest ten counted campaigns of the team that are old enough", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const day = 24 * hourMs;
  const register = (id: number, daysBefore: number, team: string) =>
    world.register(organization, id, {
      ...{ team, recipient_count: 10, sent_at: new Date(present - daysBefore * day).toISOString() },
    });
  // Campaign 1 is the twelfth before the last, 12 was sent yesterday, 13 belongs to another team.
  for (let id = 1; id <= 11; id++) await register(id, 60 - id, "HR");
  await register(12, 1, "HR");
  await register(13, 20, "IT");
  await world.save(organization, [campaign({ id: 14, sentAt: present - 15 * day, team: "HR" })]);
  const opensOf = (id: number, daysBefore: number, count: number) =>
    Array.from({ length: count }, (_, number) => ({
      id: `${id} ${number}`,
      campaign_id: id,
      recipient: `${number}@example.com`,
      type: "open",
      at: new Date(present - daysBefore * day + 10 * minuteMs).toISOString(),
    }));
  await world.ingest(organization, [
    ...Array.from({ length: 11 }, (_, index) => opensOf(index + 1, 59 - index, index === 0 ? 9 : 4)).flat(),
    ...opensOf(12, 1, 9),
    ...opensOf(13, 20, 9),
  ]);
  const find = (team: string | null, sentAt = present) =>
    findUsualOpens(world.database, organization.id, { sentAt, team }, present);
  const usual = await find("HR");
  assert.deepEqual([usual?.campaigns, usual?.opensPerRecipient.people[0]], [10, 0.4]);
  assert.equal((await find("HR", present - 57 * day))?.campaigns, undefined);
  assert.equal((await find("HR", present - 56 * day))?.campaigns, 3);
  assert.equal(await find("IT"), undefined);
  assert.equal((await find(null))?.campaigns, 10);
});

test("finds the campaigns before and after one, without scheduled ones and those of others", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { organization: other } = await world.addOrganization();
  const sent = (id: number, after: number) => campaign({ id, sentAt: present + after, subject: `No. ${id}` });
  await world.save(organization, [sent(1, -2), sent(4, -2), sent(2, -1), sent(3, 1)]);
  await world.save(other, [sent(9, -1)]);
  const around = async (id: number, after: number) => {
    const entry = { id, sentAt: present + after };
    const { previous, next } = await world.database.query((queries) =>
      findNeighbors(queries, organization.id, entry, present),
    );
    return [previous?.subject, next?.subject];
  };
  assert.deepEqual(await around(1, -2), [undefined, "No. 4"]);
  assert.deepEqual(await around(4, -2), ["No. 1", "No. 2"]);
  assert.deepEqual(await around(2, -1), ["No. 4", undefined]);
  assert.deepEqual(await around(3, 1), ["No. 2", undefined]);
});
