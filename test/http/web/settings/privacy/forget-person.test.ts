// Forgetting a person in the browser.

import assert from "node:assert/strict";
import test from "node:test";
import { putDirectory } from "../../../../support/audience.ts";
import { actionsOf } from "../../../../support/audit.ts";
import { open } from "../../../../support/events.ts";
import { assertPage } from "../../../../support/pages.ts";
import { sqliteTest } from "../../../../support/sqlite-test.ts";
import { placesWith } from "../../../../support/stored-bytes.ts";
import { makeWebWorldOf } from "../../../../support/web-world.ts";

const path = "/settings/privacy";
const ann = "ann.unique@example.com";

test("says what will be deleted, deletes it, keeps the numbers, and records both without the address", async (t) => {
  const { world, organization, service, key, admin } = await makeWebWorldOf("admin", t);
  for (const id of [1, 2, 3]) await world.register(organization, id, { tracking_type: "Individual" });
  await putDirectory(world, organization, { [ann]: { Site: "Paris" } });
  await world.ingest(organization, [
    open(1, { recipient: ann }),
    open(2, { recipient: ann, campaign_id: 2 }),
    open(3, { recipient: "bob@example.com", campaign_id: 3 }),
    open(4, { recipient: ann, at: "2026-06-15T10:00:00Z" }),
  ]);
  const records = async () => (await service.get("/data_api/v1/emails", { key })).text;
  const before = await records();
  const found = await admin.post(path, "find", { recipient: ` ${ann.toUpperCase()} ` });
  assertPage(found, 200, [/In 2 open campaigns with names\./, /In the directory\./]);
  const done = await admin.post(path, "forget", { recipient: ann });
  assert.equal(done.status, 303);
  assert.match(done.notice, /Forgotten in 2 campaigns; 1 event in quarantine deleted\./);
  assert.equal(await records(), before);
  const after = await admin.post(path, "find", { recipient: ann });
  assert.match(after.text, /Not in any open campaign with names\..*Not in the directory\./s);
  assert.match((await admin.post(path, "forget", { recipient: ann })).notice, /Nothing was found/);
  const entries = await actionsOf(world, organization.id);
  assert.deepEqual(entries.slice(1, 4), [
    "admin-1@example.com, recipients.view, one person, to forget",
    "admin-1@example.com, recipient.forget, 2 campaigns",
    "admin-1@example.com, recipients.view, one person, to forget",
  ]);
  assert.doesNotMatch(JSON.stringify([entries, service.logged]), /ann\.unique/);
  await world.database.wipe();
  assert.deepEqual(await placesWith(world, ann), []);
});

test("leaves campaigns without names and their quarantined events alone, which would show who took part", async (t) => {
  const { world, organization, service, key, admin } = await makeWebWorldOf("admin", t);
  await world.register(organization, 1, { tracking_type: "Anonymous", surveys_count: 1 });
  const people = Array.from({ length: 5 }, (_, index) => `person-${index}@example.com`);
  const rating = { type: "survey", survey_id: "s", kind: "enps", score: 7, comment: "Mine" };
  await world.ingest(organization, [
    ...people.map((recipient, index) => open(index, { ...rating, recipient })),
    open(10, { recipient: people[0], campaign_id: 77 }),
    open(11, { recipient: people[0], at: "2026-06-15T10:00:00Z" }),
  ]);
  const read = async () => [
    (await service.get("/data_api/v1/emails/changes?updated_after=2020-01-01T00:00:00Z", { key })).text,
    (await admin.read("/comments?period=all")).match(/Mine/g)?.length,
    (await admin.read("/sources")).match(/<td[^>]*>2</g)?.length,
  ];
  const before = await read();
  for (const recipient of [people[0] as string, "nobody@example.com"]) {
    const found = await admin.post(path, "find", { recipient });
    assert.match(found.text, /Not in any open campaign with names\..*Campaigns without names stay/s);
    assert.match((await admin.post(path, "forget", { recipient })).notice, /Nothing was found/);
    assert.deepEqual(await read(), before);
  }
});

sqliteTest("refuses a blank address, and finds no person of another organization", async (t) => {
  const { world, organization, signIn, admin } = await makeWebWorldOf("admin", t);
  await world.register(organization, 1, { tracking_type: "Individual" });
  await world.ingest(organization, [open(1, { recipient: ann })]);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const stranger = await signIn("admin", { organization: other });
  for (const action of ["find", "forget"]) {
    assert.equal((await admin.post(path, action, { recipient: " " })).status, 400);
  }
  assert.match((await stranger.post(path, "find", { recipient: ann })).text, /Not in any open campaign/);
  assert.match((await stranger.post(path, "forget", { recipient: ann })).notice, /Nothing was found/);
  assert.match((await admin.post(path, "find", { recipient: ann })).text, /In 1 open campaign with names\./);
});
