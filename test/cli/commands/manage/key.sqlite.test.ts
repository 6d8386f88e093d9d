// `key add|list|roll|delete`.

import assert from "node:assert/strict";
import test from "node:test";
import { parseApiKey } from "../../../../src/access/api-key.ts";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { addCsvLink } from "../../../support/csv-links.ts";
import { pick } from "../../../support/pick.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeAcme, present, region, run, serve } from "../../../support/world.ts";

test("key add prints the key once, and key list only its beginning", async (t) => {
  const { world, organization } = await makeAcme(t);
  const key = (...argv: string[]) =>
    run(world.databaseUrl, ["key", ...argv, "--organization", "1", "--json"]);

  const { rows, stderr } = await key("add", "--name", "Power BI");
  const text = String(rows[0]?.key);
  assert.deepEqual(rows, [{ id: 3, name: "Power BI", scope: "read", key: text }]);
  assert.equal(stderr, "");
  assert.deepEqual(parseApiKey(text), { text, region, organizationId: organization.id });

  const service = await serve(t, world);
  assert.equal((await service.get("/data_api/v1/emails", { key: text })).status, 200);
  // The time of use is written in the background.
  await service.stop();
  const listed = await key("list");
  assert.deepEqual(listed.rows[2], {
    id: 3,
    name: "Power BI",
    scope: "read",
    sender: 3,
    key: `${text.slice(0, "ea_test_1_".length + 4)}…`,
    selection: "",
    made_by: "",
    last_used: "2026-06-15T12:00:00.000Z",
    expires: "",
  });
  assert.equal(listed.stdout.includes(text), false);
});

test("key add sets an end, and key roll replaces a key that goes on working for a while", async (t) => {
  const { world, organization } = await makeAcme(t);
  const key = (...argv: string[]) =>
    run(world.databaseUrl, ["key", ...argv, "--organization", "1", "--json"]);
  const { rows: added } = await key("add", "--name", "Power BI", "--days", "90");
  const { rows: rolled, stderr } = await key("roll", "--id", "3", "--overlap-days", "2");
  const text = String(rolled[0]?.key);
  const [expires, until] = [90, 2].map((days) => new Date(present + days * dayMs).toISOString());
  assert.deepEqual(rolled, [
    { name: "Power BI", scope: "read", id: 4, key: text, expires, old_id: 3, old_expires: until },
  ]);
  assert.equal(stderr, "");
  const { rows: listed } = await key("list");
  assert.deepEqual(
    listed.slice(2).map((row) => [row.id, row.name, row.expires]),
    [
      [3, "Power BI", until],
      [4, "Power BI", expires],
    ],
  );
  const service = await serve(t, world);
  world.clock.now = present + 2 * dayMs;
  const statusOf = async (each: string) => (await service.get("/data_api/v1/emails", { key: each })).status;
  assert.deepEqual([await statusOf(String(added[0]?.key)), await statusOf(text)], [401, 200]);
  const unknown = await key("roll", "--id", "9");
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /organization 1 has no key 9; see "email-analytics key list"/);
  await addCsvLink(world, organization);
  const link = await key("roll", "--id", "5");
  assert.match(link.stderr, /key 5 is a CSV link; create another one in the web application/);
});

test("no API key is in the database files", async (t) => {
  const { world, key } = await makeAcme(t);
  assert.deepEqual(await placesWith(world, key.slice(-38)), []);
});

test("key delete prints the key, and leaves the others", async (t) => {
  const { world, key: first } = await makeAcme(t);
  await run(world.databaseUrl, "key add --organization 1 --name b --json");
  const deleted = await run(world.databaseUrl, "key delete --organization 1 --id 1 --json");
  assert.deepEqual(deleted.rows, [
    { id: 1, name: "test", scope: "read", key: `${first.slice(0, "ea_test_1_".length + 4)}…` },
  ]);
  const { rows } = await run(world.databaseUrl, "key list --organization 1 --json");
  assert.deepEqual(pick(rows, "id"), [2, 3]);
});

test("key delete treats a key of another organization as unknown", async (t) => {
  const { world } = await makeAcme(t);
  await world.addOrganization({ name: "Globex" });
  for (const id of ["3", "99"]) {
    const argv = ["key", "delete", "--organization", "1", "--id", id];
    const { output } = await run(world.databaseUrl, argv);
    const message = `error: organization 1 has no key ${id}; see "email-analytics key list"\n`;
    assert.deepEqual(output, [1, "", message]);
  }
});

test("key add prints only the key on standard output, and says to save it", async (t) => {
  const { world } = await makeAcme(t);
  const argv = ["key", "add", "--organization", "1", "--name", "x"];
  const { stdout, stderr } = await run(world.databaseUrl, argv);
  assert.equal(parseApiKey(stdout.slice(0, -1))?.organizationId, 1);
  const message =
    'Created key 3 with the scope "read" for the region "test". Save it now: it is not shown again.\n';
  assert.equal(stderr, message);
  const listed = await run(world.databaseUrl, "key list --organization 1");
  const expected =
    /^id {2}name {4}scope {3}sender {2}key {14}selection {2}made_by {2}last_used {2}expires\n1 {3}test {4}read {4}1 {7}ea_test_1_\w{4}… *\n2 {3}sender {2}ingest {2}2 {7}ea_test_1_\w{4}… *\n3 {3}x {7}read {4}3 {7}ea_test_1_\w{4}… *\n$/;
  assert.match(listed.stdout, expected);
  const deleted = await run(world.databaseUrl, "key delete --organization 1 --id 3");
  assert.equal(deleted.stdout, "Deleted key 3. Replace it in the tools that used it.\n");
});

test("key add puts REGION into the key, and refuses an invalid REGION", async (t) => {
  const { world } = await makeAcme(t);
  const add = ["key", "add", "--organization", "1", "--name", "x", "--json"];
  const environment = { DATABASE_URL: world.databaseUrl, REGION: "apsouth1" };
  const { rows } = await run(world.databaseUrl, add, { environment });
  assert.equal(parseApiKey(String(rows[0]?.key))?.region, "apsouth1");
  const refused = await run(world.databaseUrl, add, { environment: { ...environment, REGION: "E U" } });
  assert.equal(refused.exitCode, 2);
  assert.equal(refused.stderr, 'error: REGION: "E U" is not a name of 2 to 8 lowercase letters and digits\n');
});

test("key add --scope ingest prints the scope", async (t) => {
  const { world } = await makeAcme(t);
  const argv = ["key", "add", "--organization", "1", "--name", "x", "--scope", "ingest"];
  const { stdout, stderr } = await run(world.databaseUrl, argv);
  assert.match(stdout, /^ea_test_1_\w{38}\n$/);
  assert.match(stderr, /^Created key 3 with the scope "ingest" for the region "test"\./);
});

test("key add refuses a name that another key has, until it expires", async (t) => {
  const { world, organization } = await makeAcme(t);
  await addCsvLink(world, organization, { name: "Caf\u00e9" });
  const add = (now = present) =>
    run(world.databaseUrl, ["key", "add", "--organization", "1", "--name", "CAFE\u0301"], { now: () => now });
  const { exitCode, stdout, stderr } = await add();
  const taken =
    'error: key 3 already has the name "Caf\u00e9"; choose one that differs in more than letter case\n';
  assert.deepEqual([exitCode, stdout, stderr], [1, "", taken]);
  assert.equal((await add(present + 31 * dayMs)).exitCode, 0);
});
