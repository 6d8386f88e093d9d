// The response cache and the timeline cache save work, and no client can see them.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { encodeBody } from "../../../src/http/api/content-encoding.ts";
import { type CachedResponse, ResponseCache } from "../../../src/http/api/response-cache.ts";
import { deleteApiKey, listApiKeys } from "../../../src/storage/api-keys.ts";
import type { Database } from "../../../src/storage/database.ts";
import { campaign, makeWorld, present, serve } from "../../support/world.ts";

/** A service with a database that counts queries: one for a key, one for the records of a page. */
async function serveCounted(test: TestContext, pageBytes = 10_000_000) {
  const world = await makeWorld(test);
  let queryCount = 0;
  const database: Database = {
    ...world.database,
    query(work) {
      queryCount += 1;
      return world.database.query(work);
    },
  };
  const memory = { pages: pageBytes, timelines: 1_000_000 };
  const service = await serve(test, world, { database, memory });
  const { organization, key } = await world.addOrganization();
  await world.save(
    organization,
    Array.from({ length: 30 }, (_, index) => campaign({ id: index + 1, sentAt: present - index * 1_000 })),
  );
  const get = async (query: string, headers: Record<string, string> = {}) => {
    const before = queryCount;
    const answer = await service.get(`/data_api/v1/emails${query}`, { key, headers });
    return { answer, queryCount: queryCount - before };
  };
  await get("?page=7"); // reads the timeline
  return { world, organization, get };
}

test("sends a cached response without reading its records", async (t) => {
  const { get } = await serveCounted(t);
  for (const headers of [{}, { "accept-encoding": "br" }]) {
    const first = await get("?per_page=20", headers);
    const second = await get("?per_page=20", headers);
    const third = await get("?per_page=20", headers);
    assert.deepEqual(
      [first.queryCount, second.queryCount, third.queryCount],
      [2, 2, 1],
      "it is cached the second time",
    );
    assert.equal(third.answer.text, first.answer.text);
    const names = ["etag", "link", "vary", "cache-control", "content-type", "content-encoding"];
    for (const name of names) {
      assert.equal(third.answer.headers.get(name), first.answer.headers.get(name), name);
    }
  }
});

test("reads the same response every time when the response cache is off", async (t) => {
  const { get } = await serveCounted(t, 0);
  const answers = [await get("?per_page=20"), await get("?per_page=20"), await get("?per_page=20")];
  assert.deepEqual(
    answers.map(({ queryCount }) => queryCount),
    [2, 2, 2],
  );
  assert.equal(new Set(answers.map(({ answer }) => answer.text)).size, 1);
});

test("answers 304 without reading any record, even if the response is not cached", async (t) => {
  for (const bytes of [0, 10_000_000]) {
    const { get } = await serveCounted(t, bytes);
    const { answer } = await get("?page=2");
    const again = await get("?page=2", { "if-none-match": answer.headers.get("etag") ?? "" });
    assert.deepEqual([again.answer.status, again.queryCount], [304, 1]);
    assert.equal(again.answer.headers.get("etag"), answer.headers.get("etag"));
  }
});

test("shows a campaign in the next response once it is sent, though nothing changed", async (t) => {
  const { world, organization, get } = await serveCounted(t);
  await world.save(organization, [campaign({ id: 99, sentAt: present + 10_000 })]);
  const totalOf = async () => (await get("")).answer.body.meta.total_entries;
  assert.deepEqual([await totalOf(), await totalOf(), await totalOf()], [30, 30, 30]);
  world.clock.now += 9_999;
  assert.equal(await totalOf(), 30);
  world.clock.now += 1;
  assert.equal(await totalOf(), 31);
  world.clock.now -= 1;
  assert.equal(await totalOf(), 30, "a clock that is set back hides it again");
});

