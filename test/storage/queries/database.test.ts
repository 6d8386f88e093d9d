// Behavior that both databases share: transactions, snapshots, migrations and ids.

import assert from "node:assert/strict";
import test from "node:test";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { addOrganization, listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import { addTag } from "../../../src/storage/organizations/tags.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { removeTag } from "../../support/change-tag.ts";
import { makeWorld, present } from "../../support/world.ts";

test("a transaction rolls back when its work throws", async (t) => {
  const { database } = await makeWorld(t);
  const failing = database.transaction(async (queries) => {
    await addOrganization(queries, { name: "half", timeZone: "UTC", now: present });
    throw new Error("no more");
  });
  await assert.rejects(failing, /no more/);
  assert.deepEqual(await database.snapshot(listOrganizations), []);
});

test("a snapshot does not see what other transactions write meanwhile", async (t) => {
  const { database, addOrganization: add } = await makeWorld(t);
  await add({ name: "before" });
  const [first, second] = await database.snapshot(async (queries) => {
    const seen = await listOrganizations(queries);
    await add({ name: "meanwhile" });
    return [seen, await listOrganizations(queries)];
  });
  assert.deepEqual(second, first);
  assert.equal((await database.snapshot(listOrganizations)).length, 2);
});

test("a migrated database can be opened and read while another transaction is writing", async (t) => {
  const { database, databaseUrl } = await makeWorld(t);
  await database.transaction(async (queries) => {
    await addOrganization(queries, { name: "half", timeZone: "UTC", now: present });
    const other = await openDatabase(databaseUrl);
    assert.deepEqual(await other.snapshot(listOrganizations), []);
    await other.close();
  });
});

test("ids are unique over all organizations and are not reused after a deletion", async (t) => {
  const { database, addOrganization: add } = await makeWorld(t);
  const [one, two] = [(await add()).organization.id, (await add()).organization.id];
  const tag = (organizationId: number, name: string) =>
    database.transaction((queries) => addTag(new Scope(queries, organizationId), { name, color: "#000000" }));
  const first = await tag(one, "a");
  const second = await tag(two, "a");
  assert.notEqual(first.id, second.id);
  await database.transaction((queries) =>
    removeTag(queries, { organizationId: two, id: second.id, now: present }),
  );
  assert.ok((await tag(one, "b")).id > second.id);
});

test("rows are found by lists of texts and numbers, and lists of bytes do not compile", async (t) => {
  const { database, addOrganization: add } = await makeWorld(t);
  const { id } = (await add()).organization;
  const found = await database.transaction(async (queries) => {
    const scope = new Scope(queries, id);
    const tags = [await addTag(scope, { name: "ä\u0301 '\"", color: "#000000" })];
    for (const name of ["b", "c"]) tags.push(await addTag(scope, { name, color: "#FFFFFF" }));
    const ids = tags.map((tag) => tag.id);
    // @ts-expect-error SQLite would find none.
    const bytes = () => scope.countRows("event_ids", { id: [Buffer.alloc(16)] });
    assert.ok(bytes);
    return [
      await scope.countRows("tags", { id: ids.slice(1) }),
      await scope.countRows("tags", { name: ["ä\u0301 '\"", "b", "d"] }),
      await scope.countRows("tags", { id: ids, color: "#FFFFFF" }),
      await scope.countRows("tags", { id: [] }),
    ];
  });
  assert.deepEqual(found, [2, 2, 2, 0]);
});
