// `copy` between two databases of the same kind.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copyDatabase } from "../../../src/cli/shell/copy-database.ts";
import { saveReportedCampaigns } from "../../../src/counting/campaigns/save-reported-campaigns.ts";
import { continueImport } from "../../../src/counting/import/continue-import.ts";
import { startEdit } from "../../../src/counting/import/import-upload.ts";
import { addSample } from "../../../src/counting/sample/add-sample.ts";
import { countCampaigns, findCampaignIds, findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { copiedTables } from "../../../src/storage/copy/copy-tables.ts";
import { findMappings, saveMapping } from "../../../src/storage/imports/import-mappings.ts";
import { findSampleImport } from "../../../src/storage/imports/imports.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { addRule, listRules } from "../../../src/storage/organizations/rules.ts";
import { addTag } from "../../../src/storage/organizations/tags.ts";
import { assertCopied, copy, fillWorld } from "../../support/copied-database.ts";
import { countRows, opens } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";
import { undoImport } from "../../support/undo-import.ts";
import {
  campaign,
  makeAcme,
  makeDatabase,
  makeFolder,
  makeWorld,
  present,
  succeeds,
  type World,
} from "../../support/world.ts";

test("a copy answers every request byte for byte like its source, and counts quarantined events", async (t) => {
  const full = await fillWorld(await makeWorld(t));
  const to = await makeDatabase(t, { isEmpty: true });
  const before = await countRows(full.world, ...copiedTables);
  const { exitCode, rows, stderr } = await copy(full.world.databaseUrl, to, "--json");
  assert.deepEqual([exitCode, stderr.replace(/^warning: .*\n/, "")], [0, ""]);
  const expected = copiedTables.map((table, index) => ({ table, rows: before[index] }));
  assert.deepEqual(rows, expected);
  assert.ok(
    before.every((count) => count > 0),
    "every table has rows",
  );
  await assertCopied(t, full, to);
});

test("copy prints the rows of each table, and what to do next", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, opens(3));
  const { exitCode, stdout, stderr } = await copy(world.databaseUrl, await makeDatabase(t));
  assert.equal(exitCode, 0);
  assert.match(stdout, /^table +rows\norganizations +1\napi_keys +2\ntags +0\n.*\ncampaigns +1\n/s);
  const message = /Copied 16 rows to \S+ in \d+\.\d s\. Every row was compared, and 1 campaign recounted\.\n/;
  assert.match(stderr, message);
  assert.match(stderr, /Now set DATABASE_URL to the new database/);
});

test("copies into the database that DATABASE_URL_FILE names", async (t) => {
  const { world } = await makeAcme(t);
  const DATABASE_URL_FILE = join(makeFolder(t), "url");
  writeFileSync(DATABASE_URL_FILE, `${await makeDatabase(t, { isEmpty: true })}\n`);
  await succeeds("", ["copy", "--from", world.databaseUrl], { environment: { DATABASE_URL_FILE } });
});

test("changes made during a copy are not in the copy, not even in part", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, tags: ["Before"] })]);
  const target = await openDatabase(await makeDatabase(t));
  t.after(() => target.close());
  let meanwhile: Promise<unknown> | undefined;
  const show = () => {
    meanwhile ??= world.save(organization, [campaign({ id: 2, tags: ["Meanwhile"] })]);
  };
  const { tables } = await copyDatabase(world.database, target, { show, clear() {} });
  await meanwhile;
  assert.deepEqual(
    pick(
      tables.filter(({ table }) => /^(campaign_)?tags$|^campaigns$/.test(table)),
      "rows",
    ),
    [1, 1, 1],
  );
  assert.deepEqual(await countRows(world, "tags", "campaigns", "campaign_tags"), [2, 2, 2]);
});

test("imports can be undone in a copy, such as that of sample data", async (t) => {
  const { world, organization } = await makeAcme(t);
  const request = { actor: "ann@example.com", now: present };
  await world.write(organization, (scope) => addSample(scope, organization, request));
  const target = await openDatabase(await makeDatabase(t));
  t.after(() => target.close());
  await copyDatabase(world.database, target, { show() {}, clear() {} });
  const sample = await target.queryOf(organization.id, findSampleImport);
  assert.ok(sample, "the import of the sample data");
  await undoImport(target, organization.id, { id: sample.id, ...request });
  assert.equal(await target.queryOf(organization.id, countCampaigns), 0);
});

/** What people add to imported campaigns, and where those came from. */
async function addedState({ database }: Pick<World, "database">, { id }: Pick<Organization, "id">) {
  return database.snapshotOf(id, async (scope) => ({
    campaigns: await findCampaigns(scope, await findCampaignIds(scope)),
    rules: await listRules(scope),
    mappings: await findMappings(scope),
  }));
}

