// Email providers in the browser: adding one, its page with the steps, its secret, and deleting it.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { findCampaigns } from "../../../../src/storage/campaigns/campaigns.ts";
import { listDeliveries, saveDeliveries } from "../../../../src/storage/keys/deliveries.ts";
import { deleteSource, listSources, recordSourceEvents } from "../../../../src/storage/keys/sources.ts";
import { actionsOf } from "../../../support/audit.ts";
import { assertMatches, assertPage } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { makeWebWorld, makeWebWorldOf } from "../../../support/web-world.ts";
import { present } from "../../../support/world.ts";

const secret = "a long password";

async function withProvider(t: TestContext, provider = "postmark") {
  const web = await makeWebWorld(t);
  const { world, organization, service } = web;
  const admin = await web.signIn("admin");
  const added = await admin.post("/sources", "add", { provider, campaign_field: "campaign" });
  assert.equal(added.status, 303, added.text);
  const page = added.location ?? "";
  const sources = () => world.database.queryOf(organization.id, listSources);
  const [source] = await sources();
  assert.ok(source);
  const deliver = (fields: object, headers: Record<string, string> = {}) =>
    service.send(`/ingest/v1/webhooks/${source.id}`, { body: fields, headers });
  return { ...web, admin, page, source, sources, deliver };
}

const opened = (campaign: number) => ({
  ...{ RecordType: "Open", MessageID: "m-1", Recipient: "ann@example.com" },
  ...{ ReceivedAt: new Date(present).toISOString(), Metadata: { campaign: String(campaign) } },
});

const authorization = { authorization: `Basic ${Buffer.from(`any:${secret}`).toString("base64")}` };

test("adds a provider, shows its URL and steps, and says when the first event has arrived", async (t) => {
  const { world, organization, admin, page, source, deliver } = await withProvider(t);
  await world.register(organization, 1);
  assert.match(page, /^\/sources\/[0-9a-f]{8}$/);
  assertMatches(await admin.read(page), [
    new RegExp(`<code id="webhook-url">http://[^<]*/ingest/v1/webhooks/${source.id}<`),
    /<code>campaign<\/code>/,
    /Waiting for the first event/,
    new RegExp(`data-poll="${page}"`),
  ]);
  assert.equal((await deliver(opened(1))).status, 200);
  // Later requests show, too.
  assertMatches(await admin.read(page), [/Events arrive\./, /data-poll/]);
});

sqliteTest("checks events with a secret from the moment that it is saved, and never shows it", async (t) => {
  const { world, organization, admin, page, deliver, service } = await withProvider(t);
  await world.register(organization, 1);
  assert.match(await admin.read(page), /No secret is set: the URL alone protects/);
  assert.equal((await admin.post(page, "secret", { secret })).status, 303);
  assert.equal((await deliver(opened(1))).status, 401);
  assert.equal((await deliver(opened(1), authorization)).status, 200);
  const text = await admin.read(page);
  assert.match(text, /A secret is set/);
  assert.doesNotMatch(text + JSON.stringify(service.logged), /a long password/);
});

sqliteTest("refuses a secret that the provider cannot have, without repeating it", async (t) => {
  const { admin, page, sources } = await withProvider(t, "sendgrid");
  assert.match(await admin.read("/sources"), new RegExp(`<a href="${page}">enter the secret</a>`));
  for (const wrong of ["not a key 123", ""]) {
    const { status, text } = await admin.post(page, "secret", { secret: wrong });
    assert.equal(status, 400);
    assert.match(text, /it is not (the verification key|text of 1 to)/);
    assert.doesNotMatch(text, /not a key 123/);
  }
  assert.equal((await sources())[0]?.secret, undefined);
});

sqliteTest("lists what became of the latest requests, also of rejected ones, without names", async (t) => {
  const { world, organization, admin, page, deliver, service, source } = await withProvider(t);
  await world.register(organization, 1);
  await deliver(opened(1));
  await deliver(opened(1));
  await deliver(opened(77));
  await admin.post(page, "secret", { secret });
  await deliver(opened(1));
  await service.send(`/ingest/v1/webhooks/${source.id}`, { body: "not JSON", headers: authorization });
  await service.stop();
  const deliveries = await world.database.queryOf(organization.id, (scope) =>
    listDeliveries(scope, source.id),
  );
  const shown = deliveries.map(({ status, accepted, repeated, quarantined, reason }) =>
    [status, accepted, repeated, quarantined, reason?.slice(0, 24) ?? ""].join(" "),
  );
  // A body that is not JSON goes to quarantine.
  const counted = ["200 0 0 1 ", "200 0 0 1 ", "200 0 1 0 ", "200 1 0 0 "];
  assert.deepEqual(shown.sort(), [...counted, "401    The Authorization header"]);
});

