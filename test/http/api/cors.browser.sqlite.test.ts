// CORS: which origins read what in a browser, with real pages of two origins, and with raw requests.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { componentNames } from "../../../src/http/server/components.ts";
import { closeBrowser, openBrowser } from "../../support/browser.ts";
import { addCsvLink, switchCsvLinks } from "../../support/csv-links.ts";
import { campaign, makeSqliteWorld, serve } from "../../support/world.ts";

/** Serves an empty page. @returns its origin */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Dashboard</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

after(closeBrowser);
const world = await makeSqliteWorld({ after });
const [listed, other] = [await servePage(), await servePage()];
const corsOrigins = ["https://intranet.example.com", listed];
const publicUrl = () => "http://127.0.0.1";
const service = await serve({ after }, world, { open: componentNames, corsOrigins, publicUrl });
const { organization, key } = await world.addOrganization();
await world.save(organization, [campaign({ id: 1 })]);
await switchCsvLinks(world, organization, "allow");
const { path: link } = await addCsvLink(world, organization);
const bearer = { authorization: `Bearer ${key}` };

/** Everything that a key or a link reads, and the documents about it. */
const readable = [
  ...["emails", "emails/changes", "emails.csv", "metrics.json", "openapi.json"].map(
    (path) => `/data_api/v1/${path}`,
  ),
  ...["/odata/v1/emails", "/odata/v1/$metadata", link, link.replace(/csv$/, "xlsx")],
];
const closed = [
  ...["/", "/sign-in", "/settings/account", "/healthz", "/mcp", "/token", "/ingest/v1/events", "/t/x"],
  ...["/.well-known/oauth-authorization-server", "/set-up/x", "/docs", "/data_apix", "/odata"],
];

interface Init {
  method?: string;
  headers?: Record<string, string>;
  credentials?: "include";
}

/** What a page of the origin reads of the service with fetch. */
async function openPage(origin: string) {
  const context = await openBrowser({ after });
  const page = await context.newPage();
  await page.goto(origin);
  return (path: string, init: Init = {}) =>
    page.evaluate(
      ([url, options]) =>
        fetch(url, options).then(
          async (response) => ({
            status: response.status,
            perPage: response.headers.get("x-per-page"),
            text: await response.text(),
          }),
          (error: Error) => error.message,
        ),
      [service.url + path, init] as const,
    );
}

test("a page of a listed origin reads with a key or a link, and nothing else", async () => {
  const read = await openPage(listed);
  const answer = await read("/data_api/v1/emails?per_page=5", { headers: bearer });
  assert.ok(typeof answer === "object");
  assert.deepEqual([answer.status, answer.perPage, JSON.parse(answer.text).emails[0].id], [200, "5", 1]);
  for (const path of readable) {
    const found = await read(path, { headers: { ...bearer, "if-none-match": '"x"' } });
    assert.ok(typeof found === "object" && found.status === 200, path);
  }
  const withoutKey = await read("/data_api/v1/emails");
  assert.ok(typeof withoutKey === "object" && withoutKey.status === 401, "an error is readable");
  const plain = await read(link);
  assert.ok(typeof plain === "object" && plain.text.includes("Campaign 1"), "a link needs no preflight");
  const failed = "Failed to fetch";
  assert.equal(await read("/data_api/v1/emails", { headers: bearer, credentials: "include" }), failed);
  assert.equal(await read(link, { credentials: "include" }), failed);
  assert.equal(await read("/data_api/v1/emails", { method: "PUT", headers: bearer }), failed);
  assert.equal(await read("/data_api/v1/emails", { headers: { "x-other": "1" } }), failed);
  for (const path of closed) assert.equal(await read(path), failed, path);
});

test("a page of another origin reads nothing", async () => {
  const read = await openPage(other);
  for (const path of [...readable, ...closed]) {
    for (const headers of [{}, bearer]) assert.equal(await read(path, { headers }), "Failed to fetch", path);
  }
});

const corsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
const preflight = (path: string, origin: string, headers = {}) =>
  fetch(service.url + path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
      ...headers,
    },
  });

test("answers preflights of listed origins alone, whatever credentials they have", async () => {
  for (const path of readable) {
    for (const headers of [{}, { cookie: "session=x" }, bearer]) {
      const response = await preflight(path, listed, headers);
      assert.deepEqual([response.status, response.headers.get("vary")], [204, "Origin"], path);
      assert.deepEqual(corsHeaders(response), {
        "access-control-allow-origin": listed,
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers":
          "Authorization, bearer_auth, If-None-Match, OData-MaxVersion, OData-Version, Prefer",
        "access-control-expose-headers":
          "Changes-Cursor, Content-Disposition, ETag, Ignored-Parameters, Link, OData-Version, Retry-After, X-Per-Page, X-Request-ID",
        "access-control-max-age": "600",
      });
      const others = [
        other,
        "null",
        `${listed}0`,
        `${listed}/`,
        listed.toUpperCase(),
        "https://a.intranet.example.com",
        `${listed}, ${other}`,
      ];
      for (const origin of others) {
        const refused = await preflight(path, origin, headers);
        assert.deepEqual([corsHeaders(refused), refused.headers.get("vary")], [{}, "Origin"], origin);
      }
    }
  }
  for (const path of closed) {
    const { headers } = await preflight(path, listed);
    assert.equal(headers.get("access-control-allow-origin"), null, path);
  }
});

test("says Vary: Origin on every answer, and without the setting allows none", async (t) => {
  const none = await serve(t, world, { open: componentNames, publicUrl });
  for (const path of readable) {
    for (const headers of [
      { ...bearer, origin: listed },
      { ...bearer, origin: other },
      { origin: other },
      bearer,
    ]) {
      const response = await fetch(service.url + path, { headers });
      await response.arrayBuffer();
      assert.match(response.headers.get("vary") ?? "", /\bOrigin$/, path);
      const allowed = "origin" in headers && headers.origin === listed ? listed : null;
      assert.equal(response.headers.get("access-control-allow-origin"), allowed);
      assert.equal(response.headers.get("access-control-allow-credentials"), null);
    }
    const off = await fetch(none.url + path, { headers: { ...bearer, origin: listed } });
    await off.arrayBuffer();
    assert.deepEqual(corsHeaders(off), {}, path);
  }
});