test("copies and backups keep corrections, rules, mappings and origins, and what can be undone", async (t) => {
  const { world, organization } = await makeAcme(t);
  const of = { actor: "ann@example.com", now: present };
  const origin = { tool: "Brevo", id: "22" };
  const tag = await world.write(organization, (scope) => addTag(scope, { name: "News", color: "#112233" }));
  await world.write(organization, async (scope) => {
    const rule = { id: 1, createdAt: 1, field: "subject", text: "a", tagId: tag.id, team: null } as const;
    await addRule(scope, rule);
    await addRule(scope, { ...rule, id: 2, field: "tool", text: "Brevo", tagId: null, team: "HR" });
    await saveMapping(scope, { header: "h", choices: "c0=id", used_at: present });
  });
  await world.save(organization, [
    campaign({ id: 1, subject: "First" }),
    { ...campaign({ id: 22, subject: "Again" }), origin },
  ]);
  const before = await addedState(world, organization);
  const edit = await world.write(organization, (scope) =>
    startEdit(scope, { ids: [1, 22], edit: { team: "IT" }, actor: of.actor }, of.now),
  );
  const next = () =>
    world.write(organization, (scope) => continueImport(scope, organization, { id: edit, now: of.now }));
  while ((await next()) === "more");
  const after = await addedState(world, organization);
  const set = after.campaigns.map(({ corrections, origin }) => [Object.keys(corrections).sort(), origin]);
  assert.deepEqual(set, [
    [["team"], null],
    [["tags", "team"], origin],
  ]);
  assert.equal(after.rules.length + after.mappings.size, 3);
  const file = join(world.folder, "backup.db");
  await succeeds(world.databaseUrl, ["backup", file]);
  const [copied, restored] = [
    await makeDatabase(t, { isEmpty: true }),
    await makeDatabase(t, { isEmpty: true }),
  ];
  await succeeds(copied, ["copy", "--from", world.databaseUrl]);
  await succeeds(restored, ["restore", file]);
  for (const url of [copied, restored]) {
    const database = await openDatabase(url);
    t.after(() => database.close());
    assert.deepEqual(await addedState({ database }, organization), after);
    await undoImport(database, organization.id, { id: edit, ...of });
    assert.deepEqual(await addedState({ database }, organization), before);
    // The file of the tool again: the same campaign, with what the rules have set.
    const other = { ...campaign({ id: 22, subject: "Again, later" }), origin };
    await database.transactionOf(organization.id, (scope) =>
      saveReportedCampaigns(scope, organization, [other], present),
    );
    const { campaigns } = await addedState({ database }, organization);
    assert.deepEqual(
      campaigns.map((each) => [each.campaign.id, each.campaign.subject, each.campaign.team]),
      [
        [1, "First", "Default Team"],
        [22, "Again, later", "HR"],
      ],
    );
  }
});

test("copy refuses a target that is not empty or is the source, and a source that is empty, missing or invalid", async (t) => {
  const { world } = await makeAcme(t);
  const other = await makeWorld(t);
  const from = world.databaseUrl;
  const refusals = [
    [from, from, 2, /--from and --to are the same database/],
    [from, "mysql://me:hidden@host/x", 2, /--to: not an? \w+ of the form/],
    ["postgres//me:hidden@host/x", from, 2, /--from: not an? \w+ of the form/],
    [other.databaseUrl, await makeDatabase(t), 1, /no organization, so there is nothing to copy/],
    [
      `sqlite:${join(world.folder, "misspelt.db")}`,
      from,
      1,
      /--from: the file .*misspelt\.db does not exist/,
    ],
  ] as const;
  for (const [source, target, code, why] of refusals) {
    const { exitCode, stdout, stderr } = await copy(source, from, "--to", target);
    assert.deepEqual([exitCode, stdout], [code, ""]);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /hidden/);
  }
  assert.equal(existsSync(join(world.folder, "misspelt.db")), false);
  await other.addOrganization({ name: "Globex" });
  const full = await copy(from, other.databaseUrl);
  assert.equal(full.exitCode, 1);
  assert.match(full.stderr, /error: the target database is not empty; use a new one/);
  assert.deepEqual(await countRows(other, "organizations"), [1]);
});

test("copy warns of a password in a URL, and never prints it", async (t) => {
  const world = await makeWorld(t);
  const to = "postgres://me:hidden@127.0.0.1:1/nowhere";
  const same = await copy(to, to);
  assert.match(same.stderr, /^warning: .* the password in --from .* PGPASSWORD or ~\/\.pgpass\nerror: .*\n$/);
  const given = await copy(`sqlite:${join(world.folder, "missing.db")}`, world.databaseUrl, "--to", to);
  assert.match(given.stderr, /^warning: .* in --to .*, or set DATABASE_URL instead of --to\nerror: .*\n$/);
  const without = await copy(to.replace(":hidden", ""), to);
  assert.match(without.stderr, /^error: /);
  for (const { exitCode, stderr } of [same, given, without]) {
    assert.notEqual(exitCode, 0);
    assert.doesNotMatch(stderr, /hidden/);
  }
});
