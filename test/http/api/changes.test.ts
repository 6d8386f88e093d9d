// GET /data_api/v1/emails/changes: what differs since a cursor or an instant.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { changeOrganization, startNewHistory } from "../../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { backUp } from "../../support/back-up.ts";
import { changeTag, removeTag } from "../../support/change-tag.ts";
import { open } from "../../support/events.ts";
import { campaign, makeAcme, present, serve, type World } from "../../support/world.ts";

interface Changes {
  emails: Record<string, unknown>[];
  meta: { per_page: number; has_more: boolean; cursor: string };
}

async function served(t: TestContext) {
  const { world, organization, key } = await makeAcme(t);
  const service = await serve(t, world);
  const get = (query = "", headers: Record<string, string> = {}) =>
    service.get(`/data_api/v1/emails/changes${query}`, { key, headers });
  const changes = async (query = ""): Promise<Changes> => {
    const { status, body, text } = await get(query);
    assert.equal(status, 200, text);
    return body as unknown as Changes;
  };
  /** Everything since a cursor, in pages of two. */
  const since = async (cursor: string): Promise<Changes["emails"]> => {
    const { emails, meta } = await changes(`?per_page=2&cursor=${cursor}`);
    return meta.has_more ? [...emails, ...(await since(meta.cursor))] : emails;
  };
  const write = (work: Write): Promise<unknown> => world.database.transaction(work);
  return { world, organization, key, service, get, changes, since, write };
}

const at = (ms: number) => new Date(present + ms).toISOString();
const idsOf = (emails: Changes["emails"]) => emails.map(({ id, deleted }) => (deleted ? `-${id}` : `${id}`));

test("sends feed records in the order of their changes, and a cursor", async (t) => {
  const { world, organization, changes } = await served(t);
  await world.save(organization, [campaign({ id: 7, tags: ["News"] })]);
  world.clock.now += 5;
  await world.save(organization, [campaign({ id: 3 })]);
  const { emails, meta } = await changes();
  assert.deepEqual(idsOf(emails), ["7", "3"]);
  assert.deepEqual(
    { ...emails[0] },
    {
      ...emails[0],
      id: 7,
      subject: "Campaign 7",
      sent_at: "2024-01-01T09:00:00.000Z",
      sent_on: "2024-01-01",
      sent_hour: 9,
      tag_names: "News",
      kind: "reported",
      closed_at: null,
      updated_at: at(1),
      deleted: false,
    },
  );
  assert.equal(emails[1]?.updated_at, at(5));
  assert.deepEqual(meta, { per_page: 1000, has_more: false, cursor: meta.cursor });
  assert.match(meta.cursor, /^c1(\.[0-9a-z]+){8}\.[\w-]{22}$/);
});

test("sends pages until nothing is left, with a Link to the next one", async (t) => {
  const { world, organization, get, changes } = await served(t);
  const campaigns = [5, 1, 3].map((id) => campaign({ id }));
  await world.save(organization, campaigns);
  const first = await get("?per_page=2");
  const { emails, meta } = first.body as unknown as Changes;
  assert.deepEqual([idsOf(emails), meta.has_more], [["1", "3"], true]);
  assert.equal(
    first.headers.get("link"),
    `<https://analytics.example.com/data_api/v1/emails.schema.json>; rel="describedby", <https://analytics.example.com/data_api/v1/emails/changes?cursor=${meta.cursor}&per_page=2>; rel="next"`,
  );
  assert.equal(first.headers.get("x-per-page"), "2");
  const rest = await changes(`?per_page=2&cursor=${meta.cursor}`);
  assert.deepEqual([idsOf(rest.emails), rest.meta.has_more], [["5"], false]);
  assert.deepEqual((await changes(`?cursor=${rest.meta.cursor}`)).emails, []);
});

type Served = Awaited<ReturnType<typeof served>>;
type Write = Parameters<World["database"]["transaction"]>[0];
type Change = (served: Served) => Promise<unknown>;

const organizationChange =
  (change: Parameters<typeof changeOrganization>[1]): Change =>
  ({ write, organization, world }) =>
    write((queries) => changeOrganization(new Scope(queries, organization.id), change, world.clock.now));

const firstTag =
  (change: (queries: Queries, id: number) => Promise<unknown>): Change =>
  ({ write, organization }) =>
    write(async (queries) => {
      const [tag] = await listTags(new Scope(queries, organization.id));
      await change(queries, tag?.id ?? 0);
    });

