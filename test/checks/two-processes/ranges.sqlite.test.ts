// Two readers with one key and program read Parquet files by range from two processes behind a proxy, while the organization
// changes before each request. Each reads all parts from one state. In small, two servers of one process stand for the two.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, request as startRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { keptFolder, letKeptFilesAge, withKeptFilesIn } from "../../support/kept-files.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { startService } from "../../support/service-process.ts";
import { campaign, makeFolder, makeWorld, serve, type World } from "../../support/world.ts";

const rounds = isFullSize ? 6 : 2;
const queriesOfRound = isFullSize ? 5 : 2;
const campaigns = 20;

/** Each campaign has the number of the state in its subject. */
async function makeState(world: World) {
  const { organization, key } = await world.addOrganization();
  let state = 0;
  const change = () => {
    state += 1;
    const subject = `state ${state}`;
    const all = Array.from({ length: campaigns }, (_, index) => campaign({ id: index + 1, subject }));
    return world.save(organization, all);
  };
  await change();
  return { key, change, current: () => state };
}

/** A proxy that sends each request to the next process, adds the key, and waits for a change before. */
async function startProxy(urls: string[], key: string, before: () => Promise<unknown>) {
  let requests = 0;
  let changed: Promise<unknown> = Promise.resolve();
  const proxy = createServer(async (incoming, outgoing) => {
    requests += 1;
    const target = urls[requests % urls.length];
    changed = changed.then(before);
    await changed;
    const { method = "GET", headers } = incoming;
    const sent = startRequest(target + (incoming.url ?? ""), {
      ...{ method, agent: false },
      headers: { ...headers, authorization: `Bearer ${key}` },
    }).end();
    const [response] = await once(sent, "response");
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { proxy, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, count: () => requests };
}

/** @returns the states of the rows that a query read: hyparquet asks for parts without a condition */
async function statesOfQuery(url: string): Promise<Set<string>> {
  const file = await asyncBufferFromUrl({ url: `${url}/data_api/v1/emails.parquet` });
  const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
  const rows = await parquetReadObjects({ file, columns: ["id", "subject"], compressors });
  assert.equal(rows.length, campaigns);
  return new Set(rows.map(({ subject }) => String(subject)));
}

test("two readers read from two processes, each all parts of one state", async (t) => {
  const world = await makeWorld(t);
  const folder = makeFolder(t);
  const startNext = async () => {
    if (!isFullSize) return withKeptFilesIn(folder, () => serve(t, world));
    const service = await startService(world.databaseUrl, {
      environment: { TMPDIR: folder, REGION: "test" },
    });
    t.after(() => service.child.kill("SIGKILL"));
    return service;
  };
  const services = [await startNext(), await startNext()];
  const { key, change, current } = await makeState(world);
  const { proxy, url, count } = await startProxy(
    services.map((each) => each.url),
    key,
    change,
  );
  t.after(() => proxy.close());
  let queries = 0;
  const seen: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const oldest = current();
    const readers = Array.from({ length: 2 }, async () => {
      for (let query = 0; query < queriesOfRound; query++) {
        const states = [...(await statesOfQuery(url))];
        assert.equal(states.length, 1);
        seen.push(...states);
        assert.ok(Number(states[0]?.slice(6)) > oldest, `${states} after ${oldest}`);
        queries += 1;
      }
    });
    await Promise.all(readers);
    await letKeptFilesAge(folder, 11);
  }
  report(`${queries} queries in ${count()} requests while ${current()} changes were made, 0 failed`);
  assert.equal(new Set(seen).size, rounds);

  // A killed process leaves its files. The next start removes them, but neither new ones nor those of other programs.
  for (const service of services) if ("child" in service) service.child.kill("SIGKILL");
  await letKeptFilesAge(folder, 61);
  mkdirSync(join(folder, "email-analytics-import-1"));
  const kept = keptFolder(folder);
  assert.ok(readdirSync(kept).length > 1);
  writeFileSync(join(kept, "new"), "of a running process");
  await startNext();
  while (readdirSync(kept).length > 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([readdirSync(kept), readdirSync(folder).length], [["new"], 2]);
});
