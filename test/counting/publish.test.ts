// Rendered records: written with their campaign, and rendered again in the background once they are outdated.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { closeCampaign } from "../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { renderOutdatedRecords } from "../../src/counting/publish.ts";
import { startUpkeep, type UpkeepThread } from "../../src/counting/upkeep/upkeep-thread.ts";
import { findIndexEntries } from "../../src/storage/campaigns/index-entries.ts";
import { findOrganizationsWithOutdatedRecords } from "../../src/storage/campaigns/outdated-records.ts";
import { findRenderedRecords } from "../../src/storage/campaigns/rendered-records.ts";
import { changeOrganization, findOrganization, lockOrganization } from "../../src/storage/organizations.ts";
import { open } from "../support/events.ts";
import { campaign, makeFolder, makeWorld, present, serve, type World } from "../support/world.ts";

const execute = promisify(execFile);
/** As a literal for a script. */
const sourceUrl = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);

async function worldWith(t: test.TestContext, count: number) {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  await world.save(
    organization,
    Array.from({ length: count }, (_, index) => campaign({ id: index + 1 })),
  );
  return { world, organization, key };
}

const moveToTokyo = ({ database }: World, id: number) =>
  database.transaction((queries) => changeOrganization(queries, id, { timeZone: "Asia/Tokyo" }, present));

const stored = ({ database }: World, organizationId: number) =>
  database.snapshot(async (queries) => {
    const entries = await findIndexEntries(queries, organizationId, { after: undefined, limit: 5 });
    const records = await findRenderedRecords(queries, organizationId, entries);
    return records.map(({ record }) => (JSON.parse(record) as { sent_at: string }).sent_at);
  });

test("renders a record when its campaign is saved, and marks it outdated when the time zone changes", async (t) => {
  const { world, organization } = await worldWith(t, 2);
  assert.deepEqual(await world.database.snapshot(findOrganizationsWithOutdatedRecords), []);
  await moveToTokyo(world, organization.id);
  assert.deepEqual(await world.database.snapshot(findOrganizationsWithOutdatedRecords), [organization.id]);
  assert.deepEqual(await stored(world, organization.id), ["Jan 1, 2024 9:00 AM", "Jan 1, 2024 9:00 AM"]);
});

test("marks a record outdated when the time zone data of the program is newer", async (t) => {
  const { world, organization } = await worldWith(t, 2);
  assert.deepEqual(await world.database.snapshot(findOrganizationsWithOutdatedRecords), []);
  const script = `
    Object.defineProperty(process.versions, "tz", { value: "2099a" });
    const { openDatabase } = await import(${sourceUrl("storage/open-database.ts")});
    const { findOrganizationsWithOutdatedRecords } = await import(
      ${sourceUrl("storage/campaigns/outdated-records.ts")}
    );
    const database = await openDatabase(${JSON.stringify(world.databaseUrl)});
    console.log(JSON.stringify(await database.snapshot(findOrganizationsWithOutdatedRecords)));
    await database.close();`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "--eval", script]);
  assert.deepEqual(JSON.parse(stdout), [organization.id]);
});

test("renders outdated records in batches without changing responses or ETags", async (t) => {
  const { world, organization, key } = await worldWith(t, 5);
  const service = await serve(t, world);
  await moveToTokyo(world, organization.id);
  const renew = () =>
    world.database.transaction((queries) =>
      renderOutdatedRecords(queries, organization.id, { limit: 3, now: present }),
    );
  const answers = [await service.get("/data_api/v1/emails", { key })];
  for (const renewed of [3, 2, 0]) {
    assert.equal(await renew(), renewed);
    answers.push(await service.get("/data_api/v1/emails", { key }));
  }
  for (const { text, headers } of answers) {
    assert.equal(text, answers[0]?.text);
    assert.equal(headers.get("etag"), answers[0]?.headers.get("etag"));
  }
  assert.deepEqual(new Set(await stored(world, organization.id)), new Set(["Jan 1, 2024 6:00 PM"]));
  assert.deepEqual(await world.database.snapshot(findOrganizationsWithOutdatedRecords), []);
});

/** The organization's revision, and the ids of campaigns that were saved with it. */
const lastChanged = ({ database }: World, id: number) =>
  database.snapshot(async (queries) => {
    const revision = (await findOrganization(queries, id))?.revision ?? 0;
    const rows = await queries
      .selectFrom("campaign_revisions")
      .select(["campaign_id", "sent_at"])
      .where("organization_id", "=", id)
      .where("revision", "=", revision)
      .orderBy("campaign_id")
      .execute();
    return rows.map(({ campaign_id, sent_at }) => [campaign_id, sent_at]);
  });

