// Parts of a Parquet file by range: one state, its conditions, and what readers save.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { request as startRequest } from "node:http";
import test, { after } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { deleteApiKey, listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { requestDownload } from "../../support/downloads.ts";
import { Random } from "../../support/histories.ts";
import { keptFolder, letKeptFilesAge, withKeptFilesIn } from "../../support/kept-files.ts";
import { startServer } from "../../support/start-server.ts";
import { campaign, makeFolder, makeWorld, present, serve } from "../../support/world.ts";

const world = await makeWorld({ after });
const temporaryFolder = makeFolder({ after });
const service = await withKeptFilesIn(temporaryFolder, () => serve({ after }, world));
const url = `${service.url}/data_api/v1/emails.parquet`;
const minute = 60_000;

const random = new Random(3);

async function given(campaigns: number) {
  const { organization, key } = await world.addOrganization();
  const save = (subject: string) =>
    world.save(
      organization,
      Array.from({ length: campaigns }, (_, index) =>
        campaign({
          ...{ id: index + 1, sentAt: present - (index + 1) * minute },
          // Different in each, as those of real campaigns: equal values take no room.
          subject: `${subject}: number ${random.between(0, 1e9)} of ${random.between(0, 1e9)}`,
          recipientCount: random.between(50, 3_000),
          metrics: {
            ...{
              open_rate: random.between(0, 10_000) / 10_000,
              click_rate: random.between(0, 10_000) / 10_000,
            },
            ...{ unique_opens: random.between(0, 3_000), unique_clicks: random.between(0, 3_000) },
            ...{ total_opens: random.between(0, 9_000), total_clicks: random.between(0, 9_000) },
            ...{ multiple_opens: random.between(0, 6_000), unopened: random.between(0, 3_000) },
          },
        }),
      ),
    );
  await save("The week in brief");
  const ask = (headers: Record<string, string> = {}, method = "GET") =>
    requestDownload(url, { key, headers, method });
  return { organization, key, ask, change: () => save("A new subject") };
}

test("HEAD has the length and a strong ETag of the bytes that GET sends", async () => {
  const { ask } = await given(50);
  const [head, whole] = [await ask({}, "HEAD"), await ask()];
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  assert.equal(Number(head.headers.get("content-length")), whole.bytes.length);
  assert.match(head.headers.get("etag") ?? "", /^"[\w-]{27}"$/);
  for (const name of ["etag", "accept-ranges", "content-type", "changes-cursor"]) {
    assert.equal(head.headers.get(name), whole.headers.get(name), name);
  }
  assert.equal(head.headers.get("accept-ranges"), "bytes");
  // Who begins again and again keeps one file.
  const files = () => readdirSync(keptFolder(temporaryFolder)).length;
  const before = files();
  for (let times = 0; times < 3; times++) {
    await letKeptFilesAge(temporaryFolder, 11);
    assert.equal((await ask({}, "HEAD")).headers.get("etag"), head.headers.get("etag"));
  }
  assert.equal(files(), before);
});

test("a range is 206 with its bytes, one beyond the file 416, and several or none the whole file", async () => {
  const { ask } = await given(50);
  const { bytes } = await ask();
  const size = bytes.length;
  for (const [range, from, to] of [
    ["bytes=0-0", 0, 1],
    ["bytes=4-99", 4, 100],
    ["bytes=-8", size - 8, size],
    [`bytes=${size - 1}-`, size - 1, size],
    [`bytes=100-${size + 100}`, 100, size],
  ] as const) {
    const part = await ask({ range });
    const expected = [206, `bytes ${from}-${to - 1}/${size}`];
    assert.deepEqual([part.status, part.headers.get("content-range")], expected);
    assert.deepEqual(part.bytes, bytes.slice(from, to));
  }
  for (const range of [`bytes=${size}-`, "bytes=-0"]) {
    const { status, headers } = await ask({ range });
    assert.deepEqual([status, headers.get("content-range")], [416, `bytes */${size}`]);
  }
  for (const range of ["bytes=0-1,5-6", "bytes=5-1", "lines=1-2", "bytes=-"]) {
    const { status, bytes: whole } = await ask({ range });
    assert.deepEqual([status, whole.length], [200, size], range);
  }
});

test("a reader goes on with the state that it began with, and another one that looks like it begins there", async () => {
  const { ask, change } = await given(50);
  const before = (await ask()).bytes;
  const etag = (await ask({}, "HEAD")).headers.get("etag") ?? "";
  await change();
  const part = await ask({ range: "bytes=1-99" });
  assert.deepEqual([part.status, part.headers.get("etag")], [206, etag]);
  assert.deepEqual(part.bytes, before.slice(1, 100));
  const named = await ask({ range: "bytes=100-199", "if-range": etag });
  assert.deepEqual([named.status, named.bytes], [206, before.slice(100, 200)]);
  const etagsOf = async (begin: () => ReturnType<typeof ask>) => (await begin()).headers.get("etag");
  const beginnings = [
    () => ask({}, "HEAD"),
    () => ask({ range: "bytes=-8" }),
    () => ask({ range: "bytes=0-3" }),
  ];
  for (const begin of beginnings) assert.equal(await etagsOf(begin), etag);
  assert.notEqual(await etagsOf(() => ask({ "user-agent": "Other" }, "HEAD")), etag);
  // Ten seconds after its last request, asking for the length or the footer begins again; a part still goes on.
  for (const begin of beginnings.slice(0, 2)) {
    const old = await etagsOf(beginnings[2] as () => ReturnType<typeof ask>);
    await change();
    await letKeptFilesAge(temporaryFolder, 11);
    assert.equal(await etagsOf(() => ask({ range: "bytes=1-3" })), old);
    await letKeptFilesAge(temporaryFolder, 11);
    assert.notEqual(await etagsOf(begin), old);
  }
});

test("readers of a file older than a minute go on, and those that begin wait until they stop", async () => {
  const { ask, change } = await given(50);
  const etag = (await ask({}, "HEAD")).headers.get("etag");
  await change();
  // The file was read 61 seconds ago. After 60 without a request, the server could remove it.
  await letKeptFilesAge(temporaryFolder, 59);
  await ask({ range: "bytes=1-3" });
  await letKeptFilesAge(temporaryFolder, 2);
  const begun = ask({}, "HEAD");
  for (let parts = 0; parts < 3; parts++) {
    assert.equal((await ask({ range: "bytes=1-3" })).headers.get("etag"), etag);
  }
  await letKeptFilesAge(temporaryFolder, 11);
  const next = await begun;
  assert.equal(next.status, 200);
  assert.notEqual(next.headers.get("etag"), etag);
});

test("a part of a file that is no longer kept is never one of another state", async () => {
  const { ask, change } = await given(50);
  const etag = (await ask({}, "HEAD")).headers.get("etag") ?? "";
  await change();
  await letKeptFilesAge(temporaryFolder, 61);
  // What is written next removes the file.
  await ask({ "user-agent": "Other" }, "HEAD");
  for (const condition of [{}, { "if-match": etag }, { "if-match": "*" }]) {
    const refused = await ask({ range: "bytes=1-99", ...condition });
    assert.equal(refused.status, 412);
    assert.match(Buffer.from(refused.bytes).toString(), /"precondition_failed"/);
  }
  const again = await ask({ range: "bytes=1-99", "if-range": etag });
  const whole = await ask();
  assert.deepEqual([again.status, again.headers.get("etag")], [200, whole.headers.get("etag")]);
  assert.deepEqual(again.bytes, whole.bytes);
  for (const ifRange of [`W/${etag}`, "Wed, 01 Jan 2026 00:00:00 GMT"]) {
    assert.equal((await ask({ range: "bytes=1-99", "if-range": ifRange })).status, 200);
  }
  // What has not changed for ten minutes is what every reader began with.
  world.clock.now += 11 * minute;
  const quiet = await ask({ range: "bytes=1-99", "user-agent": "Third" });
  world.clock.now -= 11 * minute;
  assert.deepEqual([quiet.status, quiet.bytes], [206, whole.bytes.slice(1, 100)]);
});

test("a deleted key reads no further part", async () => {
  const { organization, ask } = await given(5);
  await ask({}, "HEAD");
  await world.database.transaction(async (queries) => {
    for (const { id } of await listApiKeys(new Scope(queries, organization.id))) {
      await deleteApiKey(new Scope(queries, organization.id), id);
    }
  });
  assert.equal((await ask({ range: "bytes=0-9" })).status, 401);
});

/** A proxy that adds the key, and counts the bytes of bodies. */
async function countingProxy(key: string) {
  const counted = { bytes: 0, requests: 0 };
  const { url: base } = await startServer({ after }, (incoming, outgoing) => {
    const { host: _host, ...headers } = incoming.headers;
    const { method } = incoming;
    counted.requests += 1;
    startRequest(
      service.url + incoming.url,
      { method: method ?? "GET", headers: { ...headers, authorization: `Bearer ${key}` } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.on("data", (piece: Buffer) => {
          counted.bytes += piece.length;
        });
        response.pipe(outgoing);
      },
    ).end();
  });
  return { counted, base };
}

test("hyparquet reads two columns, and less than a third of the bytes, of a small file", async () => {
  const { key, ask } = await given(5_000);
  const size = Number((await ask({}, "HEAD")).headers.get("content-length"));
  const { counted, base } = await countingProxy(key);
  const file = await asyncBufferFromUrl({ url: `${base}/data_api/v1/emails.parquet` });
  assert.equal(file.byteLength, size);
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: 8 });
  const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
  const rows = await parquetReadObjects({ file, metadata, columns: ["id", "open_rate"], compressors });
  const { emails } = await service.emails(key, "?per_page=100");
  assert.equal(rows.length, 5_000);
  const expected = emails.map(({ id, open_rate }) => [id, open_rate]);
  const found = rows.slice(0, 100).map(({ id, open_rate }) => [Number(id), open_rate]);
  assert.deepEqual(found, expected);
  const share = counted.bytes / size;
  assert.ok(share < 0.3, `${counted.bytes} of ${size} bytes in ${counted.requests} requests`);
});
