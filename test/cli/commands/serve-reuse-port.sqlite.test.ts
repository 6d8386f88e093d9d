// `serve --reuse-port`: several processes that share one port. Linux and BSD only.

import assert from "node:assert/strict";
import test from "node:test";
import { serveOnFreePort, start } from "../../support/process.ts";
import { campaign, countedCampaign, makeAcme, makeWorld } from "../../support/world.ts";

interface Printed {
  url: string;
  monitoring: string;
}

test("two processes share a port and their data, and one serves alone when the other stops", async (t) => {
  const { world, organization, key, ingestKey } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const environment = { DATABASE_URL: world.databaseUrl, MONITORING: "127.0.0.1:0" };
  const serveOn = async (...options: string[]) => {
    const program = start(t, [...serveOnFreePort, "--reuse-port", ...options], environment);
    await program.printed(/\n/);
    return { ...program, ...(JSON.parse(program.stdout()) as Printed) };
  };
  const one = await serveOn();
  const other = await serveOn("--port", new URL(one.url).port);
  assert.equal(other.url, one.url);
  // A new connection for each request.
  const close = { connection: "close" };
  const put = await fetch(`${one.url}/ingest/v1/campaigns/7`, {
    method: "PUT",
    headers: { ...close, authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
    body: JSON.stringify(countedCampaign(7)),
  });
  assert.equal(put.status, 201);
  const readIds = async () => {
    const answer = await fetch(`${one.url}/data_api/v1/emails`, {
      headers: { ...close, authorization: `Bearer ${key}` },
    });
    const { emails } = (await answer.json()) as { emails: { id: number }[] };
    return emails.map(({ id }) => id).sort();
  };
  const requests = 40;
  for (let times = 0; times < requests; times++) assert.deepEqual(await readIds(), [1, 7]);
  const answered = [];
  for (const { monitoring } of [one, other]) {
    const text = await (await fetch(monitoring, { headers: close })).text();
    answered.push(Number(/^email_analytics_requests_total\{.*emails".*\} (\d+)$/m.exec(text)?.[1] ?? 0));
  }
  assert.ok(!answered.includes(0), "the system gives some connections to each");
  const found = answered.reduce((sum, count) => sum + count);
  assert.equal(found, requests);
  assert.equal(await one.stop(), 0);
  assert.deepEqual(await readIds(), [1, 7]);
  assert.equal(await other.stop(), 0);
});

test("serve exits 1 on a port that others share when it does not share it", async (t) => {
  const world = await makeWorld(t);
  const environment = { DATABASE_URL: world.databaseUrl };
  const sharing = start(t, [...serveOnFreePort, "--reuse-port"], environment);
  await sharing.printed(/\n/);
  const { port } = new URL((JSON.parse(sharing.stdout()) as Printed).url);
  const alone = start(t, ["serve", "--port", port], environment);
  assert.equal(await alone.ended, 1);
  assert.match(alone.stderr(), /^error: port \d+ of 127\.0\.0\.1 is in use; choose another with --port\n$/m);
});
