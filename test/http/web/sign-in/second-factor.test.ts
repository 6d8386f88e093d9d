// The second factor: setting it up, signing in with codes of an app and recovery codes, and resetting it.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { TOTP } from "otpauth";
import { minuteMs } from "../../../../src/campaign/calendar/durations.ts";
import { csrfTokenOf } from "../../../../src/http/web/frame/csrf.ts";
import { addSession } from "../../../../src/storage/users/sessions.ts";
import { addUser, type User } from "../../../../src/storage/users/users.ts";
import { actionsOf } from "../../../support/audit.ts";
import { type GuestClient, givePassword, invite, makeGuest } from "../../../support/guest.ts";
import { assertPage } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeWebWorld, type PageResponse, type WebWorld } from "../../../support/web-world.ts";
import { run } from "../../../support/world.ts";

const password = "nine green ships sail";
const page = "/settings/account/second-factor";
const email = "ada@example.com";

interface Given extends WebWorld {
  user: User;
  secret: string;
  recoveryCodes: string[];
  /** The code that the app shows, by its clock. */
  code(clockOffMs?: number): string;
  /** A browser of the user's, in which nobody is signed in. */
  guest(): GuestClient;
}

/** Sends a form of a page as the signed-in user of a browser. */
function submit(ada: GuestClient, path: string, fields: Record<string, string>): Promise<PageResponse> {
  const session = ada.cookies.get("ea_session") ?? "";
  return ada.post(path, { form_token: csrfTokenOf(session), ...fields });
}

const recoveryCodesOn = (text: string) => text.match(/\b[0-9a-z]{4}(?:-[0-9a-z]{4}){3}\b/g) ?? [];

/** A user who turned on the second factor. */
async function withSecondFactor(t: TestContext): Promise<Given> {
  const web = await makeWebWorld(t, { publicUrl: () => "http://127.0.0.1" });
  const { world, organization, service } = web;
  const given = { email, role: "viewer", now: world.clock.now } as const;
  const user = await world.database.transactionOf(organization.id, (scope) => addUser(scope, given));
  await givePassword(web, user, password);
  const guest = () => makeGuest(service.url);
  const ada = guest();
  await ada.signIn(email, password);
  const { text } = await ada.get(page);
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)?.[1] ?? assert.fail(text);
  assert.match(text, new RegExp(`<div class="qr"[^>]*><svg [\\s\\S]*<code id="secret">${secret}</code>`));
  const code = (clockOffMs = 0) => new TOTP({ secret }).generate({ timestamp: world.clock.now + clockOffMs });
  const wrong = await submit(ada, page, { action: "on", secret, code: code(5 * minuteMs), password });
  assertPage(wrong, 400, /id="code_problem">it is not the current code/);
  assert.ok(wrong.text.includes(`value="${secret}"`), "the app has been set up already");
  const unconfirmed = await submit(ada, page, { action: "on", secret, code: code(), password: "wrong" });
  assert.match(unconfirmed.text, /id="password_problem">wrong password/);
  const on = await submit(ada, page, { action: "on", secret, code: code(), password });
  assert.equal(on.status, 200);
  const recoveryCodes = recoveryCodesOn(on.text);
  assert.equal(recoveryCodes.length, 10);
  await ada.signOut();
  // The next step: each is accepted once.
  world.clock.now += 30_000;
  return { ...web, user, secret, recoveryCodes, code, guest };
}

/** Enters the password. */
async function startSignIn(ada: GuestClient, to = "/"): Promise<void> {
  const { status, location } = await ada.signIn(email, password, { to });
  const query = to === "/" ? "" : `?to=${encodeURIComponent(to)}`;
  assert.deepEqual([status, location], [303, `/sign-in/code${query}`]);
  assert.equal(ada.cookies.has("ea_session"), false);
}

