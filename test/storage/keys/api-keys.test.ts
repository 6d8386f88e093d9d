// API keys in the database: every change concerns one key of one organization.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import {
  deleteApiKey,
  findKeyByName,
  listApiKeys,
  recordKeyUse,
  rollApiKey,
  type StoredApiKey,
} from "../../../src/storage/keys/api-keys.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { makeAcme, type makeWorld, present, region, type World } from "../../support/world.ts";

const listed = ({ database }: World, organizationId: number): Promise<StoredApiKey[]> =>
  database.snapshot((queries) => listApiKeys(new Scope(queries, organizationId)));

/** Two organizations, each with the keys `test` and `sender`, and those of the first. */
async function makeKeys(t: Parameters<typeof makeWorld>[0]) {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  const [first, second] = (await listed(world, organization.id)) as [StoredApiKey, StoredApiKey];
  const write = <Result>(work: (queries: Queries) => Promise<Result>) => world.database.transaction(work);
  return { world, organization, other, first, second, write };
}

const use = { firstAt: present, lastAt: present, client: "curl/8.5.0" };

test("changes no key of another organization, whose id it is given", async (t) => {
  const { world, organization, other, first, second, write } = await makeKeys(t);
  await write((queries) => recordKeyUse(new Scope(queries, other.id), first.id, use));
  const by = { region, overlapMs: dayMs, now: present };
  await write((queries) => rollApiKey(new Scope(queries, other.id), first, by));
  assert.equal(await write((queries) => deleteApiKey(new Scope(queries, other.id), first.id)), false);
  assert.deepEqual(await listed(world, organization.id), [first, second]);
});

test("replaces, uses and deletes one key, and leaves the others of its organization as they are", async (t) => {
  const { world, organization, first, second, write } = await makeKeys(t);
  await write((queries) => recordKeyUse(new Scope(queries, organization.id), second.id, use));
  const used = {
    ...second,
    firstUsedAt: present,
    firstClient: "curl/8.5.0",
    lastUsedAt: present,
  };
  assert.deepEqual(await listed(world, organization.id), [first, used]);
  const later = present + minuteMs;
  const again = { firstAt: later, lastAt: later, client: "Tableau" };
  await write((queries) => recordKeyUse(new Scope(queries, organization.id), first.id, again));
  const other = {
    ...first,
    firstUsedAt: present + minuteMs,
    firstClient: "Tableau",
    lastUsedAt: present + minuteMs,
  };
  assert.deepEqual(await listed(world, organization.id), [other, used]);

  const by = { region, overlapMs: dayMs, now: present };
  const { id } = await write((queries) => rollApiKey(new Scope(queries, organization.id), used, by));
  const oldKey = { ...used, expiresAt: present + dayMs };
  const added = (await listed(world, organization.id)).at(-1) as StoredApiKey;
  assert.deepEqual([added.id, added.name, added.scope, added.expiresAt], [id, "sender", "ingest", null]);
  assert.deepEqual(await listed(world, organization.id), [other, oldKey, added]);
  assert.equal(await write((queries) => deleteApiKey(new Scope(queries, organization.id), second.id)), true);
  assert.equal(await write((queries) => deleteApiKey(new Scope(queries, organization.id), second.id)), false);
  assert.deepEqual(await listed(world, organization.id), [other, added]);
});

test("a key that is replaced never works longer than before, and the new one as long as the old one did", async (t) => {
  const { organization, first, write } = await makeKeys(t);
  const now = first.createdAt + 8 * dayMs;
  const by = { region, overlapMs: 7 * dayMs, now };
  const roll = async (expiresAt: number | null) => {
    const rolled = await write((queries) =>
      rollApiKey(new Scope(queries, organization.id), { ...first, expiresAt }, by),
    );
    return [rolled.oldExpiresAt, rolled.expiresAt];
  };
  assert.deepEqual(await roll(null), [now + 7 * dayMs, null]);
  assert.deepEqual(await roll(now + dayMs), [now + dayMs, now + 9 * dayMs]);
  assert.deepEqual(await roll(now + 30 * dayMs), [now + 7 * dayMs, now + 38 * dayMs]);
});

test("finds a key by its name in any letter case until it expires, in its organization only", async (t) => {
  const { organization, other, first, write } = await makeKeys(t);
  const by = { region, overlapMs: dayMs, now: present };
  const named = async (organizationId: number, name: string, now: number) =>
    (await write((queries) => findKeyByName(new Scope(queries, organizationId), { name, now })))?.id;
  assert.equal(await named(organization.id, "TEST", present), first.id);
  assert.equal(await named(organization.id, "tes", present), undefined);
  assert.notEqual(await named(other.id, "test", present), first.id);
  const { id } = await write((queries) => rollApiKey(new Scope(queries, organization.id), first, by));
  assert.equal(await named(organization.id, "test", present + dayMs - 1), first.id);
  assert.equal(await named(organization.id, "test", present + dayMs), id);
});