test("rejects a deleted key though the response is cached", async (t) => {
  const { world, organization, get } = await serveCounted(t);
  for (const queryCount of [2, 2, 1]) assert.equal((await get("")).queryCount, queryCount);
  assert.equal((await get("")).queryCount, 1, "every request queries the key");
  const [own] = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  await world.database.transaction((queries) => deleteApiKey(queries, organization.id, own?.id ?? 0));
  assert.equal((await get("")).answer.status, 401);
});

const response = (size: number): CachedResponse => ({
  revisionId: 1,
  rows: 0,
  from: 0,
  until: 100,
  etag: "e",
  headers: {},
  body: Buffer.alloc(size),
});

function offerTwice(cache: ResponseCache, name: string, given: CachedResponse): void {
  cache.offer(name, given);
  cache.offer(name, given);
}

test("the response cache keeps within its bytes and evicts the least recently used entry (LRU)", () => {
  const cache = new ResponseCache(10_000);
  for (const name of ["a", "b", "c"]) offerTwice(cache, name, response(2_000));
  assert.ok(cache.find("a", 1, 50));
  offerTwice(cache, "d", response(2_000));
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => cache.find(name, 1, 50) !== undefined),
    [true, false, true, true],
  );
  offerTwice(cache, "too large", response(10_000));
  assert.equal(cache.find("too large", 1, 50), undefined);
  for (let size = 0; size < 3_000; size++) offerTwice(cache, "growing", response(size));
  assert.ok(cache.bytes <= 10_000, String(cache.bytes));
  assert.ok(cache.find("a", 1, 50) ?? cache.find("c", 1, 50) ?? cache.find("d", 1, 50));
  for (let number = 0; number < 1_000; number++) cache.offer(`once ${number}`, response(9_000));
  assert.ok(cache.bytes <= 10_000, String(cache.bytes));
});

test("the response cache keeps a popular response when a client pulls every page", () => {
  const cache = new ResponseCache(1_000_000);
  offerTwice(cache, "popular", response(50_000));
  for (let number = 0; number < 500; number++) cache.offer(`page ${number}`, response(80_000));
  assert.ok(cache.find("popular", 1, 50));
});

test("the response cache returns a response only for its revision and its time range", () => {
  const cache = new ResponseCache(10_000);
  offerTwice(cache, "a", { ...response(10), revisionId: 5, from: 20, until: 30 });
  const found = (revisionId: number, now: number) => cache.find("a", revisionId, now) !== undefined;
  assert.deepEqual([found(5, 20), found(5, 29)], [true, true]);
  assert.deepEqual([found(4, 25), found(6, 25), found(5, 19), found(5, 30)], [false, false, false, false]);
});

test("the response cache copies a compressed body out of its larger block", async () => {
  const cache = new ResponseCache(4_000_000);
  const compressed = async (number: number) =>
    (await encodeBody(Buffer.from(JSON.stringify({ number, text: "x".repeat(8_000) })), "br")).body;
  offerTwice(cache, "first", { ...response(0), body: await compressed(0) });
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 1; number <= 500; number++) {
    const body = await compressed(number);
    for (let times = 0; times < 2; times++) cache.offer(String(number), { ...response(0), body });
    const kept = cache.find(String(number), 1, 50)?.body as Buffer;
    assert.equal(kept.buffer.byteLength, kept.byteLength);
    assert.deepEqual(kept, body);
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 40_000_000);
});

test("reads the timeline again when campaigns changed without a new timeline revision", async (t) => {
  const { world, organization, get } = await serveCounted(t, 0);
  assert.equal((await get("?per_page=100")).answer.body.meta.total_entries, 30);
  await world.database.transaction(async (queries) => {
    const { id } = organization;
    await queries.deleteFrom("campaigns").where("organization_id", "=", id).where("id", "=", 5).execute();
    await queries
      .deleteFrom("records")
      .where("organization_id", "=", id)
      .where("campaign_id", "=", 5)
      .execute();
  });
  const { status, body } = (await get("?per_page=100")).answer;
  assert.deepEqual([status, body.meta.total_entries, body.emails.length], [200, 29, 29]);
});
