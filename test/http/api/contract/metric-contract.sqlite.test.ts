// GET /data_api/v1/metrics.json: the metric contract, without a key.

import assert from "node:assert/strict";
import test from "node:test";
import { Compile } from "typebox/schema";
import { metricContractSchema } from "../../../../docs/generate/openapi/metric-contract-schema.ts";
import { metricContract } from "../../../../src/campaign/feed/metric-contract.ts";
import { makeWorld, serve } from "../../../support/world.ts";

const path = "/data_api/v1/metrics.json";

test("serves the metric contract without a key, as the OpenAPI document describes it", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const { status, body, headers } = await service.get(path);
  assert.deepEqual([status, body], [200, JSON.parse(JSON.stringify(metricContract))]);
  assert.deepEqual(Compile(metricContractSchema).Errors(body), [true, []]);
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(headers.get("cache-control"), "public, max-age=3600");
});

test("answers 304 to a client that has the metric contract", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const etag = (await service.get(path)).headers.get("etag") ?? "";
  assert.match(etag, /^W\/"[\w-]{27}"$/);
  const known = await service.get(path, { headers: { "if-none-match": etag } });
  assert.deepEqual([known.status, known.headers.get("etag")], [304, etag]);
  const other = await service.get(path, { headers: { "if-none-match": 'W/"other"' } });
  assert.equal(other.status, 200);
});
