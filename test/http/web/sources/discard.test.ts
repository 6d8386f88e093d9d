// Discarding quarantined events in the browser: a page that says which, then their deletion.

import assert from "node:assert/strict";
import test from "node:test";
import { countQuarantined } from "../../../../src/storage/quarantine/quarantine.ts";
import { actionsOf } from "../../../support/audit.ts";
import { open } from "../../../support/events.ts";
import { assertPage } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { present } from "../../../support/world.ts";

const path = "/sources";
const shownAt = String(present);

async function withQuarantine(t: test.TestContext) {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  await world.register(organization, 1);
  const unreadable = { type: "opened" };
  await world.ingest(organization, [
    open(1, { campaign_id: 5 }),
    open(2, { campaign_id: 1, ...unreadable }),
    open(3, { campaign_id: 1, ...unreadable }),
    open(4, { campaign_id: 1.5, ...unreadable }),
  ]);
  const waiting = async () => (await world.database.queryOf(organization.id, countQuarantined)).events;
  return { ...given, admin: await given.signIn("admin"), waiting };
}

test("discards the events of one group after a page that shows them, and not those that arrive meanwhile", async (t) => {
  const { world, organization, admin, waiting } = await withQuarantine(t);
  const text = await admin.read(path);
  assert.match(text, /<button class="second">Discard all</);
  assert.equal(text.match(/aria-label="Discard the events of campaign (5|1|unknown)"/g)?.length, 3);
  const fields = { campaign: "1", reason: "unreadable" };
  const page = await admin.post(path, "discard", fields);
  assert.equal(page.status, 200);
  assert.match(page.text, /2 events will be deleted without being counted\.<\/strong> You cannot undo this/);
  assert.match(page.text, />1 event<|<a href="\/campaigns\/1">/);
  assert.doesNotMatch(page.text, /<th scope="row" class="text">(5|unknown)</);
  const shown = /name="shown_at" value="(\d+)"/.exec(page.text)?.[1] ?? "";
  assert.equal(await waiting(), 4);
  world.clock.now += 1;
  await world.ingest(organization, [open(5, { campaign_id: 1, type: "opened" })]);
  const done = await admin.post(path, "discard", { ...fields, shown_at: shown });
  assert.deepEqual([done.status, done.location, done.notice], [303, path, "Discarded 2 events."]);
  assert.equal(await waiting(), 3);
  const unknown = { campaign: "null", reason: "unreadable", shown_at: shown };
  assert.equal((await admin.post(path, "discard", unknown)).notice, "Discarded 1 event.");
  assert.deepEqual((await actionsOf(world, organization.id)).slice(0, 2), [
    `${admin.user.email}, quarantine.discard, unknown campaign, unreadable`,
    `${admin.user.email}, quarantine.discard, campaign 1, unreadable`,
  ]);
});

test("discards all events of the organization, in many transactions, and clears the mark of the navigation", async (t) => {
  const { world, organization, admin, waiting, signIn } = await withQuarantine(t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.ingest(other, [open(1, { campaign_id: 5 })]);
  await world.ingest(
    organization,
    Array.from({ length: 2_500 }, (_, index) => open(100 + index, { campaign_id: 6 })),
  );
  const mark = /Events are in quarantine/;
  assert.match(await admin.read("/help"), mark);
  assert.match((await admin.post(path, "discard")).text, /2,504 events will be deleted/);
  assert.equal((await admin.post(path, "discard", { shown_at: shownAt })).notice, "Discarded 2,504 events.");
  assert.equal(await waiting(), 0);
  assert.doesNotMatch(await admin.read("/help"), mark);
  const all = (await actionsOf(world, organization.id)).filter((entry) => /quarantine/.test(entry));
  assert.deepEqual(all, [`${admin.user.email}, quarantine.discard, all campaigns`]);
  const theirs = await signIn("viewer", { organization: other });
  assert.match(await theirs.read("/help"), mark, "the other organization keeps its events");
});

sqliteTest("shows viewers no button that discards, and names a wrong field", async (t) => {
  const { admin, waiting, signIn } = await withQuarantine(t);
  const viewer = await signIn("viewer");
  assert.doesNotMatch(await viewer.read(path), />Discard/);
  const wrong = await admin.post(path, "discard", { reason: "<i>", shown_at: shownAt });
  assertPage(wrong, 400, /Reason: &quot;&lt;i&gt;&quot; is not one of /);
  assert.equal((await admin.post(path, "discard", { campaign: "x", shown_at: shownAt })).status, 400);
  assert.equal(await waiting(), 4);
});
