// `user add|list|change|delete`.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { hashPassword } from "../../../../src/access/password.ts";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { AppError } from "../../../../src/errors.ts";
import { lockOrganization } from "../../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../../src/storage/queries/scope.ts";
import { inviteNewUser } from "../../../../src/storage/users/manage-users.ts";
import { inviteLifetimeMs, setPassword } from "../../../../src/storage/users/passwords.ts";
import { addSession, listSessions } from "../../../../src/storage/users/sessions.ts";
import { findUserByEmail, listUsers } from "../../../../src/storage/users/users.ts";
import { makeGuest } from "../../../support/guest.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeAcme, run, serve, type World } from "../../../support/world.ts";

async function withCommands(t: TestContext) {
  const { world } = await makeAcme(t);
  return { world, user: commandsOf(world) };
}

/** Runs `user …` for an organization. */
function commandsOf(
  { databaseUrl, clock }: World,
  organization = "1",
  environment: Record<string, string> = {},
) {
  return (...argv: string[]) =>
    run(databaseUrl, ["user", ...argv, "--organization", organization], {
      now: () => clock.now,
      environment: { DATABASE_URL: databaseUrl, ...environment },
    });
}

test("user add prints an invite link with which the user chooses a password", async (t) => {
  const { world, user } = await withCommands(t);
  const added = await user("add", "--email", " Ada@Example.com ", "--role", "admin", "--json");
  const { rows, exitCode, stderr } = added;
  const url = String(rows[0]?.url);
  assert.equal(exitCode, 0);
  const message =
    "warning: PUBLIC_URL is not set, so the invite link starts with http://127.0.0.1:8080, from HOST and PORT. A server started with --host or --port has another URL. Replace this start in the link by the URL at which users reach the server, and set PUBLIC_URL to it.\n";
  assert.equal(stderr, message);
  assert.deepEqual(rows, [{ id: 1, email: "ada@example.com", role: "admin", url }]);
  assert.match(url, /^http:\/\/127\.0\.0\.1:8080\/sign-in\/password\/1\.[0-9a-f]{64}$/);
  assert.deepEqual(await placesWith(world, url.slice(-64)), []);

  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1" });
  const ada = makeGuest(service.url);
  const { pathname } = new URL(url);
  assert.equal((await ada.get(pathname)).status, 200);
  const fields = { new_password: "nine green ships", again: "nine green ships" };
  assert.equal((await ada.post(pathname, fields)).status, 303);
  assert.equal((await ada.get("/settings/people")).status, 200);
});

test("user add prints only the invite link on standard output, and uses PUBLIC_URL", async (t) => {
  const { world } = await withCommands(t);
  const user = commandsOf(world, "1", { PUBLIC_URL: "https://analytics.example.com/" });
  const { stdout, stderr } = await user("add", "--email", "ada@example.com");
  assert.match(stdout, /^https:\/\/analytics\.example\.com\/sign-in\/password\/1\.[0-9a-f]{64}\n$/);
  const message =
    "Send this invite link to ada@example.com (user 1, a viewer), who chooses a password with it. It works once, within seven days, and is not shown again.\n";
  assert.equal(stderr, message);
});

test("user list prints role, password state and last visit", async (t) => {
  const { world, user } = await withCommands(t);
  const empty = await user("list");
  assert.deepEqual([empty.stdout, empty.stderr], ["", "The organization has no users.\n"]);
  await user("add", "--email", "eve@example.com", "--role", "admin");
  await user("add", "--email", "ada@example.com");
  const [ada] = await world.read({ id: 1 }, listUsers);
  assert.ok(ada);
  await world.database.transaction(async (queries) => {
    await setPassword(new Scope(queries, ada.organizationId), ada, "scrypt$");
    await addSession(new Scope(queries, ada.organizationId), ada, { client: "a test", now: world.clock.now });
  });
  assert.deepEqual((await user("list", "--json")).rows, [
    {
      id: 2,
      email: "ada@example.com",
      role: "viewer",
      password: "chosen",
      last_visit: "Jun 15, 2026 12:00 PM",
    },
    { id: 1, email: "eve@example.com", role: "admin", password: "invited", last_visit: "never" },
  ]);
  world.clock.now += 8 * dayMs;
  assert.equal((await user("list", "--json")).rows[1]?.password, "none");
});

test("user add refuses an invalid email, and one that belongs to a user of any organization", async (t) => {
  const { world, user } = await withCommands(t);
  await world.addOrganization({ name: "Globex" });
  await user("add", "--email", "ada@example.com");
  const wrong = await user("add", "--email", "ada");
  const expected = [2, 'error: email: "ada" is not an email address, such as ada@example.com\n'];
  assert.deepEqual([wrong.exitCode, wrong.stderr], expected);
  for (const organization of ["1", "2"]) {
    const taken = await commandsOf(world, organization)("add", "--email", "ADA@example.com");
    assert.equal(taken.exitCode, 1);
    const message =
      'error: email: a user with the email "ada@example.com" already exists; an email belongs to one user only\n';
    assert.equal(taken.stderr, message);
  }
  assert.notEqual((await user("add", "--email", "b@example.com", "--role", "owner")).exitCode, 0);
  const nowhere = await commandsOf(world, "9")("add", "--email", "b@example.com");
  assert.match(nowhere.stderr, /organization 9 does not exist/);
});

