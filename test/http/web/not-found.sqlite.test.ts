// URLs without a route: browsers get a page, API clients the JSON error.

import assert from "node:assert/strict";
import test from "node:test";
import { assertPage } from "../../support/pages.ts";
import { makeWebWorld, requestPage } from "../../support/web-world.ts";
import { makeWorld, serve } from "../../support/world.ts";

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("answers an unknown URL with a page for browsers and with JSON for API clients", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const page = await requestPage(`${service.url}/nowhere?<b>`, { headers: browser });
  assert.deepEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.match(page.text, /<h1>Page not found<\/h1>/);
  assert.match(page.text, /<body class="guest/);
  const { cookie } = await signIn("viewer");
  const signedIn = await requestPage(`${service.url}/nowhere`, { cookie, headers: browser });
  assertPage(signedIn, 404, /<body class="app">.*<nav aria-label="Main">.*<h1>Page not found<\/h1>/s);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.equal(page.headers.get("x-frame-options"), "DENY");
  const program = await service.get("/nowhere");
  assert.deepEqual([program.status, program.body.error], [404, "not_found"]);
  assert.equal(program.headers.get("content-security-policy"), null);
  const api = await requestPage(`${service.url}/data_api/v2/emails`, { headers: browser });
  assert.equal(JSON.parse(api.text).error, "not_found");
});

test("redirects /settings to the first page of the settings that the user may see", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const of = async (path: string) => (await requestPage(service.url + path, { headers: browser })).location;
  assert.equal(await of("/settings"), "/sign-in?to=%2Fsettings");
  assert.equal((await (await signIn("viewer")).get("/settings")).location, "/settings/tags");
  assert.equal((await (await signIn("admin")).get("/settings")).location, "/settings/organization");
  assert.equal(await of("/settings/integrations/"), "/settings/integrations/analytics-api");
});

test("answers an unknown URL with JSON when the web application is not served", async (t) => {
  const service = await serve(t, await makeWorld(t), { open: ["api"] });
  const answer = await requestPage(`${service.url}/nowhere`, { headers: browser });
  assert.equal(JSON.parse(answer.text).error, "not_found");
});
