// `demo --regions`: one server for each region, which share no data.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { parseApiKey } from "../../../src/access/api-key.ts";
import { start } from "../../support/process.ts";
import { makeFolder, run } from "../../support/world.ts";

interface Region {
  region: string;
  url: string;
  key: string;
}

const ask = (url: string, key: string, query = "") =>
  fetch(`${url}/data_api/v1/emails${query}`, { headers: { authorization: `Bearer ${key}` } });

/** All records that a key reads, page by page. */
async function recordsOf({ url, key }: Region): Promise<{ sent_from: string }[]> {
  const records: { sent_from: string }[] = [];
  for (let page = 1; ; page++) {
    const answer = await ask(url, key, `?per_page=100&page=${page}`);
    assert.equal(answer.status, 200);
    const { emails, meta } = (await answer.json()) as {
      emails: { sent_from: string }[];
      meta: { total_entries: number };
    };
    records.push(...emails);
    if (emails.length === 0) {
      assert.equal(records.length, meta.total_entries);
      return records;
    }
  }
}

test("each region returns only its own records, and answers a key of another region with 401 and its name (specification 1, 9)", async (t) => {
  const folder = makeFolder(t);
  const demo = start(t, ["demo", "--regions", "--json"], { TMPDIR: folder, REGION: "local" });
  const [lines] = await demo.printed(/(?:.*\n){4}/);
  const served = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Region);
  assert.deepEqual(
    served.map((each) => [Object.keys(each), each.region, parseApiKey(each.key)?.region]),
    ["us", "eu", "ca", "au"].map((region) => [["region", "url", "key"], region, region]),
  );
  assert.equal(new Set(served.map(({ url }) => url)).size, 4);

  const counts: number[] = [];
  for (const here of served) {
    const records = await recordsOf(here);
    counts.push(records.length);
    const domains = new Set(records.map(({ sent_from }) => sent_from.split("@")[1]));
    assert.deepEqual([...domains], [`${here.region}.lindgren.example`]);
    for (const { region, key } of served.filter((each) => each !== here)) {
      const answer = await ask(here.url, key);
      assert.equal(answer.status, 401);
      assert.deepEqual(await answer.json(), {
        error: "unauthorized",
        error_message: `The API key belongs to the region "${region}", but this is the region "${here.region}". Use the base URL of the key's region.`,
      });
    }
  }
  assert.deepEqual(counts, [384, 461, 308, 151]);

  assert.equal(await demo.stop("SIGINT"), 0);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(demo.stderr(), "");
});

test("demo --regions prints a table of URLs and keys, and a curl command that works", async (t) => {
  const demo = start(t, ["demo", "--regions"], { TMPDIR: makeFolder(t) });
  await demo.printed(/Ctrl-C to stop\.\n$/);
  const lines = demo.stdout().split("\n");
  const head = lines.findIndex((line) => /^region +url +key$/.test(line));
  for (const [index, region] of ["us", "eu", "ca", "au"].entries()) {
    assert.match(
      lines[head + 1 + index] ?? "",
      new RegExp(`^${region} +http://\\S+ +ea_${region}_1_\\w{38}$`),
    );
  }
  const [, key = "", url = ""] =
    /curl -H "Authorization: Bearer ([^"]+)" "([^"]+)"/.exec(demo.stdout()) ?? [];
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status, 200);
  assert.equal(await demo.stop(), 0);
});

test("demo --regions --port listens on that port and the next three", async () => {
  const argv = ["demo", "--regions", "--json", "--host", "127.0.0.1", "--port"];
  let first = 20_000;
  let demo = await run("sqlite:unused.db", [...argv, String(first)]);
  // Other programs may use some of these ports.
  while (demo.exitCode !== 0 && /in use/.test(demo.stderr) && first < 30_000) {
    first += 10;
    demo = await run("sqlite:unused.db", [...argv, String(first)]);
  }
  assert.deepEqual(
    demo.rows.map(({ url }) => url),
    [0, 1, 2, 3].map((index) => `http://127.0.0.1:${first + index}`),
  );
});

test("demo --regions stops all servers and deletes its folder when one cannot listen or it is stopped early", async (t) => {
  const folder = makeFolder(t);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const refused = start(t, ["demo", "--regions", "--port", String(port - 2)], { TMPDIR: folder });
  assert.equal(await refused.ended, 1);
  const taken = /^error: port (\d+) of 127\.0\.0\.1 is in use; choose another with --port\n$/;
  // Another program may use one of the two ports before it.
  assert.ok(Number(taken.exec(refused.stderr())?.[1]) - port <= 0, refused.stderr());
  assert.equal(refused.stdout(), "");
  assert.deepEqual(readdirSync(folder), []);

  const stopped = start(t, ["demo", "--regions"], { TMPDIR: folder });
  while (readdirSync(folder).length === 0) await setTimeout(2);
  assert.equal(await stopped.stop(), 0);
  assert.deepEqual(readdirSync(folder), []);
});
