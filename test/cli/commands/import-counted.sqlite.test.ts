// `import` refuses to replace the numbers of a counted campaign.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { open, opens } from "../../support/events.ts";
import { exported, file, importing, lines, record } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { campaign, makeAcme, run, serve } from "../../support/world.ts";

const refusal = (id: number) =>
  `id: the numbers of campaign ${id} are counted from events; an import cannot replace them`;

/** Campaign 1 was imported, campaign 2 is counted, campaign 3 is counted and closed. */
async function mixed(t: TestContext) {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  for (const id of [2, 3]) {
    await world.register(organization, id);
    await world.ingest(organization, opens(2, { campaign_id: id }));
  }
  await run(world.databaseUrl, "campaign close --yes --organization 1 --id 3");
  return { world, organization, key };
}

test("import refuses a file with a counted campaign, names every such record, and writes nothing", async (t) => {
  const { world, organization, key } = await mixed(t);
  const service = await serve(t, world);
  const before = await service.get("/data_api/v1/emails", { key });
  const content = lines(
    record(1, { subject: "Changed" }),
    record(2, { tags: ["New"] }),
    record(3),
    record(4),
  );
  for (const options of [[], ["--dry-run"]]) {
    const { exitCode, rows, stderr } = await importing(world, content, ...options);
    assert.equal(exitCode, 1);
    assert.deepEqual([rows[0]?.added, rows[0]?.changed, rows[0]?.unchanged], [0, 0, 0]);
    const message = `line 2: ${refusal(2)}\nline 3: ${refusal(3)}\nerror: 2 errors; a file with errors is not imported\n`;
    assert.equal(stderr, message);
  }
  const after = await service.get("/data_api/v1/emails", { key });
  assert.equal(after.text, before.text);
  assert.equal(after.headers.get("etag"), before.headers.get("etag"));
  assert.deepEqual((await run(world.databaseUrl, "tag list --organization 1 --json")).rows, []);
  assert.equal((await world.ingest(organization, [open(9, { campaign_id: 2 })])).accepted, 1);
});

test("the export of a counted campaign can be imported into another organization only", async (t) => {
  const { world } = await mixed(t);
  await world.addOrganization({ name: "Globex" });
  const content = lines(...(await exported(world)));
  const refused = await importing(world, content);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /^line 1: .*counted.*\nline 2: .*counted.*\nerror: 2 errors; /);
  const path = file(world, content);
  const elsewhere = await run(world.databaseUrl, ["import", "--organization", "2", "--json", path]);
  assert.equal(elsewhere.exitCode, 0);
  assert.equal(elsewhere.rows[0]?.added, 3);
  assert.deepEqual(pick(await exported(world, 2), "id", "unique_opens"), [
    [3, 2],
    [2, 2],
    [1, 3],
  ]);
});

test("numbers of a counted campaign can be imported after it was deleted", async (t) => {
  const { world, organization } = await mixed(t);
  await run(world.databaseUrl, "campaign delete --organization 1 --id 2 --yes");
  const { exitCode, rows } = await importing(world, lines(record(2, { unique_opens: 77 })));
  assert.deepEqual([exitCode, rows[0]?.added], [0, 1]);
  const { quarantined, problems } = await world.ingest(organization, [open(1, { campaign_id: 2 })]);
  assert.deepEqual([quarantined, problems[0]?.reason], [1, "reported_campaign"]);
  assert.equal((await exported(world)).find(({ id }) => id === 2)?.unique_opens, 77);
});
