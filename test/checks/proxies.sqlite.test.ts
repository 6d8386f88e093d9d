// Checks the examples for nginx and Caddy: they have every setting that the documentation requires, and in full, both run
// in front of a service.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { filePath, paths, webPaths } from "../../src/paths.ts";
import { findingsOf } from "../support/doctor.ts";
import { longCampaigns } from "../support/downloads.ts";
import { makeFormClient } from "../support/form-client.ts";
import { freePort, startCaddy, startNginx, startNginxWith } from "../support/proxies.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { startService, stopService } from "../support/service-process.ts";
import { campaign, makeSqliteWorld, region, succeeds } from "../support/world.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const nginx = read("deploy/nginx.conf.template");
const caddy = read("deploy/Caddyfile");
const withoutComments = (text: string) => text.replaceAll(/^\s*#.*\n/gm, "");

/** The table of what a proxy needs in docs/configuration.md. */
const required = [
  ...read("docs/configuration.md").matchAll(/^\| ([^|]+) \| (`[^|]+`|default) \| (`[^|]+`|default) \|$/gm),
].map(([, purpose = "", ...cells]) => ({
  purpose,
  settings: cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, setting = ""]) => setting)),
}));

test("the examples have every setting that the documentation requires of a proxy", () => {
  assert.ok(required.length >= 9);
  for (const { purpose, settings } of required) {
    for (const [index, example] of [nginx, caddy].entries()) {
      for (const each of settings[index] ?? []) {
        assert.ok(withoutComments(example).includes(each), `${purpose}: ${each}`);
      }
    }
  }
});

test("the examples have balanced blocks, and every directive of nginx ends", () => {
  for (const example of [nginx, caddy].map(withoutComments)) {
    const plain = example.replaceAll(/'[^']*'|\$\{\w+\}|\{[\w.$:]+\}/g, "");
    assert.equal(plain.split("{").length, plain.split("}").length);
  }
  const lines = withoutComments(nginx)
    .split("\n")
    .map((line) => line.trim());
  for (const line of lines) assert.match(line, /^$|[;{}]$|^\$\{\w+\}$/, line);
});

/** The longest prefix decides; the example has no regular expressions. */
function nginxServers(path: string): string {
  const locations = [
    ...nginx.matchAll(/location (\/\S*) \{[^}]*proxy_pass http:\/\/email_analytics_(\w+);/g),
  ];
  const [longest] = locations
    .filter(([, prefix = ""]) => path.startsWith(prefix))
    .toSorted(([, a = ""], [, b = ""]) => b.length - a.length);
  return longest?.[2] ?? "";
}

test("the example of nginx sends the API to its processes and everything else to the others, without naming pages", () => {
  for (const { api, odata, ingest, tracking } of [paths]) {
    for (const path of [...Object.values(api), `${odata.root}/`]) {
      assert.equal(nginxServers(`${path}/`), path.endsWith(".parquet") ? "parts" : "api", path);
    }
    for (const path of [
      ...Object.values(webPaths),
      ...Object.values(ingest),
      ...Object.values(tracking),
      "/new",
    ]) {
      assert.equal(nginxServers(path), "write", path);
    }
  }
  assert.doesNotMatch(withoutComments(nginx), /location\s+[~=^]/);
  const named = [...nginx.matchAll(/location (\/\S*)/g)].map(([, prefix]) => prefix);
  for (const page of Object.values(webPaths)) assert.ok(page === "/" || !named.includes(page), page);
});

test("the example of nginx logs no secret URL", () => {
  const secret = [paths.api.csvLinks, paths.tracking.tracked, `${paths.ingest.webhooks}/`];
  for (const path of [...secret, `${webPaths.shared}/`, `${webPaths.choosePassword}/`]) {
    assert.match(
      nginx,
      new RegExp(`location ${path} \\{\\s+access_log off;\\s+error_log /dev/null crit;`),
      path,
    );
  }
});

