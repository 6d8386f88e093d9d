// API keys that expire, are replaced and are deleted while others read with them: no request is refused that should pass,
// and none passes that should be refused.

import assert from "node:assert/strict";
import test from "node:test";
import type { KeyScope } from "../../src/access/api-key.ts";
import { addApiKey, deleteApiKey, listApiKeys, rollApiKey } from "../../src/storage/keys/api-keys.ts";
import { Random } from "../support/histories.ts";
import { randomCases, report } from "../support/random-cases.ts";
import { campaign, makeWorld, region, serve } from "../support/world.ts";

/** Requests at a time, after each change. */
const load = 20;
/** Changes of keys. */
const trials = randomCases(100, 10_000);

interface KnownKey {
  id: number;
  text: string;
  scope: KeyScope;
  createdAt: number;
  /** Infinity if it does not expire. */
  expiresAt: number;
  isDeleted: boolean;
}

test("keys work until they expire, are replaced or deleted, to the millisecond and under load", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const service = await serve(t, world);
  const random = new Random(trials);
  const keys: KnownKey[] = [];
  const lifetime = () => random.pick([1, 1_000, 60_000, 3_600_000, Infinity, Infinity]);

  const add = async () => {
    const [scope, now] = [random.pick(["read", "ingest"] as const), world.clock.now];
    const expiresAt = now + lifetime();
    const given = { name: `key ${keys.length}`, scope, region, now };
    const added = await world.database.transactionOf(organization.id, (of) =>
      addApiKey(of, { ...given, expiresAt: expiresAt === Infinity ? null : expiresAt }),
    );
    keys.push({ ...added, scope, createdAt: now, expiresAt, isDeleted: false });
  };
  const roll = async () => {
    const key = random.pick(keys);
    const now = world.clock.now;
    if (key.isDeleted || key.expiresAt <= now) return;
    const overlapMs = lifetime();
    const { id, text } = await world.database.transactionOf(organization.id, async (of) => {
      const stored = (await listApiKeys(of)).find((each) => each.id === key.id);
      assert.ok(stored);
      return rollApiKey(of, stored, { region, overlapMs: Math.min(overlapMs, 2 ** 40), now });
    });
    const expiresAt = key.expiresAt === Infinity ? Infinity : now + key.expiresAt - key.createdAt;
    keys.push({ id, text, scope: key.scope, createdAt: now, expiresAt, isDeleted: false });
    key.expiresAt = Math.min(key.expiresAt, now + Math.min(overlapMs, 2 ** 40));
  };
  const remove = async () => {
    const key = random.pick(keys);
    await world.database.transactionOf(organization.id, (of) => deleteApiKey(of, key.id));
    key.isDeleted = true;
  };

  await add();
  const seen: Record<number, number> = {};
  for (let trial = 0; trial < trials; trial += 1) {
    await random.pick([add, roll, roll, remove])();
    const soon = keys.filter(({ expiresAt }) => expiresAt > world.clock.now && expiresAt < Infinity);
    const moments = soon.flatMap(({ expiresAt }) => [expiresAt - 1, expiresAt]);
    if (moments.length > 0) world.clock.now = Math.max(world.clock.now, random.pick(moments));
    const now = world.clock.now;
    const requests = Array.from({ length: load }, async () => {
      const key = random.pick(keys.slice(-8));
      const works = !key.isDeleted && now < key.expiresAt;
      const { status, body } = await service.get("/data_api/v1/emails", { key: key.text });
      const expected = !works ? 401 : key.scope === "read" ? 200 : 403;
      assert.equal(status, expected, JSON.stringify({ ...key, now, body }));
      seen[status] = (seen[status] ?? 0) + 1;
    });
    await Promise.all(requests);
  }
  assert.deepEqual(Object.keys(seen), ["200", "401", "403"]);
  report(`${trials} changes of keys, ${trials * load} requests: ${JSON.stringify(seen)}`);
});