sqliteTest("asks for the app's code, and accepts each once, from a clock that is a step off", async (t) => {
  const { guest, code, world } = await withSecondFactor(t);
  const ada = guest();
  await startSignIn(ada, "/settings/account?x=1");
  assert.equal((await ada.get("/settings/account")).location, "/sign-in?to=%2Fsettings%2Faccount");
  const to = "/sign-in/code?to=%2Fsettings%2Faccount%3Fx%3D1";
  assert.match((await ada.get(to)).text, /<h1>Enter your code<\/h1>[\s\S]*autocomplete="one-time-code"/);
  for (const wrong of ["000000", "", code(-2 * 30_000), password]) {
    assertPage(await ada.post(to, { code: wrong }), 401, /Wrong or used code\./, wrong);
  }
  // A step later, the code is that of a slow clock.
  const current = `${code().slice(0, 3)} ${code().slice(3)}`;
  world.clock.now += 30_000;
  const signedIn = await ada.post(to, { code: current });
  assert.deepEqual([signedIn.status, signedIn.location], [303, "/settings/account?x=1"]);
  assert.match((await ada.get("/settings/account")).text, /ada@example\.com/);
  assert.equal(ada.cookies.has("ea_second_factor"), false);
  const again = guest();
  await startSignIn(again);
  assert.equal((await again.post("/sign-in/code", { code: current })).status, 401, "used before");
  world.clock.now += 30_000;
  const fast = await again.post("/sign-in/code", { code: code(30_000) });
  assert.equal(fast.status, 303, "a clock that is fast");
});

sqliteTest("delays codes after five wrong ones, although the password is right (rate limit)", async (t) => {
  const { guest, code, recoveryCodes, world } = await withSecondFactor(t);
  const [ada, phone] = [guest(), guest()];
  for (const each of [ada, phone]) {
    await startSignIn(each);
    assert.equal((await each.post("/sign-in/code", { code: code() })).status, 303);
    await each.signOut();
    world.clock.now += 30_000;
  }
  // Both a browser that is known and one that is not.
  for (const each of [ada, guest()]) {
    for (let times = 0; times < 5; times++) {
      await startSignIn(each);
      assert.equal((await each.post("/sign-in/code", { code: "000000" })).status, 401);
    }
    const held = await each.post("/sign-in/code", { code: recoveryCodes[0] ?? "" });
    assert.deepEqual([held.status, held.headers.get("retry-after")], [429, "5"]);
    assert.match(held.text, /Try again in 5 seconds\./);
  }
  // All known browsers wait together.
  await startSignIn(phone);
  assert.equal((await phone.post("/sign-in/code", { code: "000000" })).status, 429);
});

