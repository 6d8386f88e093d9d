// What a campaign is compared with: its team, its tags, and the campaigns before and after it.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { coveredRateOf } from "../../../src/campaign/sum-rates.ts";
import { findBenchmarks } from "../../../src/listing/reports/campaign-benchmarks.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { findNeighbors } from "../../../src/storage/sums/campaign-neighbors.ts";
import { campaign, makeAcme, present } from "../../support/world.ts";

test("compares a campaign with its team and each of its tags in the year before it", async (t) => {
  const { world, organization } = await makeAcme(t);
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
  const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [5]));
  assert.ok(stored);
  const find = (of: StoredCampaign) =>
    world.database.snapshotOf(organization.id, (scope) => findBenchmarks(scope, of, "people"));
  const { baseline: team, tags } = await find(stored);
  const openRate = ({ rate, of }: ReturnType<typeof coveredRateOf>) => [rate, of];
  const answer = ({ name, sums, usual }: typeof team) => [
    ...[name, sums.settledCampaigns, usual("openRate")?.value],
  ];
  assert.deepEqual(answer(team), ["HR", 3, 0.3]);
  assert.equal(team.usual("enpsIndex"), null, "imported campaigns have no index");
  assert.deepEqual(
    tags.map(({ tag, sums }) => [tag.name, ...openRate(coveredRateOf(sums, "openRate"))]),
    [
      ["Benefits", 0.5, 1],
      ["News", 0.1, 1],
    ],
  );
  // Without a team, with the largest of its tags if that has enough campaigns, and otherwise with all.
  const withoutTeam = { ...stored, campaign: { ...stored.campaign, team: null } };
  assert.deepEqual(answer((await find(withoutTeam)).baseline), ["", 4, 0.35]);
  assert.deepEqual(answer((await find({ ...withoutTeam, tags: [] })).baseline), ["", 4, 0.35]);
  await world.save(organization, [sent(8, 60, 20, "", ["News"]), sent(9, 70, 60, "", ["News"])]);
  assert.deepEqual(answer((await find(withoutTeam)).baseline), ["News", 3, 0.3]);
});

test("finds the campaigns before and after one, without scheduled ones and those of others", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization();
  const sent = (id: number, after: number) => campaign({ id, sentAt: present + after, subject: `No. ${id}` });
  await world.save(organization, [sent(1, -2), sent(4, -2), sent(2, -1), sent(3, 1)]);
  await world.save(other, [sent(9, -1)]);
  const around = async (id: number, after: number) => {
    const entry = { id, sentAt: present + after };
    const { previous, next } = await world.read(organization, (scope) =>
      findNeighbors(scope, entry, present),
    );
    return [previous?.subject, next?.subject];
  };
  assert.deepEqual(await around(1, -2), [undefined, "No. 4"]);
  assert.deepEqual(await around(4, -2), ["No. 1", "No. 2"]);
  assert.deepEqual(await around(2, -1), ["No. 4", undefined]);
  assert.deepEqual(await around(3, 1), ["No. 2", undefined]);
});
