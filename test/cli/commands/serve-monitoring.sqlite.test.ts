// The setting MONITORING in a real process: metrics for Prometheus, and log lines about event loop delays.

import assert from "node:assert/strict";
import { once } from "node:events";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { metricDefinitions } from "../../../src/http/monitoring/metrics.ts";
import { makeFormClient } from "../../support/form-client.ts";
import { type Program, serveOnFreePort, start } from "../../support/process.ts";
import { readPrometheus } from "../../support/prometheus-text.ts";
import { startServer } from "../../support/start-server.ts";
import {
  countedCampaign,
  makeAcme,
  makeDatabase,
  makeWorld,
  region,
  run,
  type World,
} from "../../support/world.ts";

interface Scrape {
  key?: string;
  method?: string;
  body?: unknown;
}

/** Starts a server with metrics, on a free port by default. */
async function serveMonitored(t: TestContext, world: World, environment: Record<string, string> = {}) {
  const given = { DATABASE_URL: world.databaseUrl, MONITORING: "127.0.0.1:0", ...environment };
  const server = start(t, serveOnFreePort, given);
  await server.printed(/\n/);
  const { url, monitoring } = JSON.parse(server.stdout()) as { url: string; monitoring: string };
  const ask = async (path: string, { key = "", method = "GET", body }: Scrape = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { server, url, monitoring, ask, scrape: () => scrape(monitoring) };
}

async function scrape(monitoring: string) {
  const answer = await fetch(monitoring);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const families = readPrometheus(text);
  const samplesOf = (name: string) => families.get(name)?.samples ?? [];
  /** The one value with these labels, or undefined. */
  const value = (name: string, labels: Record<string, string> = {}) =>
    samplesOf(name.replace(/_(count|sum|bucket)$/, "")).find(
      (sample) =>
        sample.name === name &&
        JSON.stringify(Object.entries(sample.labels).sort()) ===
          JSON.stringify(Object.entries(labels).sort()),
    )?.value;
  return { text, families, samplesOf, value };
}

/** Scrapes until the condition holds: a response is counted only after the client has read it. */
async function scrapeWhen(
  scrapeNow: () => ReturnType<typeof scrape>,
  isDone: (scraped: Awaited<ReturnType<typeof scrape>>) => boolean,
) {
  for (;;) {
    const scraped = await scrapeNow();
    if (isDone(scraped)) return scraped;
    await pause(20);
  }
}

const requestsTotal = "email_analytics_requests_total";

test("GET /metrics returns every metric, and requests raise the counters", async (t) => {
  const world = await makeWorld(t);
  const { key, ingestKey } = await world.addOrganization({ name: "Lindgren" });
  const { server, url, monitoring, ask, scrape } = await serveMonitored(t, world);
  assert.match(monitoring, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  assert.notEqual(new URL(monitoring).port, new URL(url).port);
  assert.deepEqual((await scrape()).samplesOf(requestsTotal), []);

  for (let times = 0; times < 3; times++) assert.equal(await ask("/data_api/v1/emails", { key }), 200);
  assert.equal(await ask("/data_api/v1/emails?page=x", { key }), 400);
  assert.equal(await ask("/data_api/v1/emails"), 401);
  assert.equal(await ask("/nowhere/ann@example.com"), 404);
  assert.equal(await ask("/data_api/v1/emails", { method: "PATCH" }), 405);
  const sender = { key: ingestKey, method: "POST" };
  const found = await ask("/ingest/v1/campaigns/7", { ...sender, method: "PUT", body: countedCampaign(7) });
  assert.equal(found, 201);
  const event = { campaign_id: 7, recipient: "ann@example.com", type: "open", at: "2026-06-15T11:30:00Z" };
  const events = [
    { ...event, id: "e-1" },
    { ...event, id: "e-2" },
    { ...event, id: "e-1" },
    { ...event, id: "e-3", campaign_id: 8 },
  ];
  assert.equal(await ask("/ingest/v1/events", { ...sender, body: { events } }), 200);

  const isCounted = { method: "POST", route: "/ingest/v1/events", status: "2xx" };
  const scraped = await scrapeWhen(scrape, ({ value }) => value(requestsTotal, isCounted) === 1);
  const names = [...scraped.families.keys()];
  const own = Object.keys(metricDefinitions);
  assert.deepEqual(names.slice(0, own.length), own);
  for (const used of ["process_resident_memory_bytes", "nodejs_eventloop_lag_max_seconds"]) {
    assert.ok(names.includes(used), used);
  }
  // No backup was made, a SQLite file has no connections, and not every system has a limit.
  const mayLack =
    /_memory_limit_bytes$|_last_(backup|restore_test)_timestamp_seconds$|_database_connections$|^nodejs_/;
  for (const [name, { samples }] of scraped.families)
    assert.ok(samples.length > 0 || mayLack.test(name), name);
  const measured = (name: string) => scraped.value(name) ?? Number.NaN;
  const seen = [measured("email_analytics_database_up"), measured("email_analytics_quarantined_events")];
  assert.deepEqual(seen, [1, 1]);
  assert.ok(measured("email_analytics_database_bytes") > 100_000);
  assert.ok(measured("email_analytics_disk_free_bytes") > 1_000_000);
  const refused = { credential: "key" };
  assert.equal(scraped.value("email_analytics_refused_credentials_total", refused), 1);
  const asked = scraped.samplesOf(requestsTotal).map(({ labels, value }) => ({ ...labels, value }));
  const read = { method: "GET", route: "/data_api/v1/emails" };
  assert.deepEqual(asked, [
    { ...read, status: "2xx", value: 3 },
    { ...read, status: "4xx", value: 2 },
    { method: "any", route: "none", status: "4xx", value: 2 },
    { method: "PUT", route: "/ingest/v1/campaigns/:id", status: "2xx", value: 1 },
    { method: "POST", route: "/ingest/v1/events", status: "2xx", value: 1 },
  ]);
  assert.equal(scraped.value("email_analytics_request_duration_seconds_count", read), 5);
  assert.deepEqual(
    scraped.samplesOf("email_analytics_events_total").map(({ labels, value }) => [labels.outcome, value]),
    [
      ["accepted", 2],
      ["repeated", 1],
      ["quarantined", 1],
      ["refused", 0],
    ],
  );
  assert.equal(scraped.value("email_analytics_ingest_queue_bytes"), 0);
  assert.ok(Number(scraped.value("email_analytics_connections")) >= 1);
  assert.ok(Number(scraped.value("process_resident_memory_bytes")) > 20e6);
  if (process.platform === "linux") {
    const used = Number(scraped.value("email_analytics_memory_bytes"));
    assert.ok(used > 20e6 && used < Number(scraped.value("process_resident_memory_bytes")));
  }
  for (const secret of [key.slice(-38), ingestKey.slice(-38), "Lindgren", "ann@", "nowhere"]) {
    assert.equal(scraped.text.includes(secret), false, secret);
  }

  await ask("/data_api/v1/emails", { key });
  const later = await scrapeWhen(
    scrape,
    ({ value }) => value(requestsTotal, { ...read, status: "2xx" }) === 4,
  );
  assert.ok(
    Number(later.value("process_cpu_seconds_total")) >= Number(scraped.value("process_cpu_seconds_total")),
  );
  // The connections to both ports are still open.
  assert.equal(await server.stop(), 0);
  const [line = ""] = server.stderr().split("\n");
  const logged = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual([logged.msg, logged.monitoring], ["listening", monitoring]);
});

/** Runs this code in the server at SIGUSR2. */
const atSignal = (work: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${work} });`)}`,
});

