// All traffic by verdict. What is cached of a campaign ends with its change.

import assert from "node:assert/strict";
import test from "node:test";
import { TrafficReader } from "../../../src/listing/reports/traffic-reader.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { backUp } from "../../support/back-up.ts";
import { makeAcme, present } from "../../support/world.ts";

test("traffic is right after a backup is restored and a revision repeats", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.register(organization, 100);
  const restore = await backUp(world.database, organization.id);
  const reader = new TrafficReader(world.database);
  const open = (...recipients: string[]) =>
    world.ingest(
      organization,
      recipients.map((recipient) => {
        return {
          id: recipient,
          campaign_id: 100,
          recipient,
          type: "open",
          at: new Date(present).toISOString(),
        };
      }),
    );
  const read = async () => {
    const { verdicts } = await reader.read(organization.id, [100]);
    const current = await world.read(organization, findOrganization);
    return {
      opens: verdicts.reduce((sum, [, count]) => sum + count, 0),
      revision: current?.revision,
    };
  };
  await open("lost@example.com");
  const lost = await read();
  assert.equal(lost.opens, 1);
  await restore();
  await open("a@example.com", "b@example.com");
  assert.deepEqual(await read(), { opens: 2, revision: lost.revision });
});

test("adds up the opens and clicks of campaigns by verdict, the most frequent first", async (t) => {
  const { world, organization } = await makeAcme(t);
  const event = (campaign_id: number, id: string, at: string, given: object) => {
    return { id, campaign_id, recipient: `${id}@example.com`, at, type: "open", ...given };
  };
  const sent = { sent_at: "2026-05-01T00:00:00Z" };
  for (const id of [100, 101]) await world.register(organization, id, sent);
  const bot = { user_agent: "Barracuda Sentinel (EE)" };
  await world.ingest(organization, [
    event(100, "a", "2026-06-01T03:59:59Z", {}),
    event(100, "f", "2026-06-01T03:59:59Z", {}),
    event(100, "b", "2026-06-01T04:00:00Z", {}),
    event(100, "c", "2026-06-02T00:00:00Z", { type: "click", url: "https://example.com/", ...bot }),
    event(101, "d", "2026-06-02T00:00:00Z", bot),
    event(101, "e", "2026-06-02T00:00:00Z", { type: "read", seconds: 5 }),
  ]);
  const reader = new TrafficReader(world.database);
  const expected = [
    ["person", 3],
    ["gateway", 2],
  ];
  // The second time, from the cache.
  for (let times = 0; times < 2; times++) {
    assert.deepEqual((await reader.read(organization.id, [100, 101])).verdicts, expected);
  }
});