test("the example of Caddy sends everything to one process", () => {
  assert.equal([...withoutComments(caddy).matchAll(/reverse_proxy/g)].length, 1);
  assert.match(caddy, /reverse_proxy \{\$SERVER:127\.0\.0\.1:8080\} \{/);
  const [, site = ""] = withoutComments(caddy).split("\n{$SITE:localhost} {\n");
  assert.match(site, /^\treverse_proxy /);
  assert.doesNotMatch(site, /\b(?:handle|route|handle_path|log|encode)\b|@/);
});

const clientAddress = "127.0.0.5";

/** Requests a path from an address of its own, so that the client and the proxy have different ones. */
async function open(
  origin: string,
  path: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {},
): Promise<IncomingMessage> {
  const sent = request(origin + path, { agent: false, localAddress: clientAddress, method, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function get(origin: string, path: string, headers: Record<string, string> = {}) {
  const response = await open(origin, path, { headers });
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const isComplete = (response: IncomingMessage) =>
  buffer(response).then(
    () => response.complete,
    () => false,
  );

/** What `doctor` says of PUBLIC_URL and the proxy. */
async function proxyFindings(databaseUrl: string, origin: string) {
  const environment = { DATABASE_URL: databaseUrl, REGION: region, PUBLIC_URL: origin, LOG_LEVEL: "silent" };
  const findings = await findingsOf(databaseUrl, [], { environment });
  return findings.filter(([check]) => check === "public_url" || check === "proxy");
}

/** Starts a service of one or two processes with the proxy in front, and checks what clients see. */
async function checkProxy(t: TestContext, start: typeof startNginx, processes: string[][]): Promise<void> {
  const world = await makeSqliteWorld(t);
  const { organization, key, ingestKey } = await world.addOrganization();
  // Far more than the buffers of sockets between the service and the client take: else the service may be done when it is
  // killed.
  await world.save(organization, longCampaigns(5_000));
  const tagged = Array.from({ length: 6 }, (_, index) => campaign({ id: 6_000 + index, tags: ["News"] }));
  await world.save(organization, tagged);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const environment = {
    PUBLIC_URL: origin,
    TRUSTED_PROXIES: "127.0.0.1",
    REGION: region,
    LOG_LEVEL: "info",
    TRACKING_SECRET: "a-secret-of-the-proxy-check-long-enough",
  };
  const services = await Promise.all(
    processes.map((argv) => startService(world.databaseUrl, { argv, environment })),
  );
  t.after(() => Promise.all(services.map((service) => stopService(service, "SIGKILL"))));
  const [api, write] = [services[0], services.at(-1)];
  assert.ok(api && write);
  const [apiServer, writeServer] = [new URL(api.url).host, new URL(write.url).host];
  const proxy = await start(t, world.folder, { port, api: apiServer, write: writeServer });
  const authorization = `Bearer ${key}`;
  const logged = () =>
    services
      .flatMap((service) => service.stderr().trim().split("\n"))
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  report(`${proxy.version}, ${processes.length} process(es) of the service`);

  // Pages: an invited user chooses a password, and signs in with cookies and CSRF tokens.
  const argv = [
    "user",
    "add",
    "--organization",
    `${organization.id}`,
    "--email",
    "ann@example.com",
    "--json",
  ];
  const invited = await succeeds(world.databaseUrl, argv, {
    environment: { DATABASE_URL: world.databaseUrl, REGION: region, PUBLIC_URL: origin, LOG_LEVEL: "silent" },
    now: Date.now,
  });
  const link = new URL(String(invited.rows[0]?.url));
  assert.equal(link.origin, origin);
  const password = "nine green ships sail";
  const chosen = await makeFormClient(origin, clientAddress).submit(link.pathname, {
    new_password: password,
    again: password,
  });
  assert.equal(chosen.status, 303, chosen.text);
  const browser = makeFormClient(origin, clientAddress);
  const wrong = await browser.submit("/sign-in", { email: "ann@example.com", password: "wrong" });
  assert.notEqual(wrong.status, 303);
  assert.equal((await browser.submit("/sign-in", { email: "ann@example.com", password })).status, 303);
  const forged = await browser.submit("/sign-out", { form_token: "forged" });
  assert.equal(forged.status, 403, forged.text);
  for (const path of ["/", webPaths.campaigns, webPaths.help, webPaths.connect, webPaths.apiReference]) {
    assert.equal((await browser.get(path)).status, 200, path);
  }
  assert.match((await browser.get("/")).text, /Acme/);
  report("  pages: invite link, password, sign-in, /docs and others; a forged form token gets 403");

  // The API: keys in both headers, validators, links, and errors of the service.
  const first = await get(origin, `${paths.api.emails}?per_page=2`, { authorization });
  assert.equal(first.status, 200, first.text);
  assert.match(String(first.headers.link), new RegExp(`<${origin}/data_api/v1/emails\\?[^>]*page=2`));
  const etag = String(first.headers.etag);
  const cached = await get(origin, `${paths.api.emails}?per_page=2`, {
    authorization,
    "if-none-match": etag,
  });
  assert.deepEqual([cached.status, cached.bytes.length, cached.headers.etag], [304, 0, etag]);
  assert.equal((await get(origin, paths.api.emails, { bearer_auth: key })).status, 200);
  assert.equal((await get(origin, paths.api.emails)).status, 401);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => 1e14 + index).join();
  const withTags = (count: number) =>
    get(origin, `${paths.api.emails}?per_page=2&tag_ids=1,${ids(count)}`, { authorization });
  const [long, linked] = [await withTags(999), await withTags(75)];
  assert.deepEqual([long.status, linked.status], [200, 200], `${long.text}${linked.text}`);
  // nginx allows 4 KB for all headers of a response by default.
  const linkLength = String(linked.headers.link).length;
  assert.ok(linkLength > 3_500, String(linkLength));
  report(
    `  API: keys in both headers, ETag and 304, a URL of ${ids(999).length} bytes, a Link of ${linkLength}`,
  );

  // The client's address, which it cannot forge.
  const spoofed = await get(origin, `${paths.api.emails}?page=3`, {
    authorization,
    "x-forwarded-for": "203.0.113.9",
  });
  const requestId = spoofed.headers["x-request-id"];
  while (!logged().some((line) => line.request_id === requestId)) await pause(20);
  assert.equal(logged().find((line) => line.request_id === requestId)?.ip, clientAddress);
  assert.ok(logged().every(({ ip }) => ip === undefined || ip === clientAddress));
  report(
    `  log: every request has the IP address of the client, ${clientAddress}, also with a forged X-Forwarded-For`,
  );

  assert.deepEqual(await proxyFindings(world.databaseUrl, origin), []);
  report("  doctor finds nothing");

  // A body beyond all limits.
  const big = new Uint8Array(50 * 1024 ** 2).fill(0x20);
  function* chunks() {
    for (let start = 0; start < big.length; start += 65_536) yield big.subarray(start, start + 65_536);
  }
  const bodies = {
    "with its length": big,
    "in chunks": Readable.toWeb(Readable.from(chunks())),
  };
  for (const [how, body] of Object.entries(bodies)) {
    const headers = { authorization: `Bearer ${ingestKey}`, "content-type": "application/json" };
    const startedAt = performance.now();
    const refused = await fetch(`${origin}${paths.ingest.events}`, {
      method: "POST",
      headers,
      body: body as Uint8Array<ArrayBuffer>,
      duplex: "half",
    } as RequestInit).then(
      async (response) => `${response.status} ${await response.text()}`,
      (error: Error) => `${error} ${error.cause}`,
    );
    report(`  50 MB ${how}: ${refused} (${Math.round(performance.now() - startedAt)} ms)`);
    assert.match(refused, /^413 \{"error":"payload_too_large","error_message":".+"\}$/, how);
  }

  // Downloads: whole, and cut by a process that is killed.
  const direct = await get(api.url, filePath("emails", "ndjson"), { authorization });
  const startedAt = performance.now();
  const whole = await get(origin, filePath("emails", "ndjson"), { authorization });
  assert.equal(whole.status, 200);
  assert.equal(sha256(whole.bytes), sha256(direct.bytes));
  report(
    `  download: ${(whole.bytes.length / 1e6).toFixed(1)} MB, whole, in ${Math.round(performance.now() - startedAt)} ms`,
  );
  const cut = await open(origin, filePath("emails", "ndjson"), { headers: { authorization } });
  await once(cut, "readable");
  // A proxy that buffers would have the whole download by then.
  await pause(1_000);
  await stopService(api, "SIGKILL");
  const wholeOrCut = await Promise.race([isComplete(cut), pause(30_000, "open", { ref: false })]);
  // The documentation warns of the versions of Caddy that fail here.
  assert.equal(wholeOrCut, !proxy.cutsResponses);
  report(`  download of a service that is killed: the client sees ${wholeOrCut ? "NO error" : "an error"}`);

  // Secret URLs, also in errors: the service is down.
  if (write !== api) await stopService(write, "SIGKILL");
  const secrets = [
    `${paths.tracking.tracked}o/not-a-token`,
    `${paths.ingest.webhooks}/not-a-token`,
    `${paths.api.csvLinks}not-a-token.csv`,
  ];
  const statuses: unknown[] = [];
  for (const path of [...secrets, webPaths.help]) statuses.push((await get(origin, path)).status);
  assert.deepEqual(statuses, [502, 502, 502, 502]);
  while (!proxy.log().includes("refused")) await pause(20);
  assert.doesNotMatch(proxy.log(), /not-a-token/);
  report("  log of the proxy: no secret URL, also after errors");
}
const nginxDefaults = `upstream email_analytics { \${API_SERVERS} }
server { listen \${NGINX_LISTEN}; location / { proxy_pass http://email_analytics; } }`;

if (isFullSize) {
  test("doctor finds what the defaults of nginx lack", async (t) => {
    const world = await makeSqliteWorld(t);
    await world.addOrganization();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const environment = { PUBLIC_URL: origin, TRUSTED_PROXIES: "127.0.0.1", REGION: region };
    const service = await startService(world.databaseUrl, { environment });
    t.after(() => stopService(service, "SIGKILL"));
    const { host } = new URL(service.url);
    await startNginxWith(nginxDefaults, t, world.folder, { port, api: host, write: host });
    const findings = await proxyFindings(world.databaseUrl, origin);
    const advised = findings.map(([check, status, message]) => [check, status, /"(\w+) /.exec(message)?.[1]]);
    assert.deepEqual(advised, [
      ["proxy", "problem", "proxy_set_header"],
      ["proxy", "problem", "proxy_http_version"],
      ["proxy", "warning", "underscores_in_headers"],
      ["proxy", "problem", "client_max_body_size"],
    ]);
  });

  test("nginx with its example serves pages, the API and downloads of two processes", (t) =>
    checkProxy(t, startNginx, [
      ["--only", "api"],
      ["--only", "ingest,tracking,web"],
    ]));

  test("Caddy with its example serves pages, the API and downloads of one process", (t) =>
    checkProxy(t, startCaddy, [[]]));
}