test("accepts each recovery code once, also from two browsers at the same moment, and stores only hashes", async (t) => {
  const { guest, recoveryCodes, world, organization } = await withSecondFactor(t);
  const [first = "", second = ""] = recoveryCodes;
  for (const each of recoveryCodes) assert.deepEqual(await placesWith(world, each), []);
  const browsers = [guest(), guest()];
  for (const each of browsers) await startSignIn(each);
  const answers = await Promise.all(browsers.map((each) => each.post("/sign-in/code", { code: first })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
  const used = answers.find(({ status }) => status === 303);
  assert.equal(used?.notice, "You used a recovery code. 9 are left.");
  const ada = guest();
  await startSignIn(ada);
  const spaced = second.toUpperCase().replaceAll("-", " ");
  assert.equal((await ada.post("/sign-in/code", { code: spaced })).status, 303);
  assert.match((await ada.get(page)).text, /8 codes are left\./);
  const fresh = await submit(ada, page, { action: "codes", password });
  const [newCode = ""] = recoveryCodesOn(fresh.text);
  assert.equal((await submit(ada, page, { action: "off", password_off: "wrong" })).status, 400);
  await ada.signOut();
  const next = guest();
  await startSignIn(next);
  assert.equal((await next.post("/sign-in/code", { code: recoveryCodes[2] ?? "" })).status, 401, "replaced");
  assert.equal((await next.post("/sign-in/code", { code: newCode })).status, 303);
  assert.equal((await submit(next, page, { action: "off", password_off: password })).status, 303);
  await next.signOut();
  assert.equal((await next.signIn(email, password)).location, "/");
  const entries = (await actionsOf(world, organization.id))
    .filter((each) => each.includes("second-factor"))
    .map((each) => each.replace(`${email}, second-factor.`, ""));
  assert.deepEqual(entries, [
    ...[`delete, ${email}`, "recover, 9 left", `codes, ${email}`],
    ...["recover, 8 left", "recover, 9 left", `add, ${email}`],
  ]);
});

sqliteTest("asks for the code after choosing a new password with a link", async (t) => {
  const given = await withSecondFactor(t);
  const { guest, code } = given;
  const { path: link } = await invite(given, given.user);
  const ada = guest();
  await ada.get(link);
  const changed = "ten red cars drive";
  const chosen = await ada.post(link, { new_password: changed, again: changed });
  assert.deepEqual([chosen.status, chosen.location], [303, "/sign-in/code"]);
  assert.equal(ada.cookies.has("ea_session"), false);
  assert.equal((await ada.post("/sign-in/code", { code: code() })).status, 303);
  assert.equal((await ada.get("/settings/account")).status, 200);
});

sqliteTest("waits five minutes for the code, for the user and the password that were entered", async (t) => {
  const { guest, code, world, user, signIn } = await withSecondFactor(t);
  const refused = async (ada: GuestClient, what: string) => {
    const answer = await ada.post("/sign-in/code", { code: code() });
    assert.deepEqual([answer.status, answer.location], [303, "/sign-in"], what);
    assert.equal(ada.cookies.has("ea_session"), false);
  };
  const none = guest();
  await none.get("/sign-in");
  await refused(none, "no password");
  assert.equal((await none.get("/sign-in/code")).location, "/sign-in");
  const ada = guest();
  await startSignIn(ada);
  const pending = ada.cookies.get("ea_second_factor") ?? "";
  assert.equal((await ada.post("/sign-in/code", { code: code(), form_token: "x" })).status, 403);
  const evil = { origin: "https://evil.example" };
  assert.equal((await ada.post("/sign-in/code", { code: code() }, evil)).status, 403);
  const other = await signIn("admin");
  for (const forged of [
    pending.replace(/^1\.\d+/, `1.${other.user.id}`),
    pending.replace(/\.(\d+)\.([^.]+)$/, (_, until, signature) => `.${Number(until) + 1}.${signature}`),
    pending.slice(0, -1),
    "1.1.9999999999999.x",
  ]) {
    none.cookies.set("ea_second_factor", forged);
    await refused(none, forged);
    await none.get("/sign-in");
  }
  world.clock.now += 5 * minuteMs;
  await refused(ada, "too late");
  await startSignIn(ada);
  await givePassword({ world }, user, "another one here");
  await refused(ada, "another password");
});

test("resets the second factor of others as an admin and on the command line, and ends their sessions", async (t) => {
  const { guest, world, user, organization, signIn } = await withSecondFactor(t);
  const people = "/settings/people";
  const admin = await signIn("admin");
  const fields = { user: String(user.id) };
  const { organization: globex } = await world.addOrganization({ name: "Globex" });
  const hank = await signIn("admin", { email: "hank@globex.example", organization: globex });
  assert.equal((await hank.post(people, "reset-second-factor", fields)).status, 404);
  const own = await admin.post(people, "reset-second-factor", { user: String(admin.user.id) });
  assert.equal(own.status, 409);
  await startSignIn(guest());
  const session = await world.database.transactionOf(user.organizationId, (scope) =>
    addSession(scope, user, { client: "x", now: world.clock.now }),
  );
  assert.match(await admin.read(people), /with a second factor[\s\S]*Reset second factor/);
  assert.equal((await admin.post(people, "reset-second-factor", fields)).status, 303);
  assert.doesNotMatch(await admin.read(people), /second factor/);
  const ada = guest();
  ada.cookies.set("ea_session", session);
  assert.equal((await ada.get("/settings/account")).status, 303);
  assert.equal((await guest().signIn(email, password)).location, "/");
  const change = ["user", "change", "--organization", "1", "--id", email, "--reset-second-factor"];
  const { exitCode, stdout } = await run(world.databaseUrl, change);
  assert.deepEqual([exitCode, stdout], [0, `Changed user ${user.id}: ${email} is a viewer.\n`]);
  const resets = (await actionsOf(world, organization.id)).filter((each) => each.includes("factor.reset"));
  assert.deepEqual(resets, [
    `command line, second-factor.reset, ${email}`,
    `admin-1@example.com, second-factor.reset, ${email}`,
  ]);
});
