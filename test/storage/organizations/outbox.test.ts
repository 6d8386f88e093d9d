// The outbox: what is due, what one process may send, and what did not arrive.

import assert from "node:assert/strict";
import test from "node:test";
import {
  addToOutbox,
  claimMail,
  deleteOldMail,
  dropMail,
  findDueMail,
  findOrganizationsWithDueMail,
  listUndelivered,
  measureOutbox,
  settleMail,
} from "../../../src/storage/organizations/outbox.ts";
import type { Scope } from "../../../src/storage/queries/scope.ts";
import { makeAcme, present } from "../../support/world.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

test("returns what is due to one process, once, and lists what did not arrive", async (t) => {
  const { world, organization } = await makeAcme(t);
  const other = (await world.addOrganization()).organization;
  const mail = (about: string) => ({ kind: "results", about, recipient: "slack" }) as const;
  const write = <Result>(work: (scope: Scope) => Promise<Result>, { id } = organization) =>
    world.database.transactionOf(id, work);
  const dueAt = async (now: number, limit = 10) =>
    (await write((scope) => findDueMail(scope, now, { limit }))).map(({ about }) => about);
  const add = (
    keys: Parameters<typeof addToOutbox>[1],
    times: Parameters<typeof addToOutbox>[2],
    of = organization,
  ) => write((scope) => addToOutbox(scope, keys, times), of);

  await add([], { now: present });
  await add([mail("late"), mail("refused")], { now: present, dueAt: present + 2 });
  await add([mail("first"), mail("gone")], { now: present });
  await add([mail("of another")], { now: present }, other);
  assert.deepEqual(await dueAt(present - 1), []);
  assert.deepEqual(await dueAt(present), ["first", "gone"]);
  assert.deepEqual(await dueAt(present + 2), ["first", "gone", "late", "refused"]);
  assert.deepEqual(await dueAt(present + 2, 1), ["first"]);
  const organizations = (now: number) =>
    world.database.transaction((queries) => findOrganizationsWithDueMail(queries, now));
  assert.deepEqual(await organizations(present - 1), []);
  assert.deepEqual((await organizations(present)).sort(), [organization.id, other.id]);

  const claim = (about: string, now: number) => write((scope) => claimMail(scope, mail(about), now));
  assert.deepEqual([await claim("first", present), await claim("first", present)], [true, false]);
  await write((scope) => settleMail(scope, mail("first"), { state: "sent", now: present }));
  await add([mail("first")], { now: present + 1 });
  await write((scope) => dropMail(scope, mail("first")));
  await write((scope) => dropMail(scope, mail("gone")));
  assert.deepEqual(await dueAt(present + 2), ["late", "refused"]);
  assert.equal(await claim("late", present), true);
  const later = { state: "pending", now: present, attempts: 1, dueAt: present + minuteMs } as const;
  await write((scope) => settleMail(scope, mail("late"), later));
  assert.deepEqual(await dueAt(present + minuteMs - 1), ["refused"]);
  const [, again] = await write((scope) => findDueMail(scope, present + minuteMs, { limit: 10 }));
  assert.deepEqual(again, { ...mail("late"), attempts: 1, createdAt: present });

  const failed = { state: "failed", now: present + 5, problem: "550 no such user" } as const;
  await write((scope) => settleMail(scope, mail("refused"), failed));
  await claim("late", present + minuteMs);
  const undelivered = async (now: number) => {
    const rows = await write((scope) => listUndelivered(scope, now, 10));
    return [
      rows.map(({ about, problem }) => [about, problem]),
      await world.database.transaction((queries) => measureOutbox(queries, now)),
    ];
  };
  const refused = ["refused", "550 no such user"];
  assert.deepEqual(await undelivered(present + 11 * minuteMs), [[refused], { undelivered: 1, pending: 1 }]);
  assert.deepEqual(await undelivered(present + 11 * minuteMs + 1), [
    [["late", null], refused],
    { undelivered: 2, pending: 1 },
  ]);
  const [newest] = await write((scope) => listUndelivered(scope, present + dayMs, 1));
  assert.equal(newest?.about, "late");

  const countRows = () =>
    world.database.transaction(
      async (queries) => (await queries.selectFrom("outbox").select("about").execute()).length,
    );
  await write((scope) => deleteOldMail(scope, present + 60 * dayMs));
  assert.equal(await countRows(), 4);
  await write((scope) => deleteOldMail(scope, present + 60 * dayMs + 1));
  assert.equal(await countRows(), 1, "those of another organization stay");
});
