// Adding and removing passkeys: what the service refuses. The browser's part is in sign-in/passkeys.browser.sqlite.test.ts.

import assert from "node:assert/strict";
import test from "node:test";
import { minuteMs } from "../../../../../src/campaign/calendar/durations.ts";
import { listPasskeys } from "../../../../../src/storage/users/passkeys.ts";
import { clearPassword } from "../../../../../src/storage/users/passwords.ts";
import { givePassword } from "../../../../support/guest.ts";
import { assertPage } from "../../../../support/pages.ts";
import { createPasskey } from "../../../../support/passkey.ts";
import { sqliteTest } from "../../../../support/sqlite-test.ts";
import { makeWebWorld, requestPage } from "../../../../support/web-world.ts";

const path = "/settings/account/passkeys";
const origin = "http://localhost";
const password = "nine green ships sail";
const name = "Phone <b>";

test("adds a passkey only with the password, in time, once, in the same session, and removes only one's own", async (t) => {
  const web = await makeWebWorld(t, { publicUrl: () => origin });
  const { world, service } = web;
  const [ada, bob] = [await web.signIn("viewer"), await web.signIn("admin")];
  await givePassword(web, ada.user, password);
  const list = () =>
    world.database.queryOf(ada.user.organizationId, (scope) => listPasskeys(scope, ada.user));
  assert.equal((await ada.post(path, "start", { name, password: "wrong" })).status, 400);
  assert.equal((await ada.post(path, "start", { name: "", password })).status, 400);
  const begin = async () => (await ada.post(path, "start", { name, password })).text;
  const refuses = async (client: typeof ada, credential: string, what: string) => {
    const page = await client.post(path, "add", { name, credential });
    assertPage(page, 400, /The passkey was not accepted, or more than five minutes have passed\./, what);
  };
  const late = createPasskey(await begin(), origin);
  world.clock.now += 5 * minuteMs;
  await refuses(ada, late, "late");
  await refuses(ada, createPasskey(await begin(), "http://evil.example"), "another origin");
  await refuses(ada, createPasskey("", origin), "no challenge");
  await refuses(ada, "{", "no credential");
  const credential = createPasskey(await begin(), origin);
  await refuses(bob, credential, "another session");
  const fields = { action: "add", name, credential };
  assert.equal((await requestPage(service.url + path, { cookie: ada.cookie, fields })).status, 403);
  assert.equal((await ada.post(path, "add", { name, credential })).status, 303);
  await refuses(ada, credential, "repeated");
  const challenge = await begin();
  const twice = [createPasskey(challenge, origin), createPasskey(challenge, origin)];
  world.clock.now += 1;
  await refuses(ada, twice[0] ?? "", "of the moment at which another one was added");
  const next = await begin();
  const [one, other] = [createPasskey(next, origin), createPasskey(next, origin)];
  assert.equal((await ada.post(path, "add", { name: "Laptop", credential: one })).status, 303);
  await refuses(ada, other, "the second of one challenge");
  const shown = await ada.get(path);
  assert.match(shown.text, /<th scope="row" class="text">Phone &lt;b&gt;<\/th>[\s\S]*not used yet/);

  const [passkey] = await list();
  const { organization: globex } = await world.addOrganization({ name: "Globex" });
  const hank = await web.signIn("admin", { email: "hank@globex.example", organization: globex });
  for (const other of [bob, hank]) {
    assert.doesNotMatch(await other.read(path), /Phone/);
    assert.equal((await other.post(path, "remove", { passkey: passkey?.id ?? "" })).status, 404);
  }
  const removed = { passkey: passkey?.id ?? "" };
  for (const password of [{}, { [`password_${passkey?.id}`]: "wrong" }]) {
    assert.equal((await ada.post(path, "remove", { ...removed, ...password })).status, 400);
  }
  const right = { ...removed, [`password_${passkey?.id}`]: password };
  assert.equal((await ada.post(path, "remove", right)).status, 303);
  // Without a password, signing in a moment ago confirms the user.
  const remains = await list();
  await world.database.transactionOf(ada.user.organizationId, (scope) => clearPassword(scope, ada.user));
  world.clock.now += 10 * minuteMs;
  for (const [action, fields] of [
    ["start", { name }],
    ["remove", { passkey: remains[0]?.id ?? "" }],
  ] as const) {
    assertPage(await ada.post(path, action, fields), 403, /sign out and sign in again/);
  }
  assert.equal(remains.length, 1);
  // Resetting the password also removes passkeys: someone else may have added one.
  await bob.post("/settings/people", "reset", { user: String(ada.user.id) });
  assert.deepEqual(await list(), []);
});

sqliteTest("offers no passkeys where the service has no host name", async (t) => {
  const web = await makeWebWorld(t, { publicUrl: () => "http://127.0.0.1" });
  const ada = await web.signIn("viewer");
  assert.match(await ada.read(path), /Passkeys need a service with a host name/);
  assert.equal((await ada.post(path, "start", { name })).status, 409);
  assert.doesNotMatch((await requestPage(`${web.service.url}/sign-in`)).text, /data-passkey/);
  assert.equal((await requestPage(`${web.service.url}/sign-in/passkey`)).status, 404);
});
