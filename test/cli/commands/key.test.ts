// The commands `key add|list|delete`.

import assert from "node:assert/strict";
import test from "node:test";
import { parseApiKey } from "../../../src/access/api-key.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { makeWorld, region, run, serve } from "../../support/world.ts";

test("a key opens its organization, is shown once, and later only by its beginning", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const key = (...argv: string[]) =>
    run(world.databaseUrl, ["key", ...argv, "--organization", "1", "--json"]);

  const { rows, stderr } = await key("add", "--name", "Power BI");
  const text = String(rows[0]?.key);
  assert.deepEqual(rows, [{ id: 3, name: "Power BI", scope: "read", key: text }]);
  assert.equal(stderr, "");
  assert.deepEqual(parseApiKey(text), { text, region, organizationId: organization.id });

  const service = await serve(t, world);
  assert.equal((await service.get("/data_api/v1/emails", { key: text })).status, 200);
  // When it was used is noted in the background.
  await service.stop();
  const listed = await key("list");
  assert.deepEqual(listed.rows[2], {
    id: 3,
    name: "Power BI",
    scope: "read",
    key: `${text.slice(0, "ea_test_1_".length + 4)}…`,
    made_by: "",
    last_used: "2026-06-15T12:00:00.000Z",
  });
  assert.equal(listed.stdout.includes(text), false);
});

test("the key itself is nowhere in the database", async (t) => {
  const world = await makeWorld(t);
  const { key } = await world.addOrganization();
  assert.deepEqual(await placesWith(world, key.slice(-38)), []);
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
    { id: 1, name: "test", scope: "read", key: `${first.slice(0, "ea_test_1_".length + 4)}…` },
  ]);
  assert.equal(await statusOf(first), 401);
  assert.equal(await statusOf(String(added.rows[0]?.key)), 200);
  const { rows } = await run(world.databaseUrl, ["key", "list", "--organization", "1", "--json"]);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [2, 3],
  );
});

test("a key of another organization is as unknown as one that never was", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  await world.addOrganization({ name: "Globex" });
  for (const id of ["3", "99"]) {
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
  await run(world.databaseUrl, ["key", "delete", "--organization", "2", "--id", "4"]);
  const { rows } = await run(world.databaseUrl, [
    "key",
    "add",
    "--organization",
    "1",
    "--name",
    "x",
    "--json",
  ]);
  assert.equal(rows[0]?.id, 5);
});

test("people are told the key first, and to keep it", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const { stdout } = await run(world.databaseUrl, ["key", "add", "--organization", "1", "--name", "x"]);
  const [text = "", ...rest] = stdout.split("\n");
  assert.equal(parseApiKey(text)?.organizationId, 1);
  assert.deepEqual(rest, [
    'This is key 3, for the region "test" and the scope "read". Keep it now: it is never shown again.',
    "",
  ]);
  const listed = await run(world.databaseUrl, ["key", "list", "--organization", "1"]);
  assert.match(
    listed.stdout,
    /^id {2}name {4}scope {3}key {14}made_by {2}last_used\n1 {3}test {4}read {4}ea_test_1_\w{4}…\n2 {3}sender {2}ingest {2}ea_test_1_\w{4}…\n3 {3}x {7}read {4}ea_test_1_\w{4}…\n$/,
  );
  const deleted = await run(world.databaseUrl, ["key", "delete", "--organization", "1", "--id", "3"]);
  assert.equal(deleted.stdout, "Deleted key 3. Integrations that use it have to be given a new one.\n");
});

test("a key carries the region of the deployment that made it, and a region that is no name is refused", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const add = ["key", "add", "--organization", "1", "--name", "x", "--json"];
  const environment = { DATABASE_URL: world.databaseUrl, REGION: "apsouth1" };
  const { rows } = await run(world.databaseUrl, add, { environment });
  assert.equal(parseApiKey(String(rows[0]?.key))?.region, "apsouth1");
  const refused = await run(world.databaseUrl, add, { environment: { ...environment, REGION: "E U" } });
  assert.equal(refused.exitCode, 2);
  assert.equal(
    refused.stderr,
    'error: REGION: "E U" is not a name of 2 to 8 lower-case letters and digits\n',
  );
});

test("a key opens the door of its scope, and the other door says which scope it needs", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const add = async (...scope: string[]) => {
    const argv = ["key", "add", "--organization", "1", "--name", "x", "--json", ...scope];
    return (await run(world.databaseUrl, argv)).rows[0];
  };
  const read = await add("--scope", "read");
  const ingest = await add("--scope", "ingest");
  assert.deepEqual([(await add())?.scope, read?.scope, ingest?.scope], ["read", "read", "ingest"]);

  const service = await serve(t, world);
  const emails = (key: unknown) => service.get("/data_api/v1/emails", { key: String(key) });
  const events = async (key: unknown) => {
    const response = await fetch(`${service.url}/ingest/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
      body: '{"events":[]}',
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  assert.equal((await emails(read?.key)).status, 200);
  assert.equal((await events(ingest?.key)).status, 200);
  const [wrongEmails, wrongEvents] = [await emails(ingest?.key), await events(read?.key)];
  assert.deepEqual([wrongEmails.status, wrongEmails.body.error], [403, "forbidden"]);
  assert.deepEqual([wrongEvents.status, wrongEvents.body.error], [403, "forbidden"]);
  assert.match(wrongEmails.body.error_message, /"ingest".*"read"/);
  assert.match(String(wrongEvents.body.error_message), /"read".*"ingest"/);
});

test("people are told the scope of a new key", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const argv = ["key", "add", "--organization", "1", "--name", "x", "--scope", "ingest"];
  const { stdout } = await run(world.databaseUrl, argv);
  assert.match(
    stdout,
    /^ea_test_1_\w{38}\nThis is key 3, for the region "test" and the scope "ingest"\. Keep it now: it is never shown again\.\n$/,
  );
});
