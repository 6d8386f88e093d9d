// Addresses behind which nothing stands: people see a page, programs the error that they know.

import assert from "node:assert/strict";
import test from "node:test";
import { see, visited } from "../../support/visiting.ts";
import { makeWorld, serve } from "../../support/world.ts";

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("whoever mistypes an address in a browser is shown a page, and a program the error", async (t) => {
  const { service } = await visited(t);
  const page = await see(`${service.url}/nowhere?<b>`, { headers: browser });
  assert.deepEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.match(page.text, /<h1>There is nothing here<\/h1>/);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const program = await service.get("/nowhere");
  assert.deepEqual([program.status, program.body.error], [404, "not_found"]);
  const api = await see(`${service.url}/data_api/v2/emails`, { headers: browser });
  assert.equal(JSON.parse(api.text).error, "not_found");
});

test("the settings alone lead to those that everybody sees", async (t) => {
  const { service } = await visited(t);
  const of = async (path: string) => (await see(service.url + path, { headers: browser })).location;
  assert.equal(await of("/settings"), "/settings/tags");
  assert.equal(await of("/settings/integrations/"), "/settings/integrations/analytics-api");
});

test("where the web application is not served, nobody is shown a page", async (t) => {
  const service = await serve(t, await makeWorld(t), { open: ["api"] });
  const answer = await see(`${service.url}/nowhere`, { headers: browser });
  assert.equal(JSON.parse(answer.text).error, "not_found");
});
