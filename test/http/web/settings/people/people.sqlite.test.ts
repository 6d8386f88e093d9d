// The people page for admins, and the account page for all users.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../../../src/campaign/calendar/durations.ts";
import { addSession, listSessions } from "../../../../../src/storage/users/sessions.ts";
import { addUser, listUsers } from "../../../../../src/storage/users/users.ts";
import { givePassword, makeGuest } from "../../../../support/guest.ts";
import { assertMatches, assertPage, textOf } from "../../../../support/pages.ts";
import { placesWith } from "../../../../support/stored-bytes.ts";
import { makeWebWorld, makeWebWorldOf, type SignedInClient } from "../../../../support/web-world.ts";

const people = "/settings/people";
const account = "/settings/account";

test("shows an invite link once when an admin adds a user, who then chooses a password", async (t) => {
  const { world, organization, service, admin } = await makeWebWorldOf("admin", t);
  const seen = await admin.post(people, "add", { email: " Bob.Ö@Example.COM ", role: "viewer" });
  assertPage(seen, 200, /<h1>Send this invite link to bob\.ö@example\.com<\/h1>/);
  const [, url = "", secret = ""] =
    /id="invitation" class="code">(http:\/\/127\.0\.0\.1\/sign-in\/password\/\d+\.([0-9a-f]{64}))</.exec(
      seen.text,
    ) ?? [];
  assert.match(seen.text, /data-copy="invitation" [^>]*aria-label="Copy the invite link" hidden>Copy</);
  assert.deepEqual(await placesWith(world, secret), [], "the secret is not stored");

  const page = await admin.get(people);
  assert.equal(page.text.includes(secret), false);
  assert.match(page.text, /bob\.ö@example\.com/);
  assert.match(page.text, /title="Jun 15, 2026, 12:00 PM UTC">Invited 1 second ago</);
  assert.match(page.text, /Never/);

  const bob = makeGuest(service.url);
  const path = new URL(url).pathname;
  await bob.get(path);
  const fields = { new_password: "nine green ships", again: "nine green ships" };
  assert.equal((await bob.post(path, fields)).status, 303);
  assert.equal((await bob.get(account)).status, 200);
  assert.equal((await bob.get(people)).status, 403, "a viewer");
  const users = await world.database.queryOf(organization.id, listUsers);
  const shown = users.map(({ email, role, hasPassword }) => [email, role, hasPassword]);
  assert.deepEqual(shown, [
    ["admin-1@example.com", "admin", false],
    ["bob.ö@example.com", "viewer", true],
  ]);
});

test("rejects an invalid or taken email and an invalid role, and keeps the input", async (t) => {
  const web = await makeWebWorld(t);
  const admin = await web.signIn("admin");
  const { organization: other } = await web.world.addOrganization({ name: "Globex Secret" });
  await web.signIn("viewer", { email: "hank@globex.example", organization: other });
  for (const email of [
    "",
    "a b@example.com",
    "a@b..c,d@x",
    `${"x".repeat(250)}@b.com`,
    "a\u202eb@example.com",
  ]) {
    const seen = await admin.post(people, "add", { email, role: "viewer" });
    assertPage(seen, 400, /id="email_problem">.* is not an email address, such as ada@example\.com\./, email);
  }
  const script = await admin.post(people, "add", { email: `"><script>alert(1)</script>`, role: "admin" });
  assert.doesNotMatch(script.text, /<script>alert/);
  assertMatches(script.text, [
    /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/,
    /<select id="role" name="role"><option value="viewer">Viewer<\/option><option value="admin" selected>/,
  ]);
  const role = await admin.post(people, "add", { email: "x@example.com", role: "owner" });
  assertPage(role, 400, /Role: &quot;owner&quot; is not one of viewer, admin\./);
  for (const [email, problem] of [
    [
      "admin-1@example.com",
      "already exists. To send another invite link, use New invite link or Reset password",
    ],
    ["HANK@globex.example", 'a user of this service with the email "hank@globex.example" already exists'],
  ] as const) {
    const taken = await admin.post(people, "add", { email, role: "viewer" });
    assert.equal(taken.status, 409);
    assert.ok(textOf(taken.text).includes(problem), taken.text);
    assert.doesNotMatch(taken.text, /Globex Secret/);
  }
});

