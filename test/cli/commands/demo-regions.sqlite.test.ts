// `demo --regions`: one server for each region, which share no data.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { pick } from "../../support/pick.ts";
import { start } from "../../support/process.ts";
import { startServer } from "../../support/start-server.ts";
import { makeFolder } from "../../support/world.ts";

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
  const demo = start(t, ["demo", "--regions"], { TMPDIR: folder, REGION: "local" });
  await demo.printed(/Ctrl-C to stop\.\n$/);
  const lines = demo.stdout().split("\n");
  const head = lines.findIndex((line) => /^region +url +key$/.test(line));
  const served = lines.slice(head + 1, head + 5).map((line) => {
    const [region = "", url = "", key = ""] = line.split(/ +/);
    assert.match(key, new RegExp(`^ea_${region}_1_\\w{38}$`));
    return { region, url, key };
  });
  assert.deepEqual(pick(served, "region"), ["us", "eu", "ca", "au"]);
  assert.equal(new Set(served.map(({ url }) => url)).size, 4);
  const [, printedKey = "", printedUrl = ""] =
    /curl -H "Authorization: Bearer ([^"]+)" "([^"]+)"/.exec(demo.stdout()) ?? [];
  const printed = await fetch(printedUrl, { headers: { authorization: `Bearer ${printedKey}` } });
  assert.equal(printed.status, 200);

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
  // Each branch began at another time.
  const least = [384, 461, 308, 151];
  assert.ok(
    counts.every((count, index) => count >= Number(least[index])),
    String(counts),
  );
  assert.equal(new Set(counts).size, 4);

  assert.equal(await demo.stop("SIGINT"), 0);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(demo.stderr(), "");
});

test("demo --regions stops all servers and deletes its folder when one cannot listen", async (t) => {
  const folder = makeFolder(t);
  const { port } = await startServer(t);
  const refused = start(t, ["demo", "--regions", "--port", String(port - 1)], { TMPDIR: folder });
  assert.equal(await refused.ended, 1);
  const taken = /^error: port (\d+) of 127\.0\.0\.1 is in use; choose another with --port\n$/;
  // Another program may use the port before it.
  assert.ok(Number(taken.exec(refused.stderr())?.[1]) - port <= 0, refused.stderr());
  assert.equal(refused.stdout(), "");
  assert.deepEqual(readdirSync(folder), []);
});
