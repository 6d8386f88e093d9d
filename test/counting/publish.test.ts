// What publishing writes: the typed record, the sums and the change of each campaign that was sent.

import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { changeOrganization } from "../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { publishDue, republishAll } from "../../src/counting/publish.ts";
import { startUpkeep, type UpkeepThread } from "../../src/counting/upkeep/upkeep-thread.ts";
import { findPublishedEmails } from "../../src/storage/campaigns/emails.ts";
import { findOrganization, lockOrganization } from "../../src/storage/organizations/organizations.ts";
import { listTags } from "../../src/storage/organizations/tags.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { backUp } from "../support/back-up.ts";
import { changeTag, removeTag } from "../support/change-tag.ts";
import { open } from "../support/events.ts";
import { campaign, makeAcme, makeFolder, present, serve, type World } from "../support/world.ts";

async function worldWith(t: test.TestContext, count: number) {
  const { world, organization, key } = await makeAcme(t);
  const campaigns = Array.from({ length: count }, (_, index) => campaign({ id: index + 1 }));
  await world.save(organization, campaigns);
  return { world, organization, key };
}

const revisionOf = ({ database }: World, id: number) =>
  database.query(async (queries) => (await findOrganization(new Scope(queries, id)))?.revision);

/** The ids, send times and order of the campaigns that the last revision changed. */
const lastChanged = ({ database }: World, id: number) =>
  database.snapshot(async (queries) => {
    const revision = (await findOrganization(new Scope(queries, id)))?.revision ?? 0;
    const rows = await queries
      .selectFrom("changes")
      .select(["campaign_id", "sent_at", "order_revision"])
      .where("organization_id", "=", id)
      .where("revision", "=", revision)
      .orderBy("campaign_id")
      .execute();
    return rows.map((row) => [row.campaign_id, row.sent_at, row.order_revision === revision]);
  });

/** The ids in each of the tables that readers see. */
const published = ({ database }: World, id: number) =>
  database.snapshot(async (queries) => {
    const emails = await queries
      .selectFrom("emails")
      .select("id")
      .where("organization_id", "=", id)
      .orderBy("id")
      .execute();
    const sums = await queries
      .selectFrom("sums")
      .select(["campaign_id", "traffic"])
      .where("organization_id", "=", id)
      .orderBy("campaign_id")
      .orderBy("traffic")
      .execute();
    return {
      emails: emails.map((row) => row.id),
      sums: sums.map((row) => `${row.campaign_id} ${row.traffic}`),
    };
  });

const sentAt = Date.UTC(2024, 0, 1, 9);

test("writes one change for each campaign that a transaction changes, and says which ones move", async (t) => {
  const { world, organization } = await worldWith(t, 2);
  const { id } = organization;
  const write = (work: Parameters<typeof world.database.transaction>[0]) => world.database.transaction(work);
  const added = [
    [1, sentAt, true],
    [2, sentAt, true],
  ];
  assert.deepEqual(await lastChanged(world, id), added);
  await world.save(organization, [campaign({ id: 2, sentAt: sentAt + 1 })]);
  assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1, true]]);
  await world.save(organization, [campaign({ id: 2, sentAt: sentAt + 1, subject: "Mended" })]);
  assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1, false]]);
  for (const tag of ["Other", "News"]) {
    await world.save(organization, [campaign({ id: 2, sentAt: sentAt + 1, tags: [tag] })]);
    assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1, true]], tag);
  }
  await world.register(organization, 3);
  const registeredAt = Date.UTC(2026, 5, 15, 11);
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt, true]]);
  await world.ingest(organization, [open(1, { campaign_id: 3 })]);
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt, false]]);
  await write((queries) => closeCampaign(new Scope(queries, organization.id), organization, 3, present));
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt, false]]);
  const [tag] = await world.read({ id }, listTags);
  const change = { organizationId: id, id: tag?.id ?? 0, change: { name: "Letter" }, now: present };
  await write((queries) => changeTag(queries, change));
  assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1, false]]);
  await write((queries) => removeTag(queries, change));
  assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1, true]]);
  await write((queries) => removeCampaign(new Scope(queries, id), 1, present));
  assert.deepEqual(await lastChanged(world, id), [[1, null, true]]);
  await write((queries) => changeOrganization(new Scope(queries, id), { timeZone: "Asia/Tokyo" }, present));
  assert.deepEqual(await lastChanged(world, id), [
    [2, sentAt + 1, false],
    [3, registeredAt, false],
  ]);
  const both = ["2 all", "2 people", "3 all", "3 people"];
  assert.deepEqual(await published(world, id), { emails: [2, 3], sums: both });
});

test("changes nothing but the tags of a record when a tag is renamed", async (t) => {
  const { world, organization } = await worldWith(t, 0);
  const { id } = organization;
  const odd = ['Ne"ws', "\\", '"tags":', "$1 😀"];
  const subject = JSON.stringify({ tags: odd }) + JSON.stringify({ tags: [{ name: odd[0] }] });
  await world.save(organization, [campaign({ id: 1, subject, tags: odd }), campaign({ id: 2, subject })]);
  const shown = () => world.read({ id }, (scope) => findPublishedEmails(scope, [1, 2]));
  for (const name of ["zz\\", "'\"}],", "Letter"]) {
    const [tag] = await world.read({ id }, listTags);
    const change = { organizationId: id, id: tag?.id ?? 0, change: { name }, now: present };
    await world.database.transaction((queries) => changeTag(queries, change));
    const now = await shown();
    await world.database.transactionOf(id, (scope) => republishAll(scope, present, false));
    const rendered = (await shown()).map((row) => ({ ...row, updated_at: 0 }));
    assert.deepEqual(
      now.map((row) => ({ ...row, updated_at: 0 })),
      rendered,
    );
    assert.ok(now.find((row) => row.id === 1)?.record.includes(JSON.stringify(name)));
  }
});