test("delays admins of an organization that add five emails in use, but not other errors or organizations", async (t) => {
  const web = await makeWebWorld(t);
  const stopped = performance.now();
  t.mock.method(performance, "now", () => stopped);
  const { organization: other } = await web.world.addOrganization({ name: "Globex" });
  const hank = await web.signIn("admin", { email: "hank@globex.example", organization: other });
  const [admin, colleague] = [await web.signIn("admin"), await web.signIn("admin")];
  const add = async (client: SignedInClient, email: string) =>
    client.post(people, "add", { email, role: "viewer" });
  for (let times = 0; times < 6; times++) {
    assert.equal((await add(admin, "no email")).status, 400);
    assert.equal((await add(admin, `new${times}@example.com`)).status, 200);
  }
  for (let times = 0; times < 5; times++) {
    assert.equal((await add(admin, "hank@globex.example")).status, 409);
  }
  for (const client of [admin, colleague]) {
    const held = await add(client, "hank@globex.example");
    assertPage(held, 429, /Too many emails that are already in use\. Try again in 5 seconds\./);
  }
  assert.equal((await add(hank, "new@globex.example")).status, 200);
});

test("applies a changed role to the next request, and keeps the last admin", async (t) => {
  const { signIn, admin } = await makeWebWorldOf("admin", t);
  const viewer = await signIn("viewer");
  const self = String(admin.user.id);
  for (const [action, fields] of [
    ["role", { user: self, role: "viewer" }],
    ["remove", { user: self }],
  ] as const) {
    const seen = await admin.post(people, action, fields);
    assertPage(seen, 409, /admin-1@example\.com is the last admin\. Make another user an admin first\./);
  }
  const user = String(viewer.user.id);
  assert.equal((await viewer.get(people)).status, 403);
  const raised = await admin.post(people, "role", { user, role: "admin" });
  assert.deepEqual([raised.status, raised.notice], [303, "viewer-2@example.com is now an admin."]);
  assert.equal((await viewer.get(people)).status, 200);
  const left = await admin.post(people, "role", { user: self, role: "viewer" });
  assert.equal(left.location, account, "no permission for the people page");
  assert.equal((await admin.get(people)).status, 403);
  assert.equal((await viewer.post(people, "remove", { user: self })).status, 303);
  assert.equal((await admin.get(account)).status, 303, "signed out");

  assert.doesNotMatch(await viewer.read(people), /Remove user/);
  const last = await viewer.post(people, "remove", { user });
  assertPage(last, 409, /viewer-2@example\.com is the last user, and cannot be removed here/);
  assert.equal((await viewer.get(people)).status, 200);
});

test("ends password and sessions and shows a new invite link when a password is reset", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, service, admin } = web;
  const bob = await web.signIn("viewer", { email: "bob@example.com" });
  await givePassword(web, bob.user, "nine green ships");
  const browser = makeGuest(service.url);
  assert.equal((await browser.signIn("bob@example.com", "nine green ships")).status, 303);

  const page = await admin.get(people);
  assert.match(page.text, /<summary>Reset password<span class="visually-hidden"> of bob@/);
  assert.match(page.text, /<td[^>]*>Set<\/td>/);
  const seen = await admin.post(people, "reset", { user: String(bob.user.id) });
  assert.match(await admin.read(people), /<summary>New invite link<span class="visually-hidden"> for bob@/);
  assert.match(seen.text, /\/sign-in\/password\/\d+\.[0-9a-f]{64}</);
  assert.equal((await bob.get(account)).status, 303);
  assert.equal((await browser.get(account)).status, 303);
  assert.equal((await makeGuest(service.url).signIn("bob@example.com", "nine green ships")).status, 401);
  assert.equal((await admin.post(people, "reset", { user: String(admin.user.id) })).status, 409);
  assert.equal((await admin.get(people)).status, 200);
  world.clock.now += 9 * dayMs;
  assert.match(await (await web.signIn("admin")).read(people), />Invite link expired 2 days ago</);
});

test("lets no admin of another organization manage its users", async (t) => {
  const web = await makeWebWorld(t);
  const { organization: other } = await web.world.addOrganization({ name: "Globex" });
  const admin = await web.signIn("admin");
  const viewer = await web.signIn("viewer");
  const hank = await web.signIn("admin", { email: "hank@globex.example", organization: other });
  const fields = { user: String(viewer.user.id), role: "admin" };
  for (const action of ["role", "reset", "remove"]) {
    assert.equal((await hank.post(people, action, fields)).status, 404, action);
  }
  assert.equal((await hank.read(people)).includes("viewer-2@example.com"), false);
  for (const user of ["", "0", "-1", "1e3", "999999", "9".repeat(40)]) {
    assert.equal((await admin.post(people, "remove", { user })).status, 404, user);
  }
  assert.equal((await viewer.get(account)).status, 200);
});

