// `doctor --full` finds rendered records that are not what was saved, and reports nothing else.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { changeTag } from "../../support/change-tag.ts";
import { damageOf } from "../../support/doctor.ts";
import { opens, tamper } from "../../support/events.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import {
  campaign,
  makeAcme,
  makeFolder,
  makeSqliteWorld,
  present,
  type Run,
  run,
  type World,
} from "../../support/world.ts";

/** What `doctor --full` finds in records. */
async function check({ databaseUrl }: World): Promise<Run["rows"]> {
  const { rows } = await run(databaseUrl, "doctor --full --json");
  return rows.filter(({ check: name }) => name === "damage");
}

const sound = (records: number) => {
  const message = `Checked ${records} records: no damage.`;
  return [{ check: "damage", status: "ok", message, organization: null, campaign: null }];
};

const damaged = (organization: number, campaignId: number, problem: string) => {
  const message = `${problem}. The database is damaged; restore a backup.`;
  return { check: "damage", status: "problem", message, organization, campaign: campaignId };
};

/** Two organizations: one with reported campaigns 1 to 3, a counted one and a closed one, one with campaign 1. */
async function filled(t: TestContext) {
  const { world, organization } = await makeAcme(t, { timeZone: "Europe/Berlin" });
  await world.save(organization, [
    campaign({ id: 1, tags: ["b", "a"] }),
    campaign({ id: 2, team: null, metrics: { open_rate: 1 / 3 } }),
    campaign({ id: 3, recipientCount: null }),
  ]);
  await world.register(organization, 4);
  await world.register(organization, 5, { tracking_type: "Overall" });
  await world.ingest(organization, [...opens(3, { campaign_id: 4 }), ...opens(2, { campaign_id: 5 })]);
  await run(world.databaseUrl, "campaign close --yes --organization 1 --id 5");
  const other = await world.addOrganization({ name: "Globex" });
  await world.save(other.organization, [campaign({ id: 1 })]);
  return { world, organization };
}

test("doctor --full finds nothing when nothing is damaged, also after a tag was renamed", async (t) => {
  const { world, organization } = await filled(t);
  assert.deepEqual(await check(world), sound(6), "as saved");
  await world.database.transaction(async (queries) => {
    const [tag] = await listTags(new Scope(queries, organization.id));
    const change = { name: "renamed" };
    await changeTag(queries, { organizationId: organization.id, id: tag?.id ?? 0, change, now: present });
  });
  assert.deepEqual(await check(world), sound(6), "after the tag was renamed");
});

test("doctor --full lists records that differ from their campaign", async (t) => {
  const { world } = await filled(t);
  const of = "where organization_id = 1 and id =";
  await tamper(world, `update emails set record = replace(record, 'Campaign', 'Kampaign') ${of} 1`);
  await tamper(world, `update campaigns set subject = 'Campaign X' ${of} 2`);
  await tamper(world, `update campaigns set tallies = '{}' ${of} 4`);
  await tamper(world, "update emails set record = '{}' where organization_id = 2");
  const problem = "the record does not match its campaign";
  assert.deepEqual(await check(world), [
    damaged(1, 1, problem),
    damaged(1, 2, problem),
    damaged(1, 4, problem),
    damaged(2, 1, problem),
  ]);
  const { exitCode, stdout } = await run(world.databaseUrl, "doctor --full");
  assert.equal(exitCode, 1);
  const message =
    /^✗ damage {6}organization 1, campaign 4: the record does not match its campaign\. The database is/m;
  assert.match(stdout, message);
});

test("doctor --full finds campaigns without a record or a change", async (t) => {
  const { world } = await filled(t);
  await tamper(world, "delete from emails where organization_id = 1 and id = 1");
  await tamper(world, "delete from changes where organization_id = 1 and campaign_id = 4");
  await tamper(world, "update emails set id = 9 where organization_id = 2");
  assert.deepEqual(await check(world), [
    damaged(1, 1, "the campaign has no record"),
    damaged(1, 4, "the campaign is not in the change log"),
    damaged(2, 1, "the campaign has no record"),
  ]);
});

/** A subject that appears nowhere else in the file: in the rendered record, and in the subject. */
const subject = "A subject like no other";
const keyName = "A key like no other";

/** A database with 300 campaigns, and where a text is: campaign 150 has the subject in its row and its rendered record. */
async function makeFile(t: TestContext, text = subject) {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await run(world.databaseUrl, ["key", "add", "--organization", `${organization.id}`, "--name", keyName]);
  await world.save(
    organization,
    Array.from({ length: 300 }, (_, index) => campaign({ id: index + 1, ...(index === 149 && { subject }) })),
  );
  await run(world.databaseUrl, "doctor --vacuum");
  const bytes = readFileSync(world.databaseUrl.slice("sqlite:".length));
  const positions = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) positions.push(at);
  const path = join(makeFolder(t), "damaged.db");
  /** Writes the file with one flipped bit. */
  const damage = (at: number) => {
    const damaged = Buffer.from(bytes);
    damaged[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, damaged, { mode: 0o600 });
    return `sqlite:${path}`;
  };
  return { damage, positions };
}

sqliteTest("doctor --full finds a flipped bit in a record, and in what it was rendered from", async (t) => {
  const { damage, positions } = await makeFile(t);
  // Its title is in the campaign, and in the typed and the rendered record.
  assert.equal(positions.length, 3);
  for (const at of positions) {
    const [found = ""] = await damageOf(damage(at));
    assert.match(found, /\. The database is damaged; restore a backup\.$/, `at ${at}`);
  }
});

sqliteTest("doctor --full does not see a flipped bit in the name of a key", async (t) => {
  const { damage, positions } = await makeFile(t, keyName);
  // In the key, and in the audit log.
  assert.equal(positions.length, 2);
  for (const at of positions) assert.deepEqual(await damageOf(damage(at)), []);
});