test("saves the revision of each campaign's last change, also of a closed and a deleted one", async (t) => {
  const { world, organization } = await worldWith(t, 2);
  const { id, renderVersion } = organization;
  const sentAt = Date.UTC(2024, 0, 1, 9);
  assert.deepEqual(await lastChanged(world, id), [
    [1, sentAt],
    [2, sentAt],
  ]);
  await world.save(organization, [campaign({ id: 2, sentAt: sentAt + 1 })]);
  assert.deepEqual(await lastChanged(world, id), [[2, sentAt + 1]]);
  await world.register(organization, 3);
  const registeredAt = Date.UTC(2026, 5, 15, 11);
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt]]);
  await world.ingest(organization, [open(1, { campaign_id: 3 })]);
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt]]);
  await world.database.transaction((queries) => closeCampaign(queries, organization, 3, present));
  assert.deepEqual(await lastChanged(world, id), [[3, registeredAt]]);
  await world.database.transaction((queries) => removeCampaign(queries, id, 1, present));
  assert.deepEqual(await lastChanged(world, id), [[1, null]]);
  await moveToTokyo(world, id);
  const changed = await world.database.snapshot((queries) => findOrganization(queries, id));
  assert.equal(changed?.renderRevision, changed?.revision);
  assert.notEqual(changed?.renderVersion, renderVersion);
});

test("counts records as changed that another version of the program rendered differently", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const { id, renderVersion } = organization;
  await world.save(organization, [campaign({ id: 4 })]);
  // As an older program with other time zone data would have left them.
  await world.database.transaction(async (queries) => {
    const records = queries.updateTable("records").where("organization_id", "=", id);
    await records
      .set({ render_version: renderVersion - 1 })
      .where("campaign_id", "<", 4)
      .execute();
    await records.set({ record: "{}" }).where("campaign_id", "=", 2).execute();
  });
  const renew = () =>
    world.database.transaction((queries) => renderOutdatedRecords(queries, id, { limit: 9, now: present }));
  assert.equal(await renew(), 3);
  assert.deepEqual(await lastChanged(world, id), [[2, Date.UTC(2024, 0, 1, 9)]]);
});

test("does not go on rendering when damage has left records without a campaign", async (t) => {
  const { world, organization } = await worldWith(t, 1);
  const damaged = { organization_id: organization.id, render_version: 0, record: "{}" };
  const renew = () =>
    world.database.transaction(async (queries) => {
      await queries
        .insertInto("records")
        .values([1, 2].map((campaign_id) => ({ ...damaged, campaign_id, sent_at: 0 })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return renderOutdatedRecords(queries, organization.id, { limit: 9, now: present });
    });
  await moveToTokyo(world, organization.id);
  assert.deepEqual([await renew(), await renew()], [1, 0]);
});

test("stops the upkeep thread in time while it waits for another writer", async (t) => {
  const { world, organization } = await worldWith(t, 1);
  await moveToTokyo(world, organization.id);
  const failures: Error[] = [];
  await world.database.transaction(async (queries) => {
    await lockOrganization(queries, organization.id);
    const upkeep = startUpkeep({ url: world.databaseUrl }, (error) => failures.push(error));
    await pause(500);
    await upkeep.stop();
  });
  assert.deepEqual(failures, []);
  assert.deepEqual(await world.database.snapshot(findOrganizationsWithOutdatedRecords), [organization.id]);
});

test("renders nothing for an organization that does not exist", async (t) => {
  const { world } = await worldWith(t, 0);
  assert.equal(
    await world.database.transaction((queries) =>
      renderOutdatedRecords(queries, 4711, { limit: 3, now: present }),
    ),
    0,
  );
});

test("renders outdated records in the upkeep thread until it is stopped", async (t) => {
  const { world, organization } = await worldWith(t, 450);
  await moveToTokyo(world, organization.id);
  const failures: Error[] = [];
  const upkeep = startUpkeep({ url: world.databaseUrl }, (error) => failures.push(error));
  while ((await world.database.snapshot(findOrganizationsWithOutdatedRecords)).length > 0) await pause(20);
  await upkeep.stop();
  assert.deepEqual(new Set(await stored(world, organization.id)), new Set(["Jan 1, 2024 6:00 PM"]));
  assert.deepEqual(failures, []);
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

test("renders an outdated record at read time from the same state as the rest of the response", async (t) => {
  const { world, organization, key } = await worldWith(t, 1);
  const service = await serve(t, world);
  await moveToTokyo(world, organization.id);
  const { renderVersion } =
    (await world.database.snapshot((queries) => findOrganization(queries, organization.id))) ?? {};
  assert.ok((renderVersion ?? 0) > organization.renderVersion);
  assert.equal((await service.emails(key)).emails[0]?.sent_at, "Jan 1, 2024 6:00 PM");
});