test("lists sessions, and lets admins end all and other users their own", async (t) => {
  const { world, organization, signIn, admin } = await makeWebWorldOf("admin", t);
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  const viewer = await signIn("viewer");
  const hank = await signIn("admin", { email: "hank@globex.example", organization: other });
  const sessionsOf = async (id: number) => {
    const sessions = await world.database.queryOf(organization.id, (scope) =>
      listSessions(scope, world.clock.now),
    );
    return sessions.filter(({ userId }) => userId === id);
  };
  const session = { client: "<b>Firefox</b> on Windows", now: world.clock.now };
  await world.database.transactionOf(organization.id, (scope) => addSession(scope, viewer.user, session));
  const page = await admin.get(people);
  assert.match(page.text, /&lt;b&gt;Firefox&lt;\/b&gt; on Windows/);
  assert.match(page.text, /Jun 15, 2026, 12:00 PM UTC/);
  assert.match(page.text, /This session/);

  const [ofAdmin] = await sessionsOf(admin.user.id);
  const [own] = (await sessionsOf(viewer.user.id)).filter(({ client }) => client.includes("Firefox"));
  const firefox = { session: own?.hash ?? "" };
  assert.equal((await viewer.read(account)).includes(ofAdmin?.hash ?? "?"), false);
  assert.equal((await viewer.post(account, "end-session", { session: ofAdmin?.hash ?? "" })).status, 404);
  assert.equal((await hank.post(people, "end-session", firefox)).status, 404);
  assert.equal((await viewer.post(account, "end-session", firefox)).notice, "The session has ended.");
  assert.equal((await sessionsOf(viewer.user.id)).length, 1);
  const [rest] = await sessionsOf(viewer.user.id);
  assert.equal((await admin.post(people, "end-session", { session: rest?.hash ?? "" })).status, 303);
  assert.equal((await viewer.get(account)).status, 303);
  assert.equal((await admin.post(people, "end-session", { session: rest?.hash ?? "" })).status, 404);
});

test("ends all other sessions when a password changes, and renews the current one", async (t) => {
  const web = await makeWebWorld(t);
  const { service } = web;
  const bob = await web.signIn("viewer", { email: "bob@example.com" });
  assert.match(
    await bob.read(account),
    /You have no password yet\..*An admin of your organization can create an invite/s,
  );
  const ada = await web.signIn("admin");
  const { text } = await ada.get(account);
  assert.match(
    text,
    /Another admin can create an invite link for you under <a href="\/settings\/people">People</,
  );
  await givePassword(web, bob.user, "nine green ships");
  const browser = makeGuest(service.url);
  await browser.signIn("bob@example.com", "nine green ships");
  const before = browser.cookies.get("ea_session") ?? "";
  const change = (password: string, next: string, again = next) => {
    const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
    return browser.post(account, { form_token, action: "password", password, new_password: next, again });
  };
  let page = await browser.get(account);
  assert.match(page.text, /Current password/);
  const wrong = await change("ten green ships", "eleven green ships");
  assertPage(wrong, 400, /Current password: wrong password/);
  assert.doesNotMatch(wrong.text, /eleven green ships/);
  assert.equal((await change("nine green ships", "short")).status, 400);
  assert.equal((await change("nine green ships", "eleven green ships", "twelve green ships")).status, 400);

  const done = await change("nine green ships", "eleven green ships");
  const notice = "Your password was changed. You are signed out everywhere else.";
  assert.deepEqual([done.status, done.notice], [303, notice]);
  assert.notEqual(browser.cookies.get("ea_session"), before);
  page = await browser.get(account);
  assert.equal(page.status, 200);
  assert.equal((await bob.get(account)).status, 303, "the other session");
  const old = makeGuest(service.url);
  old.cookies.set("ea_session", before);
  assert.equal((await old.get(account)).status, 303, "the old secret");
  assert.equal((await makeGuest(service.url).signIn("bob@example.com", "nine green ships")).status, 401);
  assert.equal((await makeGuest(service.url).signIn("bob@example.com", "eleven green ships")).status, 303);

  // At the same time: on a slow machine, the wait after five failures could end before the sixth is sent.
  const guesses = await Promise.all(
    Array.from({ length: 7 }, () => change("ten green ships", "twelve green ships")),
  );
  assert.deepEqual(guesses.map(({ status }) => status).sort(), [400, 400, 400, 400, 400, 429, 429]);
});

test("paginates users and limits the sessions shown", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  await world.database.transactionOf(organization.id, async (scope) => {
    for (let each = 0; each < 250; each++) {
      const email = `p${String(each).padStart(3, "0")}@example.com`;
      const base = { role: "viewer", now: world.clock.now } as const;
      const user = await addUser(scope, { ...base, email });
      await addSession(scope, user, { client: "a test", now: world.clock.now - 1 });
    }
  });
  const first = await admin.read(people);
  assertMatches(first, [/1–100 of 251/, /And 51 more, used less recently/, /Role of p098@/]);
  assert.doesNotMatch(first, /Role of p099@/);
  const last = await admin.read(`${people}?page=3`);
  assertMatches(last, [/201–251 of 251/, /Role of p249@/]);
  assert.doesNotMatch(last, /Next page/);
});
