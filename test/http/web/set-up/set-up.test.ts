// The set-up page: the first organization and its first admin, by the link that `serve` prints.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { messages } from "../../../../src/cli/commands/manage/user.ts";
import { openDatabase } from "../../../../src/storage/open-database.ts";
import { listOrganizations } from "../../../../src/storage/organizations/organizations.ts";
import { addFirstOrganization } from "../../../../src/storage/users/manage-users.ts";
import { actionsOf } from "../../../support/audit.ts";
import { makeGuest } from "../../../support/guest.ts";
import { assertPage } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { requestPage } from "../../../support/web-world.ts";
import { makeDatabase, makeWorld, serve } from "../../../support/world.ts";

const secret = "5e".repeat(32);
const path = `/set-up/${secret}`;
const password = "nine green ships sail";
const filled = {
  ...{ action: "set-up", name: "Acme & Sons", time_zone: "Europe/Berlin" },
  ...{ email: " Ada@Example.com", new_password: password, again: password },
};

async function withEmptyService(t: TestContext) {
  const world = await makeWorld(t);
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1", setUpSecret: secret });
  const guest = makeGuest(service.url);
  const organizations = () => world.database.query(listOrganizations);
  return { world, service, guest, organizations };
}

sqliteTest("adds the organization and its first admin, who is signed in and sees what is left", async (t) => {
  const { world, service, guest, organizations } = await withEmptyService(t);
  assertPage(await guest.get(path), 200, /Set up your organization/);
  const sent = await guest.post(path, filled);
  assert.deepEqual([sent.status, sent.location], [303, "/"]);
  const [organization, ...others] = await organizations();
  assert.deepEqual(others, []);
  assert.deepEqual([organization?.name, organization?.timeZone], ["Acme & Sons", "Europe/Berlin"]);

  assertPage(await guest.get("/"), 200, [/Get to your first numbers/, /ada@example\.com/]);
  assert.equal((await guest.get("/settings/people")).status, 200, "as an admin");
  assert.deepEqual(await actionsOf(world, organization?.id ?? 0), [
    "ada@example.com, session.start, ",
    "ada@example.com, organization.add, Acme & Sons",
  ]);
  const other = makeGuest(service.url);
  assert.equal((await other.signIn("ada@example.com", password)).location, "/");
});

sqliteTest("names the field, and keeps what was typed but for the password", async (t) => {
  const { guest, organizations } = await withEmptyService(t);
  const problems = [
    [{ name: " " }, /Organization: /],
    [{ time_zone: "Europe/Atlantis" }, /Time zone: .*Europe\/Atlantis/],
    [{ email: "ada" }, /Email: .*ada.* is not an email address/],
    [{ new_password: "short" }, /New password: /],
    [{ again: "another long one" }, /passwords/],
  ] as const;
  await guest.get(path);
  for (const [change, message] of problems) {
    const { status, text } = await guest.post(path, { ...filled, name: "<b>Acme</b>", ...change });
    assert.equal(status, 400, String(message));
    assert.match(text, message);
    assert.doesNotMatch(text, /<b>Acme|nine green ships/);
  }
  assert.deepEqual(await organizations(), []);
});

test("works once: two forms at the same time add one organization, and the link is used up", async (t) => {
  const { service, organizations } = await withEmptyService(t);
  const guests = [makeGuest(service.url), makeGuest(service.url), makeGuest(service.url)];
  for (const guest of guests) await guest.get(path);
  const answers = await Promise.all(
    guests.map((guest, index) => guest.post(path, { ...filled, name: `Acme ${index}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404]);
  assert.equal((await organizations()).length, 1);
  const late = await requestPage(service.url + path);
  assertPage(late, 404, /This service is set up/);
  assert.doesNotMatch(late.text, /new_password/);
});

test("adds one organization when several processes have a form at the same time", async (t) => {
  const databaseUrl = await makeDatabase(t);
  const processes = await Promise.all([1, 2, 3, 4].map(() => openDatabase(databaseUrl)));
  t.after(() => Promise.all(processes.map((each) => each.close())));
  const admin = { name: "Acme", timeZone: "UTC", email: "ada@example.com", now: 0, messages };
  const added = await Promise.all(
    processes.map((each) => each.transaction((queries) => addFirstOrganization(queries, admin))),
  );
  assert.equal(added.filter(Boolean).length, 1);
  assert.equal((await processes[0]?.query(listOrganizations))?.length, 1);
});

sqliteTest("is not found without its secret, refuses forms without a token, logs no secret", async (t) => {
  const { service, organizations, guest } = await withEmptyService(t);
  for (const wrong of [`/set-up/${"5d".repeat(32)}`, "/set-up/", "/set-up", "/set-up/x"]) {
    assert.equal((await requestPage(service.url + wrong)).status, 404, wrong);
    assert.equal((await requestPage(service.url + wrong, { fields: filled })).status, 404, wrong);
  }
  assert.equal((await requestPage(service.url + path, { fields: filled })).status, 403);
  await guest.get(path);
  assert.deepEqual(await organizations(), []);
  assert.doesNotMatch(JSON.stringify(service.logged), new RegExp(secret));
});

sqliteTest("is not there in a service that started with an organization", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1" });
  assert.equal((await requestPage(service.url + path)).status, 404);
});
