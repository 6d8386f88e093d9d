// What is remembered between requests saves work, and never shows: pages, and the timelines they come from.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { encodeBody } from "../../../src/http/api/content-encoding.ts";
import { type CachedResponse, ResponseCache } from "../../../src/http/api/response-cache.ts";
import { deleteApiKey, listApiKeys } from "../../../src/storage/api-keys.ts";
import type { Database } from "../../../src/storage/database.ts";
import { campaign, makeWorld, present, serve } from "../../support/world.ts";

/** A service on a database whose single statements are counted: one for a key, one for the records of a page. */
async function counted(test: TestContext, pageBytes = 10_000_000) {
  const world = await makeWorld(test);
  let looks = 0;
  const database: Database = {
    ...world.database,
    query(work) {
      looks += 1;
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
    const before = looks;
    const answer = await service.get(`/data_api/v1/emails${query}`, { key, headers });
    return { answer, looks: looks - before };
  };
  await get("?page=7"); // which reads the timeline
  return { world, organization, get };
}

test("a page that is remembered is sent again without its records being read", async (t) => {
  const { get } = await counted(t);
  for (const headers of [{}, { "accept-encoding": "br" }]) {
    const first = await get("?per_page=20", headers);
    const second = await get("?per_page=20", headers);
    const third = await get("?per_page=20", headers);
    assert.deepEqual([first.looks, second.looks, third.looks], [2, 2, 1], "it is remembered the second time");
    assert.equal(third.answer.text, first.answer.text);
    const names = ["etag", "link", "vary", "cache-control", "content-type", "content-encoding"];
    for (const name of names) {
      assert.equal(third.answer.headers.get(name), first.answer.headers.get(name), name);
    }
  }
});

test("without memory for pages each is read, and reads the same", async (t) => {
  const { get } = await counted(t, 0);
  const answers = [await get("?per_page=20"), await get("?per_page=20"), await get("?per_page=20")];
  assert.deepEqual(
    answers.map(({ looks }) => looks),
    [2, 2, 2],
  );
  assert.equal(new Set(answers.map(({ answer }) => answer.text)).size, 1);
});

test("304 is answered before any record is read, also for a page that nobody remembers", async (t) => {
  for (const bytes of [0, 10_000_000]) {
    const { get } = await counted(t, bytes);
    const { answer } = await get("?page=2");
    const again = await get("?page=2", { "if-none-match": answer.headers.get("etag") ?? "" });
    assert.deepEqual([again.answer.status, again.looks], [304, 1]);
    assert.equal(again.answer.headers.get("etag"), answer.headers.get("etag"));
  }
});

test("a campaign whose time comes is in the next answer, though nothing has changed", async (t) => {
  const { world, organization, get } = await counted(t);
  await world.save(organization, [campaign({ id: 99, sentAt: present + 10_000 })]);
  const totalOf = async () => (await get("")).answer.body.meta.total_entries;
  assert.deepEqual([await totalOf(), await totalOf(), await totalOf()], [30, 30, 30]);
  world.clock.now += 9_999;
  assert.equal(await totalOf(), 30);
  world.clock.now += 1;
  assert.equal(await totalOf(), 31);
  world.clock.now -= 1;
  assert.equal(await totalOf(), 30, "and a clock that is set back takes it away again");
});

test("a page that is remembered is no way in for a key that was deleted", async (t) => {
  const { world, organization, get } = await counted(t);
  for (const looks of [2, 2, 1]) assert.equal((await get("")).looks, looks);
  assert.equal((await get("")).looks, 1, "the key is looked up each time");
  const [own] = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  await world.database.transaction((queries) => deleteApiKey(queries, organization.id, own?.id ?? 0));
  assert.equal((await get("")).answer.status, 401);
});

const page = (size: number): CachedResponse => ({
  revision: 1,
  from: 0,
  until: 100,
  etag: "e",
  headers: {},
  body: Buffer.alloc(size),
});

function keep(pages: ResponseCache, name: string, given: CachedResponse): void {
  pages.offer(name, given);
  pages.offer(name, given);
}

test("pages take no more memory than they may, and those that were asked for least recently go first", () => {
  const pages = new ResponseCache(10_000);
  for (const name of ["a", "b", "c"]) keep(pages, name, page(2_000));
  assert.ok(pages.find("a", 1, 50));
  keep(pages, "d", page(2_000));
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => pages.find(name, 1, 50) !== undefined),
    [true, false, true, true],
  );
  keep(pages, "too large", page(10_000));
  assert.equal(pages.find("too large", 1, 50), undefined);
  for (let size = 0; size < 3_000; size++) keep(pages, "again and again", page(size));
  assert.ok(pages.bytes <= 10_000, String(pages.bytes));
  assert.ok(pages.find("a", 1, 50) ?? pages.find("c", 1, 50) ?? pages.find("d", 1, 50));
  for (let number = 0; number < 1_000; number++) pages.offer(`once ${number}`, page(9_000));
  assert.ok(pages.bytes <= 10_000, String(pages.bytes));
});

test("a pull of everything does not push out what is asked for again and again", () => {
  const pages = new ResponseCache(1_000_000);
  keep(pages, "of a dashboard", page(50_000));
  for (let number = 0; number < 500; number++) pages.offer(`page ${number}`, page(80_000));
  assert.ok(pages.find("of a dashboard", 1, 50));
});

test("a page holds for its revision and for its time only", () => {
  const pages = new ResponseCache(10_000);
  keep(pages, "a", { ...page(10), revision: 5, from: 20, until: 30 });
  const found = (revision: number, now: number) => pages.find("a", revision, now) !== undefined;
  assert.deepEqual([found(5, 20), found(5, 29)], [true, true]);
  assert.deepEqual([found(4, 25), found(6, 25), found(5, 19), found(5, 30)], [false, false, false, false]);
});

test("what is remembered takes its own memory only, not that of the block in which it was packed", async () => {
  const pages = new ResponseCache(4_000_000);
  const packed = async (number: number) =>
    (await encodeBody(JSON.stringify({ number, text: "x".repeat(8_000) }), "br")).body;
  keep(pages, "first", { ...page(0), body: await packed(0) });
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 1; number <= 500; number++) {
    const body = await packed(number);
    for (let times = 0; times < 2; times++) pages.offer(String(number), { ...page(0), body });
    const kept = pages.find(String(number), 1, 50)?.body as Buffer;
    assert.equal(kept.buffer.byteLength, kept.byteLength);
    assert.deepEqual(kept, body);
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 40_000_000);
});

test("a timeline that is mistaken is read anew: somebody has changed campaigns who knows nothing of timelines", async (t) => {
  const { world, organization, get } = await counted(t, 0);
  assert.equal((await get("?per_page=100")).answer.body.meta.total_entries, 30);
  await world.database.transaction((queries) =>
    queries
      .deleteFrom("campaigns")
      .where("organization_id", "=", organization.id)
      .where("id", "=", 5)
      .execute(),
  );
  const { status, body } = (await get("?per_page=100")).answer;
  assert.deepEqual([status, body.meta.total_entries, body.emails.length], [200, 29, 29]);
});
