// The tables are described as they are, and fingerprints detect every difference.

import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { fingerprintTable } from "../../../src/storage/copy/copy-tables.ts";
import { raiseLastIds, readLastIds } from "../../../src/storage/copy/last-ids.ts";
import { isPostgres } from "../../../src/storage/queries/dialect-differences.ts";
import { kindsOf, type TableName, tableNames, tables } from "../../../src/storage/tables/tables.ts";
import { opens, tamper } from "../../support/events.ts";
import { campaign, makeAcme, makeWorld } from "../../support/world.ts";

const kinds: Record<string, string> = {
  bigint: "integer",
  int8: "integer",
  real: "number",
  float8: "number",
  text: "text",
  blob: "bytes",
  bytea: "bytes",
};

test("the described tables have every column and the primary key of every table", async (t) => {
  const { database } = await makeWorld(t);
  const all = await database.snapshot((queries) => queries.introspection.getTables());
  // Citus has tables of its own in other schemas, and views.
  const found = all.filter(({ schema, isView }) => !isView && (schema ?? "public") === "public");
  const names = found.map(({ name }) => name);
  const known = tableNames.filter((name) => name !== "counters" || names.includes(name));
  assert.deepEqual(names.toSorted(), known.toSorted());
  for (const name of known) {
    const columns = found.find((table) => table.name === name)?.columns ?? [];
    const kindsFound = columns.map((column) => [column.name, kinds[column.dataType.toLowerCase()]]);
    assert.deepEqual(Object.fromEntries(kindsFound), kindsOf(name), name);
    const keys = await database.snapshot(async (queries) => {
      const { rows } = isPostgres(queries)
        ? await sql<{ name: string }>`
            select column_name as name from information_schema.key_column_usage
            join information_schema.table_constraints using (constraint_name, table_name)
            where table_name = ${name} and constraint_type = 'PRIMARY KEY' order by ordinal_position`.execute(
            queries,
          )
        : await sql<{ name: string }>`
            select name from pragma_table_info(${name}) where pk > 0 order by pk`.execute(queries);
      return rows.map((row) => row.name);
    });
    assert.deepEqual(keys, tables[name].key, name);
  }
});

test("a fingerprint changes when a value changes or a row is deleted", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, sentFrom: null, team: "" }), campaign({ id: 2 })]);
  await world.register(organization, 3);
  await world.ingest(organization, opens(3, { campaign_id: 3 }));
  const fingerprint = (table: TableName) =>
    world.database.snapshot((queries) => fingerprintTable(queries, table, () => undefined));
  const fingerprints = async () =>
    `${(await fingerprint("campaigns")).sha256} ${(await fingerprint("emails")).sha256}`;
  const seen = new Set([await fingerprints()]);
  for (const statement of [
    "update campaigns set sent_from = '' where id = 1",
    "update campaigns set sent_from = 'null' where id = 1",
    "update campaigns set team = null where id = 1",
    "update campaigns set sent_at = sent_at + 1 where id = 2",
    "update emails set record = record || ' ' where id = 2",
    "delete from campaigns where id = 2",
  ]) {
    await tamper(world, statement);
    const changed = await fingerprints();
    assert.ok(!seen.has(changed), statement);
    seen.add(changed);
  }
  const { rows, sha256 } = await fingerprint("event_ids");
  assert.equal(rows, 3);
  await tamper(world, "delete from event_ids where id in (select id from event_ids limit 1)");
  assert.equal((await fingerprint("event_ids")).rows, 2);
  assert.notEqual((await fingerprint("event_ids")).sha256, sha256);
});

test("raiseLastIds raises the last ids and never lowers them", async (t) => {
  const { database, addOrganization } = await makeWorld(t);
  const none = {
    organizations: 0,
    api_keys: 0,
    tags: 0,
    ledgers: 0,
    users: 0,
    audit_log: 0,
    audience_groups: 0,
  };
  const lastIds = () => database.snapshot(readLastIds);
  assert.deepEqual(await lastIds(), none);
  await addOrganization();
  assert.deepEqual(await lastIds(), { ...none, organizations: 1, api_keys: 2 });
  await database.transaction((queries) => raiseLastIds(queries, { ...none, organizations: 7, tags: 1 }));
  assert.deepEqual(await lastIds(), { ...none, organizations: 7, api_keys: 2, tags: 1 });
  assert.equal((await addOrganization()).organization.id, 8);
});
