// What a campaign's number, links and messages stand for after the campaign was deleted, moved or registered again.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { open } from "../support/events.ts";
import { fetchAs } from "../support/serve-readers.ts";
import { makeWebWorld, requestPage } from "../support/web-world.ts";
import { campaign, run } from "../support/world.ts";

const entered = {
  ...{ subject: "New", sent_at: "2026-06-15T11:00", recipient_count: "200" },
  tracking_type: "Individual",
};

async function start(t: TestContext) {
  const web = await makeWebWorld(t, { keyUsageMs: 2 ** 30 });
  const { service, ingestKey, world, organization } = web;
  const admin = await web.signIn("admin");
  await admin.post("/settings/share-links", "allow_links");
  const sender = { key: ingestKey };
  return {
    ...web,
    admin,
    /** The pixel in a tracked message of campaign 1. */
    async pixelOf(recipient: string) {
      const body = { html: "<p>Hello</p>", recipients: [recipient] };
      const { text } = await service.send("/ingest/v1/campaigns/1/messages", { ...sender, body });
      return /src=\\"(http[^"\\]+)\\"/.exec(text)?.[1] ?? assert.fail(text);
    },
    async share(id: number) {
      const view = { name: `Link ${id}`, days: "7", view: `/campaigns/${id}` };
      const { text } = await admin.post("/settings/share-links", "add", view);
      const path = /<code id="link">[^<]*(\/shared\/[^<]+)</.exec(text)?.[1] ?? assert.fail(text);
      return async () => (await requestPage(service.url + path)).status;
    },
    register: async (given: Record<string, string> = {}) =>
      (await admin.post("/campaigns/register", "register", { ...entered, ...given })).location,
    remove: (id: number) => admin.post(`/campaigns/${id}?tab=details`, "delete"),
    async opensOf(id: number) {
      const { emails } = await service.emails(web.key);
      return emails.find((each) => each.id === id)?.unique_opens;
    },
    put: (id: number, given = {}) => world.register(organization, id, given),
  };
}

test("gives no campaign the number of a deleted one, however both came", async (t) => {
  const { world, organization, register, remove, put } = await start(t);
  await put(1);
  assert.equal(await register(), "/campaigns/2");
  await remove(2);
  assert.equal(await register(), "/campaigns/3");
  // By a sender, by an import, scheduled, with an id that an import generated, and while events wait for the next one.
  await put(7);
  await world.save(organization, [campaign({ id: 8 }), campaign({ id: 10 ** 14 })]);
  await put(9, { sent_at: "2031-01-01T09:00:00Z" });
  for (const id of [7, 8, 9, 10 ** 14]) await remove(id);
  await world.ingest(organization, [open(1, { campaign_id: 10 }), open(2, { campaign_id: 11 })]);
  const both = await Promise.all([register(), register()]);
  assert.deepEqual(both.sort(), ["/campaigns/12", "/campaigns/13"]);
  assert.equal(await register({ id: "11" }), "/campaigns/11");
  assert.equal(await register(), "/campaigns/14");
});

for (const [way, bringAgain] of [
  ["a sender registers it again", async ({ put }) => put(1)],
  ["an admin registers it", async ({ register }) => register({ id: "1" })],
  [
    "an import brings it, and a sender registers it again",
    async ({ world, organization, remove, put, pixel }) => {
      await world.save(organization, [campaign({ id: 1 })]);
      // Imported numbers take no events, and none waits for the next campaign with the number.
      await fetchAs(pixel);
      await remove(1);
      await put(1);
    },
  ],
] as const satisfies [
  string,
  (given: Awaited<ReturnType<typeof start>> & { pixel: string }) => Promise<unknown>,
][]) {
  test(`a deleted campaign's messages and links reach no other one, also if ${way}`, async (t) => {
    const given = await start(t);
    const { put, pixelOf, share, remove, opensOf } = given;
    await put(1);
    await put(2);
    const old = await pixelOf("ann@example.com");
    const [link, other] = [await share(1), await share(2)];
    await fetchAs(old);
    assert.deepEqual([await opensOf(1), await link(), await other()], [1, 200, 200]);
    await remove(1);
    assert.equal(await link(), 404);
    await fetchAs(old);
    await bringAgain({ ...given, pixel: old });
    assert.deepEqual([await opensOf(1), await link(), await other()], [0, 404, 200]);
    await fetchAs(old);
    assert.equal(await opensOf(1), 0);
    await fetchAs(await pixelOf("bob@example.com"));
    assert.equal(await opensOf(1), 1);
    const quarantined = "quarantine list --organization 1 --json";
    assert.deepEqual((await run(given.world.databaseUrl, quarantined)).rows, []);
    assert.match((await given.admin.get("/settings/share-links")).text, /Link 2/);
    assert.doesNotMatch((await given.admin.get("/settings/share-links")).text, /Link 1</);
  });
}

test("a share link shows a campaign that was moved ahead again when its time has come", async (t) => {
  const { world, put, share, service, key } = await start(t);
  await put(1);
  const link = await share(1);
  const seen = async () => [(await service.emails(key)).emails.length, await link()];
  assert.deepEqual(await seen(), [1, 200]);
  await put(1, { sent_at: "2026-06-16T11:00:00Z" });
  assert.deepEqual(await seen(), [0, 404]);
  world.clock.now += 86_400_000;
  await world.publishDue();
  assert.deepEqual(await seen(), [1, 200]);
});