/** Campaigns 1 and 2 are reported, with the tag of id 1; campaign 3 is counted, 4 is sent in a minute. */
const cases: Record<string, { change: Change; ids: string[] }> = {
  "a new campaign": {
    change: ({ world, organization }) => world.save(organization, [campaign({ id: 9 })]),
    ids: ["9"],
  },
  "a changed campaign": {
    change: ({ world, organization }) =>
      world.save(organization, [campaign({ id: 2, subject: "Mended", tags: ["News"] })]),
    ids: ["2"],
  },
  "counted events": {
    change: ({ world, organization }) => world.ingest(organization, [open(1, { campaign_id: 3 })]),
    ids: ["3"],
  },
  "a closed campaign": {
    change: ({ write, organization, world }) =>
      write((queries) =>
        closeCampaign(new Scope(queries, organization.id), organization, 3, world.clock.now),
      ),
    ids: ["3"],
  },
  "a deleted campaign": {
    change: ({ write, organization, world }) =>
      write((queries) => removeCampaign(new Scope(queries, organization.id), 2, world.clock.now)),
    ids: ["-2"],
  },
  "a campaign whose time came": {
    change: async ({ world }) => {
      world.clock.now += 60_000;
      await world.publishDue();
    },
    ids: ["4"],
  },
  "a campaign that moved into the future": {
    change: ({ world, organization }) => world.register(organization, 3, { sent_at: "2026-06-16T11:00:00Z" }),
    ids: ["-3"],
  },
  "a renamed tag": {
    change: firstTag((queries, id) =>
      changeTag(queries, { organizationId: 1, id, change: { name: "Letter" }, now: present }),
    ),
    ids: ["1", "2"],
  },
  "a deleted tag": {
    change: firstTag((queries, id) => removeTag(queries, { organizationId: 1, id, now: present })),
    ids: ["1", "2"],
  },
  "another time zone": { change: organizationChange({ timeZone: "Asia/Tokyo" }), ids: ["1", "2", "3"] },
  "another counted traffic": {
    change: organizationChange({ countedTraffic: "all" }),
    ids: ["1", "2", "3"],
  },
};

for (const [name, { change, ids }] of Object.entries(cases)) {
  test(`sends what differs after ${name}, and nothing twice`, async (t) => {
    const all = await served(t);
    const { world, organization, changes, since } = all;
    const campaigns = [1, 2].map((id) => campaign({ id, tags: ["News"] }));
    await world.save(organization, campaigns);
    await world.register(organization, 3);
    await world.register(organization, 4, { sent_at: at(60_000) });
    const { meta } = await changes();
    world.clock.now += 10;
    await change(all);
    assert.deepEqual(idsOf(await since(meta.cursor)), ids);
    const next = await changes(`?cursor=${meta.cursor}`);
    assert.deepEqual((await changes(`?cursor=${next.meta.cursor}`)).emails, []);
    const pages = (await all.service.emails(all.key, "?per_page=100")).emails.map((email) => email.id);
    const everything = (await changes()).emails.filter((email) => !email.deleted).map((email) => email.id);
    assert.deepEqual(new Set(everything), new Set(pages));
  });
}

test("sends what changed at or after an instant, for tools that keep the largest updated_at", async (t) => {
  const { world, organization, changes } = await served(t);
  for (const id of [1, 2, 3]) {
    world.clock.now = present + id * 1_000;
    await world.save(organization, [campaign({ id })]);
  }
  const after = async (instant: string) => idsOf((await changes(`?updated_after=${instant}`)).emails);
  assert.deepEqual(await after(at(2_000)), ["2", "3"]);
  assert.deepEqual(await after(at(2_001)), ["3"]);
  assert.deepEqual(await after("2026-06-15"), ["1", "2", "3"]);
  assert.deepEqual(await after("2030-01-01"), []);
  const { meta } = await changes("?updated_after=2030-01-01");
  world.clock.now += 1_000;
  await world.save(organization, [campaign({ id: 4 })]);
  assert.deepEqual(idsOf((await changes(`?cursor=${meta.cursor}`)).emails), ["4"]);
  // Tools repeat the parameters of the first page.
  assert.deepEqual(idsOf((await changes(`?updated_after=2020-01-01&cursor=${meta.cursor}`)).emails), ["4"]);
});

