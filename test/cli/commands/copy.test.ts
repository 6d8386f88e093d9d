// The command `copy`, between two databases of the same kind.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copyDatabase } from "../../../src/cli/commands/copy-database.ts";
import { copiedTableNames } from "../../../src/storage/copy/copied-tables.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { assertCopied } from "../../support/copied.ts";
import { copy, fillWorld } from "../../support/copying.ts";
import { opens, rowsIn } from "../../support/events.ts";
import { campaign, makeDatabase, makeWorld } from "../../support/world.ts";

test("after a copy every answer is byte for byte the same, old keys open, and events that wait are counted", async (t) => {
  const full = await fillWorld(await makeWorld(t));
  const to = await makeDatabase(t, { isEmpty: true });
  const before = await rowsIn(full.world, ...copiedTableNames);
  const { exitCode, rows, stderr } = await copy(full.world.databaseUrl, to, "--json");
  assert.deepEqual([exitCode, stderr.replace(/^warning: .*\n/, "")], [0, ""]);
  assert.deepEqual(
    rows,
    copiedTableNames.map((table, index) => ({ table, rows: before[index] })),
  );
  assert.ok(
    before.every((count) => count > 0),
    "there is something in every table",
  );
  await assertCopied(t, full, to);
});

test("a copy says how many rows there are of what, and what to do next", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(organization, opens(3));
  const { exitCode, stdout, stderr } = await copy(world.databaseUrl, await makeDatabase(t));
  assert.equal(exitCode, 0);
  assert.match(stdout, /^table +rows\norganizations +1\napi_keys +2\ntags +0\ncampaigns +1\n/);
  assert.match(
    stderr,
    /Copied 13 rows to \S+ in \d+\.\d s\. All are the same there, and .* 1 campaign were counted/,
  );
  assert.match(stderr, /Now set DATABASE_URL to the new address/);
});

test("what comes in while it is copied is not in the copy, and nothing of it is half there", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
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
    tables.filter(({ table }) => /tags$|campaigns/.test(table)).map(({ rows }) => rows),
    [1, 1, 1],
  );
  assert.deepEqual(await rowsIn(world, "tags", "campaigns", "campaign_tags"), [2, 2, 2]);
});

test("a database that is not empty, is the same, has nothing in it, or is none at all is refused", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const other = await makeWorld(t);
  const from = world.databaseUrl;
  const refusals = [
    [from, from, 2, /--from and --to name the same database/],
    [from, "mysql://me:hidden@host/x", 2, /--to: not an address of the form/],
    ["postgres//me:hidden@host/x", from, 2, /--from: not an address of the form/],
    [other.databaseUrl, await makeDatabase(t), 1, /no organization, so there is nothing to copy/],
    [`sqlite:${join(world.folder, "misspelt.db")}`, from, 1, /--from: there is no file .*misspelt\.db/],
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
  assert.match(full.stderr, /error: the database that is copied into is not empty; name a new one/);
  assert.deepEqual(await rowsIn(other, "organizations"), [1]);
});

test("an address with a password is warned of, and never printed", async (t) => {
  const world = await makeWorld(t);
  const to = "postgres://me:hidden@127.0.0.1:1/nowhere";
  const same = await copy(to, to);
  assert.match(same.stderr, /^warning: .* the password in --from .* PGPASSWORD or ~\/\.pgpass\nerror: .*\n$/);
  const given = await copy(`sqlite:${join(world.folder, "missing.db")}`, world.databaseUrl, "--to", to);
  assert.match(
    given.stderr,
    /^warning: .* in --to .*, or set DATABASE_URL and leave --to away\nerror: .*\n$/,
  );
  const without = await copy(to.replace(":hidden", ""), to);
  assert.match(without.stderr, /^error: /);
  for (const { exitCode, stderr } of [same, given, without]) {
    assert.notEqual(exitCode, 0);
    assert.doesNotMatch(stderr, /hidden/);
  }
});
