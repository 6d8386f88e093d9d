// GET /data_api/v1/emails with 304: the ETag and what changes it.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { changeTag, removeTag } from "../../support/change-tag.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeAcme, serve, type World } from "../../support/world.ts";

async function served(test: TestContext) {
  const { world, organization, key } = await makeAcme(test);
  await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2 })]);
  const service = await serve(test, world);
  const ask = (ifNoneMatch?: string, query = "") =>
    service.get(`/data_api/v1/emails${query}`, {
      key,
      ...(ifNoneMatch !== undefined && { headers: { "if-none-match": ifNoneMatch } }),
    });
  return { world, organization, ask };
}

sqliteTest("sends a weak ETag and headers that allow only private caching with revalidation", async (t) => {
  const { ask } = await served(t);
  const { headers } = await ask();
  assert.match(headers.get("etag") ?? "", /^W\/"[\w-]{27}"$/);
  assert.equal(headers.get("cache-control"), "private, no-cache");
  assert.equal(headers.get("vary"), "Authorization, Accept-Encoding, Origin");
});

sqliteTest("answers 304 without a body when If-None-Match has the ETag, in every form", async (t) => {
  const { ask } = await served(t);
  const etag = (await ask()).headers.get("etag") ?? "";
  for (const form of [etag, etag.slice(2), `"other", ${etag}`, `${etag},"other"`, "*"]) {
    const { status, text, headers } = await ask(form);
    assert.equal(status, 304, form);
    assert.equal(text, "");
    assert.equal(headers.get("etag"), etag);
    assert.equal(headers.get("cache-control"), "private, no-cache");
  }
  for (const other of ['"other"', "W/other", etag.toUpperCase(), ""]) {
    assert.equal((await ask(other)).status, 200, other);
  }
});

sqliteTest("sends a different ETag for each query", async (t) => {
  const { ask } = await served(t);
  const queries = [
    "",
    "?page=2",
    "?per_page=20",
    "?sent_after=2024-01-01",
    "?sent_before=2024-01-01",
    "?tag_ids=1",
    "?tag_ids=99",
  ];
  const etags = await Promise.all(
    queries.map(async (query) => (await ask(undefined, query)).headers.get("etag")),
  );
  assert.equal(new Set(etags).size, queries.length);
  const same = await Promise.all(
    ["", "?page=1", "?per_page=10&page=01", "?foo=1"].map((query) => ask(undefined, query)),
  );
  assert.deepEqual(new Set(same.map(({ headers }) => headers.get("etag"))).size, 1);
});

test("keeps the ETag when the same content is saved again", async (t) => {
  const { world, organization, ask } = await served(t);
  const etag = (await ask()).headers.get("etag") ?? "";
  world.clock.now += 60_000;
  const outcomes = await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2 })]);
  assert.deepEqual(outcomes, ["unchanged", "unchanged"]);
  assert.equal((await ask(etag)).status, 304);
});

type Change = (world: World, organizationId: number, now: number) => Promise<unknown>;

const changes: Record<string, Change> = {
  "a new campaign": (world) => saveFirst(world, campaign({ id: 3 })),
  "a changed campaign": (world) => saveFirst(world, campaign({ id: 1, subject: "Mended", tags: ["News"] })),
  "a campaign that lost its tag": (world) => saveFirst(world, campaign({ id: 1 })),
  "a deleted campaign": (world, id, now) => world.write({ id }, (scope) => removeCampaign(scope, 2, now)),
  "a renamed tag": (world, id, now) =>
    world.database.transaction(async (queries) => {
      const [tag] = await listTags(new Scope(queries, id));
      await changeTag(queries, { organizationId: id, id: tag?.id ?? 0, change: { name: "Newsletter" }, now });
    }),
  "a recoloured tag": (world, id, now) =>
    world.database.transaction(async (queries) => {
      const [tag] = await listTags(new Scope(queries, id));
      await changeTag(queries, { organizationId: id, id: tag?.id ?? 0, change: { color: "#000000" }, now });
    }),
  "a deleted tag": (world, id, now) =>
    world.database.transaction(async (queries) => {
      const [tag] = await listTags(new Scope(queries, id));
      await removeTag(queries, { organizationId: id, id: tag?.id ?? 0, now });
    }),
};

async function saveFirst(world: World, changed: Parameters<World["save"]>[1][number]) {
  const [organization] = await world.database.snapshot(listOrganizations);
  if (organization) await world.save(organization, [changed]);
}

for (const [name, change] of Object.entries(changes)) {
  test(`shows ${name} in the very next response, with a new ETag`, async (t) => {
    const { world, organization, ask } = await served(t);
    const before = await ask();
    await change(world, organization.id, world.clock.now);
    const after = await ask(before.headers.get("etag") ?? "");
    assert.equal(after.status, 200);
    assert.notEqual(after.text, before.text);
    assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  });
}