test("renders every record again in the transaction that changes the time zone", async (t) => {
  const { world, organization, key } = await worldWith(t, 3);
  const service = await serve(t, world);
  const first = await service.get("/data_api/v1/emails", { key });
  await world.changeOrganization(organization, { timeZone: "Asia/Tokyo" });
  const { body, headers } = await service.get("/data_api/v1/emails", { key });
  assert.deepEqual(new Set(body.emails.map((email) => email.sent_at)), new Set(["Jan 1, 2024 6:00 PM"]));
  assert.notEqual(headers.get("etag"), first.headers.get("etag"));
});

test("publishes a scheduled campaign when its time comes, and withdraws one that moves to a later time", async (t) => {
  const { world, organization, key } = await worldWith(t, 1);
  const { id } = organization;
  const service = await serve(t, world);
  const shown = async () => (await service.emails(key)).emails.map((email) => email.id);
  const later = campaign({ id: 2, sentAt: present + 1_000 });
  await world.save(organization, [later]);
  await world.publishDue();
  assert.deepEqual(await shown(), [1]);
  assert.deepEqual(await published(world, id), { emails: [1], sums: ["1 all", "1 people"] });
  // Late, as after a restart: the change is of now.
  world.clock.now += 2_000;
  assert.deepEqual(await shown(), [1], "readers never ask for the time");
  await world.publishDue();
  assert.deepEqual(await shown(), [2, 1]);
  assert.deepEqual(await lastChanged(world, id), [[2, present + 1_000, true]]);
  assert.equal(await revisionOf(world, id), world.clock.now);
  assert.equal(await world.write({ id }, (scope) => publishDue(scope, world.clock.now)), false);
  await world.save(organization, [{ ...later, campaign: { ...later.campaign, sentAt: present + 5_000 } }]);
  assert.deepEqual(await shown(), [1]);
  assert.deepEqual(await lastChanged(world, id), [[2, null, true]]);
  assert.equal(await world.write({ id: 4711 }, (scope) => publishDue(scope, present)), false);
});

test("a clock more than a day ahead of the last change publishes under the last time that was due", async (t) => {
  const { world, organization } = await worldWith(t, 1);
  const { id } = organization;
  const dueAts = [1, 2].map((hours) => present + hours * 3_600_000);
  const campaigns = dueAts.map((due, index) => campaign({ id: index + 2, sentAt: due }));
  await world.save(organization, campaigns);
  const last = (await revisionOf(world, id)) as number;
  world.clock.now = last + 24 * 3_600_000 + 1;
  const restore = await backUp(world.database, id);
  await world.publishDue();
  assert.equal(await revisionOf(world, id), dueAts[1]);
  await restore();
  world.clock.now -= 1;
  await world.publishDue();
  assert.equal(await revisionOf(world, id), world.clock.now);
});

test("withdraws a campaign once, and says that it moves if an event by a clock that is ahead shows it again", async (t) => {
  const { world, organization } = await worldWith(t, 1);
  const { id } = organization;
  await world.register(organization, 2);
  const later = present + 1_000;
  for (const [sentAt, changes] of [
    [later + 1_000, [[2, null, true]]],
    [later, []],
  ] as const) {
    await world.register(organization, 2, { sent_at: new Date(sentAt).toISOString() });
    assert.deepEqual(await lastChanged(world, id), changes);
  }
  world.clock.now = later;
  const at = new Date(later).toISOString();
  await world.ingest(organization, [open(1, { campaign_id: 2, at })]);
  assert.deepEqual(await lastChanged(world, id), [[2, later, true]]);
});

test("publishes a scheduled campaign in the upkeep thread", async (t) => {
  const { world, organization } = await worldWith(t, 0);
  await world.save(organization, [campaign({ id: 1, sentAt: present + 1 })]);
  const failures: Error[] = [];
  const upkeep = startUpkeep({ url: world.databaseUrl }, (error) => failures.push(error));
  const startedAt = upkeep.lastRunAt();
  while ((await published(world, organization.id)).emails.length === 0) await pause(20);
  while (upkeep.lastRunAt() === startedAt) await pause(20);
  await upkeep.stop();
  assert.deepEqual(failures, []);
});

test("stops the upkeep thread in time while it waits for another writer", async (t) => {
  const { world, organization } = await worldWith(t, 0);
  await world.save(organization, [campaign({ id: 1, sentAt: present + 1 })]);
  const failures: Error[] = [];
  await world.database.transaction(async (queries) => {
    await lockOrganization(new Scope(queries, organization.id));
    const upkeep = startUpkeep({ url: world.databaseUrl }, (error) => failures.push(error));
    await pause(500);
    await upkeep.stop();
  });
  assert.deepEqual(failures, []);
  assert.deepEqual((await published(world, organization.id)).emails, []);
});

test("reports that the upkeep thread cannot open its database, and retries", async (t) => {
  const blocked = join(makeFolder(t), "blocked");
  writeFileSync(blocked, "a file where a folder has to be");
  const url = `sqlite:${join(blocked, "test.db")}`;
  let upkeep: UpkeepThread | undefined;
  const failure = await new Promise<Error>((resolve) => {
    upkeep = startUpkeep({ url }, resolve);
  });
  assert.match(failure.message, /ENOTDIR|EEXIST/);
  rmSync(blocked);
  while (!existsSync(join(blocked, "test.db"))) await pause(20);
  await upkeep?.stop();
});
