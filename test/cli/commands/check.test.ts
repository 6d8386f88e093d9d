// `check` finds rendered records that are not what was saved, and reports nothing else.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { listTags } from "../../../src/storage/tags.ts";
import { changeTag } from "../../support/change-tag.ts";
import { opens, tamper } from "../../support/events.ts";
import { campaign, makeWorld, present, run, type World } from "../../support/world.ts";

const check = (world: World, ...options: string[]) => run(world.databaseUrl, ["check", ...options]);

/** Two organizations: one with reported campaigns 1 to 3, a counted one and a closed one, one with campaign 1. */
async function filled(t: TestContext) {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "Europe/Berlin" });
  await world.save(organization, [
    campaign({ id: 1, tags: ["b", "a"] }),
    campaign({ id: 2, team: null, metrics: { open_rate: 1 / 3 } }),
    campaign({ id: 3, recipientCount: null }),
  ]);
  await world.register(organization, 4);
  await world.register(organization, 5, { tracking_type: "Overall" });
  await world.ingest(organization, [...opens(3, { campaign_id: 4 }), ...opens(2, { campaign_id: 5 })]);
  await run(world.databaseUrl, ["campaign", "close", "--yes", "--organization", "1", "--id", "5"]);
  const other = await world.addOrganization({ name: "Globex" });
  await world.save(other.organization, [campaign({ id: 1 })]);
  return { world, organization };
}

test("check exits 0 when nothing is damaged, also after a tag was renamed", async (t) => {
  const { world, organization } = await filled(t);
  const { exitCode, stdout, stderr } = await check(world);
  assert.deepEqual([exitCode, stdout, stderr], [0, "", "Checked 6 records: no damage.\n"], "as saved");
  await world.database.transaction(async (queries) => {
    const [tag] = await listTags(queries, organization.id);
    await changeTag(queries, {
      organizationId: organization.id,
      id: tag?.id ?? 0,
      change: { name: "renamed" },
      now: present,
    });
  });
  const renamed = await check(world, "--json");
  assert.deepEqual([renamed.exitCode, renamed.stdout, renamed.stderr], [0, "", ""]);
});

test("check lists records that differ from their campaign, and exits 1", async (t) => {
  const { world } = await filled(t);
  const of = "where organization_id = 1 and id =";
  await tamper(world, `update emails set record = replace(record, 'Campaign', 'Kampaign') ${of} 1`);
  await tamper(world, `update campaigns set subject = 'Campaign X' ${of} 2`);
  await tamper(world, `update campaigns set tallies = '{}' ${of} 4`);
  await tamper(world, "update emails set record = '{}' where organization_id = 2");
  const { exitCode, rows } = await check(world, "--json");
  assert.equal(exitCode, 1);
  const problem = "the record does not match its campaign";
  assert.deepEqual(rows, [
    { organization: 1, campaign: 1, problem },
    { organization: 1, campaign: 2, problem },
    { organization: 1, campaign: 4, problem },
    { organization: 2, campaign: 1, problem },
  ]);
  const shown = await check(world);
  assert.match(shown.stdout, /^organization {2}campaign {2}problem\n1 {13}1 {9}the record does not/);
  assert.equal(
    shown.stderr,
    "error: Checked 6 records: 4 problems. The database is damaged; restore a backup.\n",
  );
});

test("check finds campaigns without a record or a change", async (t) => {
  const { world } = await filled(t);
  await tamper(world, "delete from emails where organization_id = 1 and id = 1");
  await tamper(world, "delete from changes where organization_id = 1 and campaign_id = 4");
  await tamper(world, "update emails set id = 9 where organization_id = 2");
  const { exitCode, rows } = await check(world, "--json");
  assert.equal(exitCode, 1);
  const problem = "the campaign has no record";
  assert.deepEqual(rows, [
    { organization: 1, campaign: 1, problem },
    { organization: 1, campaign: 4, problem: "the campaign is not in the change log" },
    { organization: 2, campaign: 1, problem },
  ]);
});
