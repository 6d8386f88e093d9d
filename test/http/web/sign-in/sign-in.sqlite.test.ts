// Sign-in with email and password, invite links, and sign-out.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { makeDeviceToken } from "../../../../src/access/device-token.ts";
import { hashPassword } from "../../../../src/access/password.ts";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { Scope } from "../../../../src/storage/queries/scope.ts";
import { inviteLifetimeMs, setPassword } from "../../../../src/storage/users/passwords.ts";
import { findCredentials } from "../../../../src/storage/users/second-factors.ts";
import { addSession, listSessions } from "../../../../src/storage/users/sessions.ts";
import { addUser } from "../../../../src/storage/users/users.ts";
import { fullCostVariable } from "../../../support/cheap-hashes.ts";
import { type GuestClient, givePassword, hashCheaply, invite, makeGuest } from "../../../support/guest.ts";
import { assertPage } from "../../../support/pages.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeWebWorld, requestPage, type WebWorld } from "../../../support/web-world.ts";
import { makeWorld, serve } from "../../../support/world.ts";

const password = "nine green ships sail";
const adaEmail = "ada@example.com";
async function addAda(web: WebWorld, email = adaEmail) {
  const { world, organization } = web;
  const given = { email, role: "viewer", now: world.clock.now } as const;
  const user = await world.database.transactionOf(organization.id, (scope) => addUser(scope, given));
  await givePassword(web, user, password);
  return user;
}

async function withAda(t: TestContext, served: Parameters<typeof makeWebWorld>[1] = {}) {
  const web = await makeWebWorld(t, served);
  return { ...web, user: await addAda(web), guest: makeGuest(web.service.url) };
}

test("signs in with email and password, starts a new session and redirects to the requested page", async (t) => {
  const { guest: ada, world, organization } = await withAda(t);
  const asked = await ada.get("/settings/account?x=1");
  assert.deepEqual([asked.status, asked.location], [303, "/sign-in?to=%2Fsettings%2Faccount%3Fx%3D1"]);
  assert.equal((await ada.get(`/settings/account?x=${"%25".repeat(3_000)}`)).location, "/sign-in");
  assertPage(await ada.get(asked.location ?? ""), 200, /name="to" value="\/settings\/account\?x=1"/);

  const secretBefore = `${organization.id}.${"x".repeat(43)}`;
  ada.cookies.set("ea_session", secretBefore);
  const sent = { to: "/settings/account?x=1" };
  const seen = await ada.signIn(" ADA@example.com ", password, sent);
  assert.deepEqual([seen.status, seen.location], [303, "/settings/account?x=1"]);
  assert.notEqual(ada.cookies.get("ea_session"), secretBefore);
  assert.equal(ada.cookies.has("ea_guest"), false);
  assertPage(await ada.get("/settings/account"), 200, /ada@example\.com/);
  const cookie = seen.headers.getSetCookie().find((each) => each.startsWith("ea_session="));
  assert.match(cookie ?? "", /; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.deepEqual(await placesWith(world, ada.cookies.get("ea_session") ?? ""), []);
  const again = await ada.get("/sign-in");
  assert.deepEqual([again.status, again.location], [303, "/"], "already signed in");
});

test("says how to set up the service until there is an organization", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1" });
  const empty = await requestPage(`${service.url}/sign-in`);
  assertPage(empty, 200, /<pre>email-analytics init --name &quot;NAME&quot; --email EMAIL<\/pre>/);
  assert.doesNotMatch(empty.text, /name="password"|Ask an admin/);
  await world.addOrganization();
  const { text } = await requestPage(`${service.url}/sign-in`);
  assert.doesNotMatch(text, /email-analytics init/);
  assert.match(text, /name="password"/);
  assert.match(text, /Ask an admin of your organization for an invite link/);
});

