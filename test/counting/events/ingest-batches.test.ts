// Batches that are ingested together: each gets the result it would get alone, and every number is the same.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { parseCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import {
  type IngestResult,
  ingestBatches,
  ingestEvents,
} from "../../../src/counting/events/ingest-events.ts";
import {
  lockOrganization,
  type Organization,
  saveOrganization,
} from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { generateCampaign, generateEvents } from "../../support/generated-events.ts";
import { makeHistory, Random, type Step } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { event, quarantinedBytes, serveSender } from "../../support/serve-sender.ts";
import { makeWorld, serve, type World } from "../../support/world.ts";

/** Fewer on PostgreSQL, where each takes several times as long. */
const histories = randomCases(30);
const maxQuarantineBytes = 100_000_000;

/** Groups consecutive batches of events. */
function* rowsOf(steps: readonly Step[], random: Random): Generator<Step[]> {
  let row: Step[] = [];
  for (const step of steps) {
    if (row[0] && (step.kind !== "send" || row[0].kind !== "send" || random.chance(20))) {
      yield row;
      row = [];
    }
    row.push(step);
  }
  if (row.length > 0) yield row;
}

async function play(
  { database }: World,
  { id }: Organization,
  rows: Iterable<Step[]>,
  isTogether: boolean,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const row of rows) {
    const { now } = row.at(-1) as Step;
    const done = await database.transaction(async (queries): Promise<unknown[]> => {
      const organization = (await lockOrganization(new Scope(queries, id))) as Organization;
      const [first] = row;
      if (first?.kind === "put") {
        const counted = parseCountedCampaign(first.id, first.campaign, "UTC");
        if ("errors" in counted) throw new Error(JSON.stringify(counted.errors));
        return [
          await saveCountedCampaign(new Scope(queries, organization.id), organization, counted, now).catch(
            String,
          ),
        ];
      }
      const batches = row.map((step) =>
        classifyEvents(step.kind === "send" ? step.events.map((input) => ({ input })) : [], now),
      );
      if (isTogether)
        return ingestBatches(new Scope(queries, organization.id), organization, batches, {
          now,
          maxQuarantineBytes,
        });
      const alone: IngestResult[] = [];
      for (const batch of batches) {
        alone.push(
          await ingestEvents(new Scope(queries, organization.id), organization, batch, {
            now,
            maxQuarantineBytes,
          }),
        );
      }
      return alone;
    });
    results.push(...done);
  }
  return results;
}

/** Which answers wait for others depends on the batches. */
const countAtOnce = ({ database }: World, { id }: Organization) =>
  database.transaction((queries) => saveOrganization(new Scope(queries, id), { minAnswers: 1 }));

test("gives batches that are ingested together the same results as one after the other", async (t: TestContext) => {
  const world = await makeWorld(t);
  const service = await serve(t, world);
  for (let seed = 1; seed <= histories; seed++) {
    const { steps } = makeHistory(seed);
    const rows = [...rowsOf(steps, new Random(seed))];
    const [alone, together] = [await world.addOrganization(), await world.addOrganization()];
    for (const { organization } of [alone, together]) await countAtOnce(world, organization);
    const expected = await play(world, alone.organization, rows, false);
    assert.deepEqual(await play(world, together.organization, rows, true), expected, `history ${seed}`);
    const { emails } = await service.emails(alone.key, "?per_page=100");
    assert.deepEqual((await service.emails(together.key, "?per_page=100")).emails, emails, `history ${seed}`);
  }
});

test("counts a large batch in parts with the same result as many small batches", async (t) => {
  const world = await makeWorld(t);
  world.clock.now = Date.UTC(2026, 6, 1);
  const service = await serve(t, world);
  const events = [...generateEvents(3_000, 7)];
  // Repeated events, of which some can no longer be counted, and events without a campaign.
  const random = new Random(7);
  const given: object[] = events.map((each) => ({ ...each }));
  for (const each of events.filter(() => random.chance(20))) {
    given.splice(random.between(0, given.length), 0, random.chance(50) ? each : { ...each, at: "later" });
  }
  const totals = [];
  const records = [];
  for (const size of [given.length, 50]) {
    const { organization, key } = await world.addOrganization();
    await countAtOnce(world, organization);
    for (let id = 1; id <= 6; id++) await world.register(organization, id, { ...generateCampaign(id) });
    const total = { accepted: 0, repeated: 0, quarantined: 0, refused: 0 };
    for (let start = 0; start < given.length; start += size) {
      const result = await world.ingest(organization, given.slice(start, start + size));
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += result[name];
    }
    totals.push(total);
    records.push((await service.emails(key)).emails);
  }
  assert.deepEqual(totals[0], totals[1]);
  assert.deepEqual(records[0], records[1]);
  assert.ok((totals[0]?.accepted ?? 0) > 2_000);
});

test("refuses only the request that exceeds the quarantine quota when others arrive at the same time", async (t) => {
  const sender = await serveSender(t, { maxQuarantineBytes: 5 * quarantinedBytes, register: {} });
  const counted = Array.from({ length: 20 }, () => sender.post([event()]));
  const waiting = sender.post(Array.from({ length: 6 }, () => event({ campaign_id: 2 })));
  const others = Array.from({ length: 20 }, () => sender.post([event(), event()]));
  assert.equal((await waiting).status, 503);
  const answers = await Promise.all([...counted, ...others]);
  const found = answers.map(({ status, body }) => [status, body.accepted]);
  assert.deepEqual(found, [...counted.map(() => [200, 1]), ...others.map(() => [200, 2])]);
  assert.deepEqual(await sender.numbers("total_opens"), [60]);
});
