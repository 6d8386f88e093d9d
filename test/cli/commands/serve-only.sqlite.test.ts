// `serve --only`: the components of one database in several processes.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import test, { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { errors } from "../../../src/errors.ts";
import { type ComponentName, componentNames } from "../../../src/http/server/components.ts";
import { type Program, serveOnFreePort, start, urlOf } from "../../support/process.ts";
import { refusal } from "../../support/refusal.ts";
import { fetchAs } from "../../support/serve-readers.ts";
import { desktopAgent } from "../../support/user-agents.ts";
import { type Cleanup, countedCampaign, makeWorld, run, type World } from "../../support/world.ts";

/** The servers run with the real clock. */
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** One process for each component, all with the same database. Tests that share them have an organization each. */
let shared: Promise<{ world: World; servers: Program[]; urls: Record<ComponentName, string> }> | undefined;
const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});

async function startAll(cleanup: Cleanup) {
  const world = await makeWorld(cleanup);
  const environment = {
    DATABASE_URL: world.databaseUrl,
    TRACKING_SECRET: "x".repeat(32),
    LOG_LEVEL: "error",
  };
  const servers = componentNames.map((name) =>
    start(cleanup, [...serveOnFreePort, "--only", name], environment),
  );
  const urls = await Promise.all(servers.map(urlOf));
  const entries = componentNames.map((name, index) => [name, urls[index]]);
  return { world, servers, urls: Object.fromEntries(entries) as Record<ComponentName, string> };
}

async function served() {
  shared ??= startAll({ after: (step) => steps.push(step) });
  const { world, urls, servers } = await shared;
  return { world, urls, servers, ...(await world.addOrganization()) };
}

