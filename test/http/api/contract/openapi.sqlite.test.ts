// The OpenAPI document: served without a key, true to the responses, and valid by Redocly's rules.

import assert from "node:assert/strict";
import test from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Compile } from "typebox/schema";
import { emailRecordFieldNames, emailRecordSchema } from "../../../../src/campaign/email-record-schema.ts";
import { errors } from "../../../../src/errors.ts";
import { openApiDocument } from "../../../../src/http/api/contract/openapi.ts";
import type { UrlList } from "../../../../src/http/api/contract/url-list.ts";
import { pick } from "../../../support/pick.ts";
import { campaign, makeAcme, makeWorld, serve } from "../../../support/world.ts";

test("serves the OpenAPI document without a key, with the public URL in it", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const { status, body, headers } = await service.get("/data_api/v1/openapi.json");
  assert.equal(status, 200);
  assert.deepEqual(body, JSON.parse(JSON.stringify(openApiDocument("https://analytics.example.com"))));
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
});

test("lists every URL without a key, and answers each of them as the list says", async (t) => {
  const { world, key } = await makeAcme(t);
  const service = await serve(t, world);
  const { status, text, headers } = await service.get("/data_api/v1/");
  assert.deepEqual([status, headers.get("content-type")], [200, "application/json; charset=utf-8"]);
  assert.equal((await service.get("/data_api/v1")).text, text);
  const list: UrlList = JSON.parse(text);
  const document = openApiDocument("");
  assert.deepEqual(Compile(document.components.schemas.UrlList ?? {}).Errors(list), [true, []]);
  const base = "https://analytics.example.com";
  const { api_reference, openapi, urls } = list;
  assert.deepEqual([api_reference, openapi], [`${base}/docs`, `${base}/data_api/v1/openapi.json`]);
  const seen = urls.map(({ url }) => url.replace(base, ""));
  assert.deepEqual(seen, [...Object.keys(document.paths), "/odata/v1/"]);
  const ask = async (path: string, authorization: string) =>
    (await fetch(service.url + path, { method: "HEAD", headers: { authorization } })).status;
  for (const { url, summary, needs_api_key } of urls) {
    assert.ok(summary.length > 10, url);
    const path = url.replace(base, "");
    // A link that does not exist answers as one that was deleted.
    const found = path.includes("{key}") ? 404 : 200;
    assert.equal(await ask(path, `Bearer ${key}`), found, url);
    assert.equal(await ask(path, ""), needs_api_key ? 401 : found, url);
  }
});

test("passes the strict rules of Redocly", async () => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const lint = (document: object) => lintFromString({ source: JSON.stringify(document), config });
  const problems = await lint(openApiDocument("http://127.0.0.1:8080"));
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    [],
  );
  assert.notDeepEqual(await lint({ openapi: "3.1.0", info: {}, paths: {} }), [], "the linter finds errors");
});

test("describes every field, with an example that its own schema accepts", () => {
  for (const [name, schema] of Object.entries(emailRecordSchema.properties)) {
    const { description, examples } = schema as { description?: string; examples?: unknown[] };
    assert.ok(description, name);
    assert.ok(examples && examples.length > 0, name);
    for (const example of examples ?? []) assert.ok(Compile(schema).Check(example), name);
  }
});

test("states the unit of every rate and percentage", () => {
  for (const name of emailRecordFieldNames.filter((each) => /rate|read_time|average/.test(each))) {
    assert.match(JSON.stringify(emailRecordSchema.properties[name]), /Unit: /, name);
  }
});

test("describes every error of the endpoint by status", () => {
  const { paths } = openApiDocument("https://x.example") as {
    paths: Record<string, { get: { responses: Record<string, unknown> } }>;
  };
  const described = Object.keys(paths["/data_api/v1/emails"]?.get.responses ?? {});
  // A GET has no conflict, no rate limit and no request body. Only changes have a cursor,
  // only OData has formats and options.
  const { conflict, gone, too_many_requests, unsupported_media_type, ...rest } = errors;
  const { not_acceptable, not_implemented, ...answered } = rest;
  const others: { status: number }[] = [
    ...[conflict, gone, too_many_requests, unsupported_media_type, not_acceptable, not_implemented],
  ];
  assert.deepEqual(pick(others, "status"), [409, 410, 429, 415, 406, 501]);
  const expected = ["200", "304", ...Object.values(answered).map(({ status }) => String(status))].sort();
  assert.deepEqual(described.sort(), expected);
});

test("serves responses that match the OpenAPI schema (specification 2.1)", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [
    campaign({ id: 1, tags: ["a"] }),
    campaign({ id: 2, sentFrom: null, surveysCount: null }),
  ]);
  const service = await serve(t, world);
  const check = Compile(emailRecordSchema);
  for (const record of (await service.emails(key)).emails) assert.deepEqual(check.Errors(record), [true, []]);
});
