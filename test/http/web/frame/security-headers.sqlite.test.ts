// Security headers: on every response of the web application, and on no response of the API.

import assert from "node:assert/strict";
import test from "node:test";
import { rawRequest } from "../../../support/raw-request.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";
import { serve } from "../../../support/world.ts";

test("sends security headers with pages, redirects and assets, and not with API responses", async (t) => {
  const { service } = await makeWebWorld(t);
  const page = await requestPage(`${service.url}/sign-in`);
  const asset = /href="(\/assets\/[^"]+)"/.exec(page.text)?.[1] ?? assert.fail(page.text);
  for (const path of ["/sign-in", "/", asset]) {
    const { headers } = await requestPage(service.url + path);
    assert.equal(
      headers.get("content-security-policy"),
      "default-src 'none';style-src 'self';script-src 'self';connect-src 'self';img-src 'self';font-src 'self';manifest-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
      path,
    );
    assert.equal(headers.get("referrer-policy"), "same-origin", path);
    assert.equal(headers.get("x-frame-options"), "DENY", path);
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin", path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("strict-transport-security"), null, path);
  }
  for (const path of [
    "/data_api/v1/emails",
    "/data_api/v1/metrics.json",
    "/data_api/v1/openapi.json",
    "/healthz",
    "/ingest/v1/events",
  ]) {
    const { headers } = await service.get(path);
    assert.equal(headers.get("content-security-policy"), null, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
  }
});

test("demands HTTPS for a year, for this host alone, when the public URL is https", async (t) => {
  const { world } = await makeWebWorld(t);
  const service = await serve(t, world, { publicUrl: () => "https://analytics.example.com" });
  for (const path of ["/sign-in", "/", "/nowhere"]) {
    const { headers } = await requestPage(service.url + path, { headers: { accept: "text/html" } });
    assert.equal(headers.get("strict-transport-security"), "max-age=31536000", path);
  }
});

test("sends no page without security headers for an invalid request head", async (t) => {
  const { service } = await makeWebWorld(t);
  const head = "GET /sign-in HTTP/1.1\r\nhost: a\r\nbad header: b";
  const response = await rawRequest(service.port, `${head}\r\n\r\n`);
  assert.match(response, /^HTTP\/1\.1 400 .*content-type: application\/json/is);
});