test("the public port has no /metrics, the monitoring port serves only /metrics, and serve opens none when MONITORING is empty", async (t) => {
  const world = await makeWorld(t);
  const ports = `process._rawDebug("ports", process.getActiveResourcesInfo().filter((each) => each === "TCPServerWrap").length);`;
  const portsOf = async (server: Program) => {
    server.child.kill("SIGUSR2");
    while (!/ports \d/.test(server.stderr())) await once(server.child.stderr, "data");
    assert.equal(await server.stop(), 0);
    return Number(/ports (\d)/.exec(server.stderr())?.[1]);
  };
  const usual = await serveMonitored(t, world, { MONITORING: "", ...atSignal(ports) });
  assert.equal(usual.monitoring, undefined);
  assert.equal(await portsOf(usual.server), 1);
  const { ask, monitoring, server } = await serveMonitored(t, world, atSignal(ports));
  assert.equal(await ask("/metrics"), 404);
  const head = await fetch(`${monitoring}?x=1`, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  const elsewhere = await fetch(new URL("/data_api/v1/emails", monitoring));
  assert.deepEqual([elsewhere.status, await elsewhere.text()], [404, "Only /metrics is served here.\n"]);
  const posted = await fetch(monitoring, { method: "POST", body: "x" });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  assert.equal(await portsOf(server), 2);
});

test("doctor says how much memory the running service uses", {
  skip: process.platform !== "linux",
}, async (t) => {
  const world = await makeWorld(t);
  const { monitoring, server } = await serveMonitored(t, world);
  const used = async (address: string) => {
    const environment = { DATABASE_URL: world.databaseUrl, MONITORING: address };
    const { rows } = await run(world.databaseUrl, "doctor --json", { environment });
    return rows.find(({ check }) => check === "memory")?.message;
  };
  const { host } = new URL(monitoring);
  assert.match(
    String(await used(host)),
    /^The service uses \d+\.\d MB( of the \d+\.\d MB of its container)?\.$/,
  );
  await server.stop();
  assert.equal(await used(host), `Not measured, because no service reports it at ${monitoring}.`);
  assert.equal(await used(""), "Not measured, because MONITORING is not set.");
});

test("serve exits 1 with one line when MONITORING cannot listen", async (t) => {
  const { port } = await startServer(t);
  const DATABASE_URL = await makeDatabase(t);
  const server = start(t, serveOnFreePort, { DATABASE_URL, MONITORING: `127.0.0.1:${port}` });
  assert.equal(await server.ended, 1);
  const inUse = `port ${port} of 127.0.0.1 is in use; choose another with MONITORING`;
  assert.deepEqual([server.stdout(), server.stderr()], ["", `error: ${inUse}\n`]);

  const environment = { DATABASE_URL, REGION: region, LOG_LEVEL: "silent", MONITORING: "192.0.2.1:9464" };
  const { output } = await run(DATABASE_URL, serveOnFreePort, { environment });
  assert.deepEqual(output, [1, "", "error: cannot listen on 192.0.2.1, port 9464 (EADDRNOTAVAIL)\n"]);
});

test("counts sign-ins as refused also when attempts are limited", async (t) => {
  const { world } = await makeAcme(t);
  const { url, scrape: scrapeNow } = await serveMonitored(t, world);
  const client = makeFormClient(url);
  // At the same time: on a slow machine, the wait after five failures could end before the sixth is sent.
  const attempts = Array.from({ length: 7 }, () =>
    client.submit("/sign-in", { email: "ann@example.com", password: "wrong" }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  const refused = { credential: "sign_in" };
  await scrapeWhen(
    scrapeNow,
    ({ value }) => value("email_analytics_refused_credentials_total", refused) === 7,
  );
});