test("sets Secure cookies with the __Host- prefix behind HTTPS", async (t) => {
  const { service } = await makeWebWorld(t, { publicUrl: () => "https://analytics.example.com" });
  const seen = await requestPage(`${service.url}/sign-in`);
  assert.match(
    seen.headers.getSetCookie()[0] ?? "",
    /^__Host-ea_guest=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("answers a wrong email and a wrong password alike, and keeps the email in the form", async (t) => {
  const { guest: ada } = await withAda(t);
  const right = await ada.signIn("ada@example.com", "not the password at all");
  const wrong = await ada.signIn("bob@example.com", "not the password at all");
  assert.deepEqual([right.status, wrong.status], [401, 401]);
  const neutral = (text: string) => text.replaceAll(/ada|bob/g, "x");
  assert.equal(neutral(right.text), neutral(wrong.text));
  assert.match(right.text, /Wrong email or password/);
  assert.match(right.text, /value="ada@example\.com"/);
  assert.doesNotMatch(right.text, /not the password at all/);
  const script = await ada.signIn('"><script>alert(1)</script>', "not the password at all");
  assert.doesNotMatch(script.text, /<script>alert/);
});

test("takes as long for a wrong email as for a wrong password", async (t) => {
  process.env[fullCostVariable] = "1";
  t.after(() => delete process.env[fullCostVariable]);
  const { guest: ada, world, user } = await withAda(t);
  const hashed = await hashPassword(password, { key: "a test", isKnown: true });
  await world.database.transactionOf(user.organizationId, (scope) => setPassword(scope, user, hashed));
  await ada.get("/sign-in");
  // CPU time instead of wall-clock time, so that other load does not matter.
  const workFor = async (email: string) => {
    const from = process.cpuUsage();
    await ada.signIn(email, "not the password at all");
    return process.cpuUsage(from).user;
  };
  const known = Math.min(await workFor("ada@example.com"), await workFor("ada@example.com"));
  const unknown = await workFor("nobody@example.com");
  // Without hashing it would take a hundredth.
  assert.ok(unknown > known / 5, `${unknown} µs against ${known} µs`);
});

test("rejects a sign-in form without its CSRF token or from another origin", async (t) => {
  const { guest: ada, service } = await withAda(t);
  const fields = { action: "sign-in", email: "ada@example.com", password };
  assert.equal((await requestPage(`${service.url}/sign-in`, { fields })).status, 403);
  await ada.get("/sign-in");
  assert.equal((await ada.post("/sign-in", { ...fields, form_token: "" })).status, 403);
  assert.equal((await ada.post("/sign-in", fields, { origin: "https://evil.example" })).status, 403);
  assert.equal((await ada.post("/sign-in", fields, { origin: "null" })).status, 403);
  assert.equal(ada.cookies.has("ea_session"), false);
});

test("accepts the origin of PUBLIC_URL when a proxy changes the Host header", async (t) => {
  const { guest: ada } = await withAda(t, { publicUrl: () => "http://analytics.example.com:8080" });
  const fields = { action: "sign-in", email: "ada@example.com", password };
  await ada.get("/sign-in");
  assert.equal((await ada.post("/sign-in", fields, { origin: "http://analytics.example.com" })).status, 403);
  const crossSite = { origin: "http://analytics.example.com:8080", "sec-fetch-site": "cross-site" };
  assert.equal((await ada.post("/sign-in", fields, crossSite)).status, 403);
  const signedIn = await ada.post("/sign-in", fields, { origin: "http://analytics.example.com:8080" });
  assert.equal(signedIn.status, 303);
  assert.ok(ada.cookies.has("ea_session"));
});

test("redirects only to own pages after sign-in (no open redirect)", async (t) => {
  const { guest: ada } = await withAda(t);
  const foreign = ["//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example"];
  for (const to of [...foreign, "javascript:1", "/..//evil.example", "evil", ""]) {
    assert.match((await ada.get(`/sign-in?to=${encodeURIComponent(to)}`)).text, /name="to" value="\/"/, to);
  }
  const seen = await ada.signIn("ada@example.com", password, { to: "//evil.example" });
  assert.equal(seen.location, "/");
  await ada.signOut();
  const umlauts = await ada.signIn("ada@example.com", password, { to: "/grün?ä=ö" });
  assert.equal(umlauts.location, "/gr%C3%BCn?%C3%A4=%C3%B6");
});

test("doubles the wait after five failed sign-ins, whatever the time of day (rate limit)", async (t) => {
  const { guest: ada, world } = await withAda(t);
  let elapsed = performance.now();
  t.mock.method(performance, "now", () => elapsed);
  for (let times = 0; times < 5; times++) {
    assert.equal((await ada.signIn("ada@example.com", "wrong wrong wrong")).status, 401);
  }
  for (const change of [-dayMs, dayMs]) {
    world.clock.now += change;
    const held = await ada.signIn("ada@example.com", password);
    assert.deepEqual([held.status, held.headers.get("retry-after")], [429, "5"]);
    assert.match(held.text, /Try again in 5 seconds\./);
  }
  elapsed += 5_000;
  assert.equal((await ada.signIn("ada@example.com", "wrong wrong wrong")).status, 401);
  assert.equal((await ada.signIn("ada@example.com", password)).headers.get("retry-after"), "10");
  elapsed += 10_000;
  assert.equal((await ada.signIn("ada@example.com", password)).status, 303);
  await ada.signOut();
});

test("lets the owner sign in from a known device while failures from five networks lock the account", async (t) => {
  const web = await makeWebWorld(t, { trustedProxies: ["127.0.0.1"] });
  const { organization, service, world } = web;
  await addAda(web);
  await addAda(web, "bob@example.com");
  const from = (guest: GuestClient, ip: string, email: string, given: string) =>
    guest.post("/sign-in", { email, password: given }, { "x-forwarded-for": ip });
  const [ada, stranger] = [makeGuest(service.url), makeGuest(service.url)];
  for (const guest of [ada, stranger]) await guest.get("/sign-in");
  const first = await from(ada, "203.0.113.1", "ada@example.com", password);
  const cookie = first.headers.getSetCookie().find((each) => each.startsWith("ea_device=")) ?? "";
  assert.match(cookie, /^ea_device=1\.1\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  await ada.signOut();
  await ada.get("/sign-in");

  for (let times = 0; times < 25; times++) {
    const seen = await from(stranger, `192.0.2.${Math.floor(times / 5)}`, "ada@example.com", "wrong wrong");
    assert.equal(seen.status, 401);
  }
  assert.equal((await from(stranger, "203.0.113.1", "ada@example.com", password)).status, 429);
  // A forged token, that of another user, and one from before the password was changed.
  const credentials = (id: number) =>
    world.database.queryOf(organization.id, (scope) => findCredentials(scope, { id }));
  const forged = makeDeviceToken(organization.id, 1, `${"0".repeat(64)}${await credentials(1)}`);
  const own = makeDeviceToken(organization.id, 2, organization.secret + (await credentials(2)));
  const old = makeDeviceToken(organization.id, 1, organization.secret);
  for (const token of [forged, own, old]) {
    stranger.cookies.set("ea_device", token);
    assert.equal((await from(stranger, "203.0.113.1", "ada@example.com", password)).status, 429);
  }
  const tries = Array.from({ length: 5 }, () => from(ada, "203.0.113.1", "ada@example.com", "wrong wrong"));
  assert.deepEqual(new Set((await Promise.all(tries)).map(({ status }) => status)), new Set([401]));
  assert.equal((await from(ada, "203.0.113.1", "ada@example.com", password)).status, 429, "the device waits");
  stranger.cookies.set("ea_device", ada.cookies.get("ea_device") ?? "");
  const other = await from(stranger, "192.0.2.0", "ada@example.com", password);
  assert.equal(other.status, 429, "and so do others");
  assert.deepEqual(await placesWith(world, ada.cookies.get("ea_device") ?? ""), []);
});

test("deletes the organization's ended sessions at sign-in", async (t) => {
  const { guest: ada, world, organization, user } = await withAda(t);
  const { database, clock } = world;
  await database.transactionOf(user.organizationId, (scope) =>
    addSession(scope, user, { client: "old", now: clock.now }),
  );
  const counted = () => database.queryOf(organization.id, (scope) => listSessions(scope, 0));
  assert.equal((await counted()).length, 1);
  clock.now += 8 * dayMs;
  await ada.signIn("ada@example.com", password);
  const clients = (await counted()).map(({ client }) => client);
  assert.deepEqual(clients, [""]);
});

test("ends the session on the server at sign-out, and requires the session's CSRF token", async (t) => {
  const { guest: ada, service } = await withAda(t);
  await ada.signIn("ada@example.com", password);
  const secret = ada.cookies.get("ea_session") ?? "";
  const cookie = `ea_session=${secret}`;
  const unsigned = { cookie, fields: { action: "sign-out" } };
  assert.equal((await requestPage(`${service.url}/sign-out`, unsigned)).status, 403);
  assert.equal((await requestPage(`${service.url}/settings/account`, { cookie })).status, 200);
  const seen = await ada.signOut();
  assert.deepEqual([seen.status, seen.location, seen.notice], [303, "/sign-in", "You are signed out."]);
  assert.equal(ada.cookies.has("ea_session"), false);
  assert.equal((await requestPage(`${service.url}/settings/account`, { cookie })).status, 303);
});

test("lets a user choose a password once with an invite link, and keeps its secret out of the log", async (t) => {
  const web = await makeWebWorld(t);
  const { world, organization, service } = web;
  // With a session that is older than the password.
  const { user } = await web.signIn("viewer", { email: "eve@example.com" });
  const { path, secret } = await invite(web, user);
  const eve = makeGuest(service.url);
  assertPage(await eve.get(path), 200, /eve@example\.com/);

  const choose = (first: string, again = first) =>
    eve.post(path, { action: "choose-password", new_password: first, again });
  const refused: [string, string, RegExp][] = [
    ["short", "short", /it has 5 characters; use 12 to 200/],
    ["eve@example.com", "eve@example.com", /it is your email address/],
    ["password1234", "password1234", /too easy to guess/],
    [password, `${password}!`, /id="again_problem">The passwords do not match\. Type both again\./],
  ];
  for (const [first, again, problem] of refused) {
    const seen = await choose(first, again);
    assertPage(seen, 400, problem);
    assert.doesNotMatch(seen.text, new RegExp(`value="${first}"`.replace("eve@example.com", "\0")));
  }
  const forged = { form_token: "x", new_password: password, again: password };
  assert.equal((await eve.post(path, forged)).status, 403);

  const [one, two] = await Promise.all([choose(password), choose(password)]);
  assert.deepEqual([one.status, two.status].sort(), [303, 404]);
  assert.equal((await eve.get("/settings/account")).status, 200);
  assert.equal((await makeGuest(service.url).get(path)).status, 404, "already used");
  const sessions = await world.database.queryOf(organization.id, (scope) =>
    listSessions(scope, world.clock.now),
  );
  const left = sessions.map(({ client, userId }) => [client, userId]);
  assert.deepEqual(left, [["", user.id]]);
  assert.equal(service.log().includes(secret), false);
  assert.equal(service.log().includes(password), false);
  assert.ok(service.logged.some(({ path: logged }) => String(logged).startsWith("/sign-in/password/")));
});

test("answers 404 when an invite link has expired, is misspelled or belongs to another organization", async (t) => {
  const web = await makeWebWorld(t);
  const { world, organization, service } = web;
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  const { user } = await web.signIn("viewer");
  const { secret } = await invite(web, user);
  const eve = makeGuest(service.url);
  const statusOf = async (last: string) => (await eve.get(`/sign-in/password/${last}`)).status;
  const [upper, foreign] = [`${organization.id}.${secret.toUpperCase()}`, `${other.id}.${secret}`];
  const wrong = [foreign, secret, upper, "1.<script>", `9${"0".repeat(14)}.${secret}`];
  for (const last of wrong) assert.equal(await statusOf(last), 404, last);
  assert.equal(await statusOf(`${organization.id}.${secret}`), 200);
  world.clock.now += inviteLifetimeMs;
  assert.equal(await statusOf(`${organization.id}.${secret}`), 404);
});

test("refuses a sign-in when the password changes while it is compared", async (t) => {
  const { guest: ada, world, user } = await withAda(t);
  const other = hashCheaply("ten green ships sail");
  await ada.get("/sign-in");
  const { transaction } = world.database;
  let changes = 0;
  // Changes the password after the comparison, right before the session starts.
  t.mock.method(world.database, "transaction", async (...given: Parameters<typeof transaction>) => {
    changes += 1;
    if (changes === 1)
      await transaction((queries) => setPassword(new Scope(queries, user.organizationId), user, other));
    return transaction(...given);
  });
  assert.equal((await ada.post("/sign-in", { email: "ada@example.com", password })).status, 401);
  assert.equal(changes, 1);
  assert.equal(ada.cookies.has("ea_session"), false);
});
