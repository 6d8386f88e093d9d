// Numbers read for sums are the stored numbers.

import assert from "node:assert/strict";
import test from "node:test";
import { CompiledQuery, sql } from "kysely";
import { trafficFilters } from "../../../src/campaign/events/traffic.ts";
import { metricNames, type ReportedMetrics } from "../../../src/campaign/metrics.ts";
import { addCampaign, emptySums, type SummedCampaign } from "../../../src/campaign/sums.ts";
import { findCampaignNumbers } from "../../../src/storage/campaigns/campaign-numbers.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { Queries } from "../../../src/storage/database.ts";
import { isPostgres } from "../../../src/storage/dialect-differences.ts";
import { Random } from "../../support/histories.ts";
import { campaign, makeWorld } from "../../support/world.ts";

const sumsOf = (summand: SummedCampaign) =>
  trafficFilters.map((counted) => {
    const sums = emptySums();
    addCampaign(sums, summand, counted);
    return sums;
  });

test("sums of campaign numbers equal sums of the stored numbers, to the last digit", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const random = new Random(11);
  const number = () =>
    [null, 0, random.between(1, 99_999), 22 / 3, 0.1 + 0.2, 1e-7][random.between(0, 5)] ?? null;
  const metrics = () =>
    Object.fromEntries(metricNames.map((name) => [name, number()])) as unknown as ReportedMetrics;
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  await world.save(
    organization,
    ids.map((id) =>
      campaign({
        id,
        recipientCount: random.chance(20) ? null : random.between(0, 500),
        team: random.chance(30) ? null : "T".repeat(random.between(1, 250)),
        metrics: metrics(),
      }),
    ),
  );
  for (const id of ids.filter((each) => each % 3 === 0)) await world.register(organization, 1_000 + id);
  await world.database.transaction(async (queries) => {
    const counted = await findCampaigns(
      queries,
      organization.id,
      ids.map((id) => 1_000 + id),
    );
    for (const { campaign: stored, numbers } of counted) {
      assert.ok("tallies" in numbers);
      const tallies = structuredClone(numbers.tallies);
      for (const tally of Object.values(tallies)) {
        for (const name of Object.keys(tally) as (keyof typeof tally)[])
          tally[name] = random.between(0, 10_000);
      }
      await sql`update campaigns set tallies = ${JSON.stringify(tallies)} where id = ${stored.id}`.execute(
        queries,
      );
    }
  });
  const all = [...ids, ...ids.map((id) => 1_000 + id), 9_999];
  const [found, stored] = await world.database.snapshot(async (queries) => [
    await findCampaignNumbers(queries, organization.id, all),
    await findCampaigns(queries, organization.id, all),
  ]);
  assert.equal(found.length, 200 + 66);
  const byId = new Map(found.map((each) => [each.id, each]));
  for (const { campaign: plain, numbers } of stored) {
    const each = byId.get(plain.id);
    assert.ok(each);
    assert.equal(each.team, plain.team?.slice(0, 200) ?? null);
    assert.deepEqual(
      sumsOf(each),
      sumsOf({ recipientCount: plain.recipientCount, numbers }),
      `campaign ${plain.id}`,
    );
  }
});

test("campaign numbers are read from the covering index on SQLite", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const plan = await world.database.snapshot(async (queries) => {
    if (isPostgres(queries)) return [];
    return planOf(queries, (watched) => findCampaignNumbers(watched, organization.id, [1, 2]));
  });
  for (const detail of plan.filter((each) => each.includes("campaigns"))) {
    assert.match(detail, /^SEARCH campaigns USING COVERING INDEX campaigns_sums /);
  }
  assert.ok(plan.length === 0 || plan.some((each) => each.includes("campaigns_sums")));
});

/** SQLite's query plan for the only statement of some work. */
async function planOf(queries: Queries, work: (queries: Queries) => Promise<unknown>): Promise<string[]> {
  const plan: string[] = [];
  const watched = queries.withPlugin({
    transformQuery({ node, queryId }) {
      const { sql: text, parameters } = queries.getExecutor().compileQuery(node, queryId);
      plan.push(text, ...(parameters as string[]));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(watched);
  const [text = "", ...parameters] = plan;
  const { rows } = await queries.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, parameters),
  );
  return rows.map(({ detail }) => detail);
}