test("answers 304, with the same cursor as before, until something changes", async (t) => {
  const { world, organization, get, changes, since } = await served(t);
  const { meta: empty } = await changes();
  world.clock.now += 60_000;
  await world.save(organization, [campaign({ id: 5 })]);
  assert.deepEqual(idsOf(await since(empty.cursor)), ["5"]);
  const { meta } = await changes();
  world.clock.now += 60_000;
  await world.register(organization, 3, { sent_at: at(3_600_000) });
  const nothing = await get(`?cursor=${meta.cursor}`);
  const etag = nothing.headers.get("etag") ?? "";
  assert.deepEqual(nothing.body, { emails: [], meta: { ...meta } });
  world.clock.now += 60_000;
  const again = await get(`?cursor=${meta.cursor}`, { "if-none-match": etag });
  assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  assert.equal(again.headers.get("cache-control"), "private, no-cache");
  await world.save(organization, [campaign({ id: 2 })]);
  const changed = await get(`?cursor=${meta.cursor}`, { "if-none-match": etag });
  assert.deepEqual([changed.status, idsOf(changed.body.emails)], [200, ["2"]]);
});

test("answers 410 after `restore` or when the data is older than the cursor", async (t) => {
  const { world, organization, write, get, changes } = await served(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const { meta } = await changes();

  const goneAfter = async (query: string) => {
    const { status, body } = await get(`?cursor=${query}`);
    assert.deepEqual([status, body.error], [410, "gone"]);
    assert.match(body.error_message, /Start again without a cursor, and with an empty copy/);
  };
  const set = (values: object) =>
    write((queries) => queries.updateTable("organizations").set(values).execute());
  await set({ revision: present - 1 });
  await goneAfter(meta.cursor);
  await set({ revision: present + 1 });
  assert.equal((await get(`?cursor=${meta.cursor}`)).status, 200);
  await write((queries) => startNewHistory(new Scope(queries, organization.id), present));
  await goneAfter(meta.cursor);
  assert.deepEqual(
    idsOf((await changes(`?updated_after=${at(2)}`)).emails),
    ["1"],
    "all records count as changed",
  );
});

/** What the restored backup loses, after campaigns 1 and 2 were saved. Campaign 2 changes again since. */
const lost: Record<string, (save: (given: Parameters<typeof campaign>[0]) => Promise<unknown>) => unknown> = {
  "the last change": (save) => save({ id: 3 }),
  "the last campaign that moved": async (save) => {
    await save({ id: 1, tags: ["HR"] });
    await save({ id: 2, subject: "Mended" });
  },
};

for (const [name, lose] of Object.entries(lost)) {
  test(`answers 410 if a restored backup lost ${name}, and writers have gone on since`, async (t) => {
    const { world, organization, get, changes } = await served(t);
    const save = (given: Parameters<typeof campaign>[0]) => {
      world.clock.now += 1_000;
      return world.save(organization, [campaign(given)]);
    };
    await save({ id: 1, tags: ["News"] });
    await save({ id: 2 });
    const kept = await changes();
    const restore = await backUp(world.database, organization.id);
    await lose(save);
    const gone = await changes();
    await restore();
    await save({ id: 2, subject: "Mended again" });
    assert.equal((await get(`?cursor=${gone.meta.cursor}`)).status, 410);
    assert.equal((await get(`?cursor=${kept.meta.cursor}`)).status, 200);
  });
}

test("answers 200, not 304, for another state of a restored backup whose revisions repeat", async (t) => {
  const { world, organization, get } = await served(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const { meta } = (await get("")).body;
  // The clock is two days ahead, so both states have the same revisions.
  const ahead = world.clock.now + 2 * 24 * 3_600_000;
  world.clock.now = ahead;
  await world.save(organization, [campaign({ id: 1, subject: "Before" })]);
  const restore = await backUp(world.database, organization.id);
  const queries = ["", `?cursor=${meta.cursor}`];
  await world.save(organization, [campaign({ id: 1, subject: "STATE A" })]);
  const lost = await Promise.all(queries.map((query) => get(query)));
  await restore();
  world.clock.now = ahead;
  await world.save(organization, [campaign({ id: 1, subject: "STATE B" })]);
  for (const [index, query] of queries.entries()) {
    const before = lost[index];
    const etag = before?.headers.get("etag") ?? "";
    const { status, body } = await get(query, { "if-none-match": etag });
    assert.equal(status, 200, query);
    const [seen, replaced] = [body.emails[0], before?.body.emails[0]];
    assert.deepEqual([replaced?.subject, seen?.subject], ["STATE A", "STATE B"]);
    assert.equal(seen?.updated_at, replaced?.updated_at);
  }
});
