// The commands `key add|list|delete`.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parseApiKey } from "../../src/api-key.ts";
import { makeWorld, region, run, serve } from "../world.ts";

test("a key opens its organization, is shown once, and later only by its beginning", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const key = (...argv: string[]) =>
    run(world.databaseUrl, ["key", ...argv, "--organization", "1", "--json"]);

  const { rows, stderr } = await key("add", "--name", "Power BI");
  const text = String(rows[0]?.key);
  assert.deepEqual(rows, [{ id: 2, name: "Power BI", key: text }]);
  assert.equal(stderr, "");
  assert.deepEqual(parseApiKey(text), { text, region, organizationId: organization.id });

  const service = await serve(t, world);
  assert.equal((await service.get("/data_api/v1/emails", { key: text })).status, 200);
  const listed = await key("list");
  assert.deepEqual(listed.rows[1], {
    id: 2,
    name: "Power BI",
    key: `${text.slice(0, "ea_test_1_".length + 4)}…`,
  });
  assert.equal(listed.stdout.includes(text), false);
});

test("the key itself is nowhere in the database's files", async (t) => {
  const world = await makeWorld(t);
  const { key } = await world.addOrganization();
  const secret = key.slice(-38);
  const files = globSync("test.db*", { cwd: world.folder });
  assert.ok(files.length > 0);
  for (const file of files) {
    assert.equal(readFileSync(join(world.folder, file)).includes(secret), false, file);
  }
});

test("a deleted key is refused by the very next request, another one of the organization is not", async (t) => {
  const world = await makeWorld(t);
  const { key: first } = await world.addOrganization();
  const added = await run(world.databaseUrl, ["key", "add", "--organization", "1", "--name", "b", "--json"]);
  const service = await serve(t, world);
  const statusOf = async (key: string) => (await service.get("/data_api/v1/emails", { key })).status;
  assert.equal(await statusOf(first), 200);

  const deleted = await run(world.databaseUrl, [
    "key",
    "delete",
    "--organization",
    "1",
    "--id",
    "1",
    "--json",
  ]);
  assert.deepEqual(deleted.rows, [
    { id: 1, name: "test", key: `${first.slice(0, "ea_test_1_".length + 4)}…` },
  ]);
  assert.equal(await statusOf(first), 401);
  assert.equal(await statusOf(String(added.rows[0]?.key)), 200);
  const { rows } = await run(world.databaseUrl, ["key", "list", "--organization", "1", "--json"]);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [2],
  );
});

test("a key of another organization is as unknown as one that never was", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  await world.addOrganization({ name: "Globex" });
  for (const id of ["2", "99"]) {
    const argv = ["key", "delete", "--organization", "1", "--id", id];
    const { exitCode, stdout, stderr } = await run(world.databaseUrl, argv);
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.equal(stderr, `error: organization 1 has no key ${id}; see "email-analytics key list"\n`);
  }
});

test("ids of keys are unique over all organizations, and never come back", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  await world.addOrganization({ name: "Globex" });
  await run(world.databaseUrl, ["key", "delete", "--organization", "2", "--id", "2"]);
  const { rows } = await run(world.databaseUrl, [
    "key",
    "add",
    "--organization",
    "1",
    "--name",
    "x",
    "--json",
  ]);
  assert.equal(rows[0]?.id, 3);
});

test("people are told the key first, and to keep it", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const { stdout } = await run(world.databaseUrl, ["key", "add", "--organization", "1", "--name", "x"]);
  const [text = "", ...rest] = stdout.split("\n");
  assert.equal(parseApiKey(text)?.organizationId, 1);
  assert.deepEqual(rest, ['This is key 2, for the region "test". Keep it now: it is never shown again.', ""]);
  const listed = await run(world.databaseUrl, ["key", "list", "--organization", "1"]);
  assert.match(
    listed.stdout,
    /^id {2}name {2}key\n1 {3}test {2}ea_test_1_\w{4}…\n2 {3}x {5}ea_test_1_\w{4}…\n$/,
  );
  const deleted = await run(world.databaseUrl, ["key", "delete", "--organization", "1", "--id", "2"]);
  assert.equal(deleted.stdout, "Deleted key 2. Integrations that use it have to be given a new one.\n");
});

test("a key carries the region of the deployment that made it, and a region that is no name is refused", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const add = ["key", "add", "--organization", "1", "--name", "x", "--json"];
  const environment = { DATABASE_URL: world.databaseUrl, REGION: "ap-south-1" };
  const { rows } = await run(world.databaseUrl, add, { environment });
  assert.equal(parseApiKey(String(rows[0]?.key))?.region, "ap-south-1");
  const refused = await run(world.databaseUrl, add, { environment: { ...environment, REGION: "E U" } });
  assert.equal(refused.exitCode, 2);
  assert.equal(
    refused.stderr,
    'error: REGION: "E U" is not a name of up to 20 lower-case letters, digits and hyphens\n',
  );
});