test("only one of two organizations that add an email at the same moment gets the user", async (t) => {
  const { world } = await withCommands(t);
  const { database, clock } = world;
  await world.addOrganization({ name: "Globex" });
  const messages = { invalid: String, taken: String, takenElsewhere: () => "taken" };
  const add = (organizationId: number, email: string) =>
    database.transaction(async (queries) => {
      await lockOrganization(new Scope(queries, organizationId));
      const invited = { organizationId, email, role: "viewer", now: clock.now, messages } as const;
      return (await inviteNewUser(new Scope(queries, invited.organizationId), invited)).user;
    });
  for (let trial = 0; trial < 20; trial++) {
    const email = `user${trial}@example.com`;
    const results = await Promise.allSettled([add(1, email), add(2, email)]);
    const [added, ...others] = results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    assert.ok(added && others.length === 0, `${email} was added ${1 + others.length} times`);
    const [refused] = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    assert.deepEqual([refused instanceof AppError, refused.code], [true, "conflict"]);
    assert.deepEqual(await database.query(async (queries) => (await findUserByEmail(queries, email))?.user), {
      ...added,
      inviteExpiresAt: clock.now + inviteLifetimeMs,
    });
  }
});

test("user change sets the role, and refuses to demote the last admin", async (t) => {
  const { world, user } = await withCommands(t);
  await user("add", "--email", "ada@example.com", "--role", "admin");
  const last = "error: ada@example.com is the last admin. Make another user an admin first.\n";
  assert.equal((await user("change", "--id", "1", "--role", "viewer")).stderr, last);
  assert.equal(
    (await user("change", "--id", "1", "--role", "admin")).exitCode,
    0,
    "the user is an admin already",
  );
  await user("add", "--email", "bob@example.com");
  assert.equal((await user("delete", "--id", "1")).stderr, last);
  const raised = await user("change", "--id", "2", "--role", "admin");
  assert.equal(raised.stdout, "Changed user 2: bob@example.com is an admin.\n");
  assert.equal((await user("change", "--id", "1", "--role", "viewer")).exitCode, 0);
  const gone = await user("delete", "--id", "1", "--json");
  assert.deepEqual(gone.rows, [{ id: 1, email: "ada@example.com", role: "viewer" }]);
  assert.equal((await user("delete", "--id", "2")).exitCode, 0, "the last user can be deleted");
  assert.deepEqual(await world.read({ id: 1 }, listUsers), []);
  const again = await user("add", "--email", "ada@example.com", "--json");
  assert.equal(again.rows[0]?.id, 3, "IDs are never used again");
});

test("user change --reset-password prints a new invite link, and ends the password and sessions", async (t) => {
  const { world, user } = await withCommands(t);
  const { database, clock } = world;
  const first = (await user("add", "--email", "ada@example.com", "--json")).rows[0]?.url;
  const kept = await hashPassword("nine green ships", { key: "a test", isKnown: true });
  const [ada] = await database.query((queries) => listUsers(new Scope(queries, 1)));
  assert.ok(ada);
  await database.transaction(async (queries) => {
    await setPassword(new Scope(queries, ada.organizationId), ada, kept);
    await addSession(new Scope(queries, ada.organizationId), ada, { client: "a test", now: clock.now });
  });
  const { rows } = await user("change", "--id", "1", "--reset-password", "--role", "admin", "--json");
  assert.deepEqual(rows, [{ id: 1, email: "ada@example.com", role: "admin", url: rows[0]?.url }]);
  assert.notEqual(rows[0]?.url, first);
  assert.deepEqual(await database.query((queries) => listSessions(new Scope(queries, 1), clock.now)), []);
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1" });
  assert.equal((await makeGuest(service.url).signIn("ada@example.com", "nine green ships")).status, 401);
  assert.equal((await makeGuest(service.url).get(new URL(String(rows[0]?.url)).pathname)).status, 200);
});

test("user commands treat a user of another organization as unknown", async (t) => {
  const { world } = await withCommands(t);
  await world.addOrganization({ name: "Globex" });
  await commandsOf(world, "2")("add", "--email", "hank@globex.example");
  const user = commandsOf(world);
  for (const argv of [
    ["delete", "--id", "1"],
    ["change", "--id", "1", "--role", "admin"],
    ["change", "--id", "1", "--reset-password"],
    ["delete", "--id", "99"],
  ]) {
    const { output } = await user(...argv);
    const message = `error: organization 1 has no user ${argv[2]}; see "email-analytics user list"\n`;
    assert.deepEqual(output, [1, "", message]);
  }
  const nothing = await user("change", "--id", "1");
  assert.match(nothing.stderr, /nothing to change; pass --role, --reset-password or --reset-second-factor/);
});