async function ask(url: string, { key = "", method = "GET", body }: RequestExpectation = {}) {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

interface RequestExpectation {
  key?: string;
  method?: string;
  body?: unknown;
}

test("serve --only api returns what serve --only ingest received just before", async () => {
  const { urls, key, ingestKey } = await served();
  const campaign = { ...countedCampaign(1), sent_at: minutesAgo(60) };
  const put = { method: "PUT", key: ingestKey, body: campaign };
  assert.equal((await ask(`${urls.ingest}/ingest/v1/campaigns/1`, put)).status, 201);
  for (let sent = 1; sent <= 20; sent++) {
    const recipient = `reader-${sent}@example.com`;
    const events = [{ id: `e-${sent}`, campaign_id: 1, recipient, type: "open", at: minutesAgo(30) }];
    const posted = await ask(`${urls.ingest}/ingest/v1/events`, {
      method: "POST",
      key: ingestKey,
      body: { events },
    });
    assert.equal(posted.text, '{"accepted":1,"repeated":0,"quarantined":0,"problems":[]}');
    const { emails } = JSON.parse((await ask(`${urls.api}/data_api/v1/emails`, { key })).text);
    assert.deepEqual([emails.length, emails[0].unique_opens], [1, sent]);
  }
});

test("serve --only tracking makes tracked messages and answers their requests", async () => {
  const { world, organization, urls, key, ingestKey } = await served();
  await world.register(organization, 1, { sent_at: minutesAgo(60) });
  const html = '<p>Read <a href="https://example.com/news">the news</a>.</p>';
  const made = await ask(`${urls.tracking}/ingest/v1/campaigns/1/messages`, {
    method: "POST",
    key: ingestKey,
    body: { html, recipients: ["ann@example.com"] },
  });
  const [message] = JSON.parse(made.text).messages;
  const addressOf = (letter: string) =>
    new RegExp(`"(${urls.tracking}/t/${letter}/[^"]+)"`).exec(message.html)?.[1] ?? "";
  const pixel = await fetchAs(addressOf("o"), { agent: desktopAgent });
  assert.deepEqual([pixel.status, pixel.headers["content-type"]], [200, "image/gif"]);
  const link = await fetchAs(addressOf("c"), { agent: desktopAgent });
  assert.deepEqual([link.status, link.headers.location], [302, "https://example.com/news"]);
  const numbers = async () => {
    const { emails } = JSON.parse((await ask(`${urls.api}/data_api/v1/emails`, { key })).text);
    return [emails[0].unique_opens, emails[0].unique_clicks];
  };
  // The response does not wait longer than a second for the event to be written.
  while ((await numbers())[1] === 0) await pause(20);
  assert.deepEqual(await numbers(), [1, 1]);
});

/** Each endpoint with its component, and its response to a request without a key. */
const endpoints: [ComponentName, string, string, number, RegExp][] = [
  ["api", "GET", "/data_api/v1/emails", 401, /The API key is missing/],
  ["api", "GET", "/data_api/v1", 200, /"api_reference":/],
  ["api", "GET", "/data_api/v1/metrics.json", 200, /"feed_format":3/],
  ["api", "GET", "/data_api/v1/openapi.json", 200, /"openapi":"3\.1/],
  ["ingest", "PUT", "/ingest/v1/campaigns/1", 401, /The API key is missing/],
  ["ingest", "DELETE", "/ingest/v1/campaigns/1", 401, /The API key is missing/],
  ["ingest", "POST", "/ingest/v1/events", 401, /The API key is missing/],
  ["ingest", "POST", "/ingest/v1/webhooks/1-x", 404, /There is no source at this webhook URL/],
  ["tracking", "POST", "/ingest/v1/campaigns/1/messages", 401, /The API key is missing/],
  ["tracking", "GET", "/t/o/x", 404, /^GIF89a/],
  ["tracking", "GET", "/t/r/x", 404, /^GIF89a/],
  ["tracking", "GET", "/t/c/x", 404, /<html/],
  ["tracking", "GET", "/t/s/x", 404, /<html/],
];

test("an endpoint of another component is 404 and names those served, and health checks always work", async () => {
  const { urls } = await served();
  for (const name of componentNames) {
    for (const path of ["/healthz", "/readyz"]) assert.equal((await ask(urls[name] + path)).status, 200);
    for (const [component, method, path, status, text] of endpoints) {
      const answer = await ask(urls[name] + path, { method });
      if (component === name) {
        assert.equal(answer.status, status, `${name}: ${path}`);
        assert.match(answer.text, text);
      } else {
        const message = `${errors.not_found.message} This process serves only: ${name}.`;
        assert.deepEqual([answer.status, JSON.parse(answer.text)], refusal(404, "not_found", message));
      }
    }
  }
});

test("the processes of all components stop on SIGTERM and log no error", async () => {
  const { servers } = await served();
  for (const server of servers) {
    assert.equal(await server.stop(), 0);
    assert.equal(server.stderr(), "");
  }
});

test("serve --only accepts several components and prints them", async (t) => {
  const world = await makeWorld(t);
  // Without one, the command prints the set-up link as well.
  await world.addOrganization();
  const { databaseUrl } = world;
  const told = async (...options: string[]) =>
    (await run(databaseUrl, ["serve", "--port", "0", ...options])).stdout.replaceAll(/:\d+/g, "");
  const two = "Serving api, tracking at http://127.0.0.1 (Ctrl-C to stop)\n";
  assert.equal(await told("--only", "tracking,api"), two);
  assert.equal(await told("--only", "tracking", "--only", "api"), two);
  const all =
    "Serving the API at http://127.0.0.1/data_api/v1/emails and the web application at http://127.0.0.1/sign-in (Ctrl-C to stop)\n";
  assert.equal(await told("--only", "api, ingest,tracking,web"), all);
  assert.equal(await told(), all);
});

test("serve starts threads for writing and upkeep only if a component writes", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  subscribe("worker_threads", count);
  t.after(() => unsubscribe("worker_threads", count));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const threadsOf = async (only: string) => {
    threads = 0;
    const started: number[] = [];
    const untilStopped = async () => {
      for (const ms of [1_999, 1]) {
        t.mock.timers.tick(ms);
        started.push(threads);
      }
    };
    const argv = ["serve", "--port", "0", "--only", only];
    assert.equal((await run(databaseUrl, argv, { untilStopped })).exitCode, 0);
    return started;
  };
  assert.deepEqual(await threadsOf("api"), [0, 0]);
  assert.deepEqual(await threadsOf("ingest"), [1, 2]);
  assert.deepEqual(await threadsOf("tracking"), [1, 2]);
  assert.deepEqual(await threadsOf("api,ingest"), [1, 2]);
});