test("keeps the newest hundred requests of each source", async (t) => {
  const { world, organization, source } = await withProvider(t);
  const delivery = (at: number) => ({
    ...{ at, status: 200, reason: null },
    ...{ accepted: 1, repeated: 0, quarantined: 0 },
  });
  const list = () => world.database.queryOf(organization.id, (scope) => listDeliveries(scope, source.id));
  const save = (from: number, count: number) => {
    const deliveries = Array.from({ length: count }, (_, index) => delivery(from + index));
    return world.database.transactionOf(organization.id, (scope) =>
      saveDeliveries(scope, source.id, deliveries),
    );
  };
  await save(1_000, 60);
  assert.equal((await list()).length, 60);
  await save(2_000, 60);
  const kept = await list();
  assert.deepEqual([kept.length, kept[0]?.at, kept.at(-1)?.at], [100, 2_059, 1_020]);
  await world.database.transactionOf(organization.id, (scope) => deleteSource(scope, source.id));
  assert.deepEqual(await list(), []);
});

sqliteTest("says what became of the newest request until an event arrives, or was rejected", async (t) => {
  const { world, organization, admin, page, source } = await withProvider(t);
  const seenAfter = async (at: number, status: number, reason: string | null) => {
    const counts = { accepted: 0, repeated: 0, quarantined: 0 };
    const delivery = { at: present + at, status, reason, ...counts };
    await world.database.transactionOf(organization.id, (scope) =>
      saveDeliveries(scope, source.id, [delivery]),
    );
    return admin.read(page);
  };
  assert.match(await admin.read(page), /Waiting for the first event[^/]*<\/strong><\/p><p>No request has/);
  const accepted = await seenAfter(0, 200, null);
  assert.match(accepted, /accepted, but has no open or click with the field <code>campaign<\/code>/);
  assert.match(accepted, /data-poll[\s\S]*>No opens or clicks that name a campaign\.</);
  const rejected = /came Jun 15[^<]* and was rejected\.<\/strong> <span lang="en">The &lt;b&gt; is wrong/;
  const waiting = await seenAfter(1, 401, "The <b> is wrong");
  assert.match(waiting, /Waiting for the first event/);
  assert.match(waiting, rejected);
  assert.doesNotMatch(waiting, /was accepted/);
  await world.database.transactionOf(source.organizationId, (scope) =>
    recordSourceEvents(scope, source, new Set(["open"]), present),
  );
  assert.match(await admin.read(page), new RegExp(`${rejected.source}[\\s\\S]*Events arrive`));
  assert.doesNotMatch(await seenAfter(2, 200, null), /was rejected|Waiting/);
});

test("ticks the delivery events that a source sends, which campaigns know from their first event", async (t) => {
  const { world, organization, admin, page, deliver, sources } = await withProvider(t);
  await world.register(organization, 1);
  assert.doesNotMatch(await admin.read(page), /value="bounce" checked/);
  assert.equal((await admin.post(page, "reports", { reports: "bounce" })).status, 303);
  assert.deepEqual((await sources())[0]?.reports, { bounce: 0 });
  assert.match(await admin.read(page), /value="bounce" checked> Bounces<\/label> <span[^>]*>None yet</);
  await deliver(opened(1));
  const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [1]));
  assert.ok(stored && "tallies" in stored.numbers);
  const known = { bounced_hard: 0, bounced_soft: 0, suppressed: 0 };
  assert.deepEqual(stored.numbers.tallies.people.outcomes, known);
});

test("changes the campaign field, and deletes the source with its URL", async (t) => {
  const { world, organization, admin, page, deliver, sources } = await withProvider(t);
  await world.register(organization, 1);
  assert.equal((await admin.post(page, "field", { campaign_field: " " })).status, 400);
  assert.equal((await admin.post(page, "field", { campaign_field: "other" })).status, 303);
  assert.equal((await sources())[0]?.campaignField, "other");
  const deleted = await admin.post(page, "delete");
  assert.deepEqual([deleted.status, deleted.location], [303, "/sources"]);
  assert.equal((await deliver(opened(1))).status, 404);
  assert.equal((await admin.get(page)).status, 404);
  const actions = (await actionsOf(world, organization.id)).map((entry) => entry.split(", ")[1]);
  assert.deepEqual(actions.slice(0, 3), ["source.delete", "source.change", "source.add"]);
});

sqliteTest("names what is wrong with a new provider", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  const wrong = await admin.post("/sources", "add", { provider: "mailchimp", campaign_field: "campaign_id" });
  assertPage(wrong, 400, /mailchimp.* is not one of azure, brevo/);
  assert.equal((await admin.post("/sources", "add", { provider: "brevo", campaign_field: "" })).status, 400);
  const sources = await world.database.queryOf(organization.id, listSources);
  assert.deepEqual(sources, []);
});

sqliteTest("lets only admins of the organization see and change a source", async (t) => {
  const web = await withProvider(t);
  const { signIn, world, page, source, sources } = web;
  const viewer = await signIn("viewer");
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const stranger = await signIn("admin", { organization: other });
  const list = await viewer.read("/sources");
  assert.match(list, /Postmark/);
  assert.doesNotMatch(list, new RegExp(`${source.id}|${page}|Add a provider`));
  assert.equal((await stranger.get(page)).status, 404);
  const actions = { secret: { secret }, field: { campaign_field: "stolen" }, delete: {} };
  for (const [action, fields] of Object.entries(actions))
    assert.equal((await stranger.post(page, action, fields)).status, 404, action);
  assert.deepEqual(await sources(), [source]);
});
