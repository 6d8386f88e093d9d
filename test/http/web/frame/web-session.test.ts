// Sessions of the web application: how long they last, and that each action checks them again.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Role } from "../../../../src/access/role.ts";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { AppError } from "../../../../src/errors.ts";
import type { WebSession } from "../../../../src/http/web/frame/page.ts";
import type { WebContext } from "../../../../src/http/web/frame/web-context.ts";
import { asActor } from "../../../../src/http/web/frame/web-session.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { deleteSession, findSession, listSessions } from "../../../../src/storage/users/sessions.ts";
import { saveUser } from "../../../../src/storage/users/users.ts";
import { makeWebWorld, type WebWorld } from "../../../support/web-world.ts";
import { present } from "../../../support/world.ts";

const lastSeen = async ({ world, organization }: WebWorld) => {
  const [session] = await world.database.snapshotOf(organization.id, (scope) => listSessions(scope, 0));
  return session?.lastSeenAt;
};

test("ends a session seven days after its last use, and thirty days after sign-in", async (t) => {
  const web = await makeWebWorld(t);
  const { clock } = web.world;
  const [used, unused] = [await web.signIn("viewer"), await web.signIn("viewer")];
  const statusOf = async (client: typeof used) => (await client.get("/settings/account")).status;
  for (let day = 6; day < 30; day += 6) {
    clock.now = present + day * dayMs;
    assert.equal(await statusOf(used), 200, `day ${day}`);
    // The page does not wait until its use is recorded.
    while ((await lastSeen(web)) !== clock.now) await pause(5);
  }
  assert.equal(await statusOf(unused), 303);
  clock.now = present + 30 * dayMs - 1;
  assert.equal(await statusOf(used), 200);
  clock.now = present + 30 * dayMs;
  assert.equal(await statusOf(used), 303);
});

test("records the use of a session once an hour", async (t) => {
  let writes = 0;
  const web = await makeWebWorld(t);
  const { database, clock } = web.world;
  const session = await web.signIn("viewer");
  const { transaction } = database;
  database.transaction = (...given) => {
    writes += 1;
    return transaction(...given);
  };
  clock.now = present + hourMs - 1;
  await session.get("/settings/account");
  assert.equal(writes, 0);
  clock.now = present + hourMs;
  await session.get("/settings/account");
  while ((await lastSeen(web)) !== clock.now) await pause(5);
  await session.get("/settings/account");
  assert.equal(writes, 1);
});

/** What a session may do that was found before, with the role that an action needs. */
async function foundSession(web: WebWorld, role: Role) {
  const { database, clock } = web.world;
  const { secret, user } = await web.signIn(role);
  const found = await database.query((queries) => findSession(queries, secret, clock.now));
  assert.ok(found);
  const { organization, session } = found;
  const known = { organization, user, hash: session.hash, ...locales.en } as WebSession;
  const context = { database, now: () => clock.now } as WebContext;
  return { user, hash: session.hash, actor: (needed: Role) => asActor(known, context, needed) };
}

const isForbidden = (message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === "forbidden" && message.test(error.message);

test("refuses an action if the role has changed or the session has ended since the request began", async (t) => {
  const web = await makeWebWorld(t);
  const { database } = web.world;
  const { user, hash, actor } = await foundSession(web, "admin");
  await web.signIn("admin");
  const [first, second] = [actor("admin"), actor("admin")];
  const unreachable = async () => assert.fail("the action must not run");
  assert.equal(await first.transaction(async () => "done"), "done");
  await database.transactionOf(user.organizationId, (scope) => saveUser(scope, user, { role: "viewer" }));
  await assert.rejects(first.transaction(unreachable), isForbidden(/Admin/));
  await database.transactionOf(user.organizationId, (scope) => saveUser(scope, user, { role: "admin" }));
  assert.equal(await first.transaction(async () => "done"), "done");
  await database.transactionOf(user.organizationId, (scope) => deleteSession(scope, hash));
  await assert.rejects(second.transaction(unreachable), isForbidden(/session/i));
});
