// `organization change --count`: the numbers change immediately, and back, without counting events again.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { sql } from "kysely";
import { click, open } from "../../support/events.ts";
import { exported } from "../../support/import-files.ts";
import { campaign, makeAcme, run, serve, type World } from "../../support/world.ts";

const count = (world: World, traffic: string, id = 1) => {
  const argv = ["organization", "change", "--organization", String(id), "--count", traffic, "--json"];
  return run(world.databaseUrl, argv);
};

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15";

/** One human open, two automated opens, an automated click, a click on a hidden link, and a burst of clicks. */
const events = (campaign_id: number) => {
  const more = { campaign_id };
  const burst = ["a", "b", "c"].map((link, index) =>
    click(20 + index, { ...more, recipient: "burst@example.com", url: `https://example.com/${link}` }),
  );
  return [
    open(1, { ...more, user_agent: iphone }),
    open(2, { ...more, user_agent: "Mozilla/5.0", device: "desktop" }),
    open(3, { ...more, user_agent: "Mozilla/5.0", device: "desktop" }),
    click(4, { ...more, machine: true }),
    click(5, { ...more, hidden: true }),
    ...burst,
  ];
};

async function counted(t: TestContext) {
  const { world, organization, key } = await makeAcme(t, { register: {} });
  await world.save(organization, [campaign({ id: 2 })]);
  await world.ingest(organization, events(1));
  const service = await serve(t, world);
  const get = async (etag?: string) =>
    service.get("/data_api/v1/emails", { key, ...(etag && { headers: { "if-none-match": etag } }) });
  return { world, organization, get };
}

const names = ["unique_opens", "total_opens", "unique_clicks", "total_clicks", "mobile_open_rate"] as const;
const shown = (record: Record<string, unknown> | undefined) => names.map((name) => record?.[name]);

const people = [1, 1, 0, 0, 100];
const all = [6, 6, 3, 5, 33];

test("organization change --count takes effect with the next request, in both directions", async (t) => {
  const { world, get } = await counted(t);
  const before = await get();
  assert.deepEqual(shown(before.body.emails[0]), people);

  const { exitCode, rows } = await count(world, "all");
  assert.deepEqual([exitCode, rows[0]?.count], [0, "all"]);
  const turned = await get();
  assert.deepEqual(shown(turned.body.emails[0]), all);
  assert.deepEqual(turned.body.emails[1], before.body.emails[1], "an imported campaign does not change");
  assert.deepEqual(shown((await exported(world))[0]), all);

  await count(world, "people");
  const back = await get();
  assert.deepEqual(back.body, before.body);
  const etags = [before, turned, back].map(({ headers }) => headers.get("etag"));
  assert.equal(new Set(etags).size, 3, "every change has a new ETag");
  assert.equal((await get(etags[0] ?? "")).status, 200);
  assert.equal((await get(etags[2] ?? "")).status, 304);
});

test("rendered records and later events follow the setting of --count", async (t) => {
  const { world, organization, get } = await counted(t);
  await count(world, "all");
  assert.deepEqual(shown((await get()).body.emails[0]), all);
  await world.ingest(organization, [open(30, { machine: true })]);
  assert.deepEqual(shown((await get()).body.emails[0]), [7, 7, 3, 5, 33]);
  await count(world, "people");
  await world.ingest(organization, [open(31, { machine: true }), open(32)]);
  assert.deepEqual(shown((await get()).body.emails[0]), [2, 2, 0, 0, 100]);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});

test("organization change --count does not change other organizations", async (t) => {
  const { world, get } = await counted(t);
  const other = await world.addOrganization({ name: "Globex" });
  await world.register(other.organization, 1);
  await world.ingest(other.organization, events(1));
  const before = await get();
  await count(world, "all", 2);
  assert.equal((await get(before.headers.get("etag") ?? "")).status, 304);
  assert.deepEqual(shown((await exported(world, 2))[0]), all);
  assert.deepEqual(shown((await exported(world, 1))[0]), people);
});

test("organization change --count reads no recipients, so its cost does not depend on their number", async (t) => {
  const { world, get } = await counted(t);
  await world.database.transaction((queries) => sql`delete from recipients`.execute(queries));
  await count(world, "all");
  assert.deepEqual(shown((await get()).body.emails[0]), all);
});

test("organization change --close-after-days changes no response", async (t) => {
  const { world, get } = await counted(t);
  const etag = (await get()).headers.get("etag") ?? "";
  const argv = ["organization", "change", "--organization", "1", "--close-after-days", "500"];
  assert.equal((await run(world.databaseUrl, argv)).stdout, "Changed organization 1.\n");
  assert.equal((await get(etag)).status, 304);
});
