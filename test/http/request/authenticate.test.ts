// Authentication of every route that takes an API key.

import assert from "node:assert/strict";
import test from "node:test";
import { generateApiKey } from "../../../src/access/api-key.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { parseAnswer, rawRequest } from "../../support/raw-request.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWorld, region, serve } from "../../support/world.ts";

const routes = [
  { method: "GET", path: "/data_api/v1/emails" },
  { method: "PUT", path: "/ingest/v1/campaigns/1" },
  { method: "DELETE", path: "/ingest/v1/campaigns/1" },
  { method: "POST", path: "/ingest/v1/events" },
  { method: "POST", path: "/ingest/v1/campaigns/1/messages" },
];

test("rejects a missing, malformed or foreign key without a database query", async (t) => {
  const world = await makeWorld(t);
  let asked = 0;
  const gone = () => {
    asked += 1;
    return Promise.reject(new Error("the database is gone"));
  };
  const database: Database = { ...world.database, query: gone, snapshot: gone, transaction: gone };
  const service = await serve(t, world, { database });
  const own = `Bearer ${generateApiKey(region, 1)}`;
  const foreign = /^The API key belongs to the region "(?:us|eu|ca|au)", but this is the region "test"\. /;
  const refused: [Record<string, string>, RegExp][] = [
    [{}, /^The API key is missing\. /],
    [{ authorization: own.slice(0, -1) }, /^The API key is malformed: /],
    [{ authorization: "Digest x" }, /^The header Authorization has neither the scheme Bearer nor Basic\. /],
    [
      { authorization: own, bearer_auth: generateApiKey(region, 2) },
      /^The request has two different credentials\. /,
    ],
    ...["us", "eu", "ca", "au"].map((name): [Record<string, string>, RegExp] => [
      { authorization: `Bearer ${generateApiKey(name, 1)}` },
      foreign,
    ]),
  ];
  for (const { method, path } of routes) {
    for (const [headers, message] of refused) {
      const { status, body } = await service.get(path, { method, headers });
      assert.deepEqual([status, body.error], [401, "unauthorized"], `${method} ${path}`);
      assert.match(body.error_message, message);
    }
  }
  assert.equal(asked, 0);
  // Only a valid key of this region causes a query, which fails here.
  for (const { method, path } of routes) {
    const { status } = await service.get(path, { method, headers: { authorization: own } });
    assert.equal(status, 500, `${method} ${path}`);
  }
  assert.equal(asked, routes.length);
});

sqliteTest("finds a credential in each of its headers, repeated and in any letter case", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const [one, other] = [generateApiKey(region, 1), generateApiKey(region, 1)];
  const messageFor = async (...headers: string[]) => {
    const head = ["GET /data_api/v1/emails HTTP/1.1", "Host: x", "Connection: close", ...headers, "", ""];
    const { status, body } = parseAnswer(await rawRequest(service.port, head.join("\r\n")));
    assert.equal(status, 401);
    return body.error_message;
  };
  // No such key exists. The message shows that the key was found in the headers.
  const found = /^The API key does not exist/;
  assert.match(await messageFor(`AUTHORIZATION: bearer   ${one}  `), found);
  assert.match(await messageFor(`authorization: Bearer ${one}`, `Authorization: Bearer  ${one}`), found);
  assert.match(await messageFor("Authorization: Bearer", `authorization: Bearer ${one}`), found);
  const seen = await messageFor(`Bearer_Auth: ${one}`, `BEARER-AUTH: ${one}`, "Cache-Control: no-cache");
  assert.match(seen, found);
  const differ = /^The request has two different credentials\./;
  for (const name of ["Authorization", "bearer_auth", "Bearer-Auth"]) {
    const headers = [one, other].map((key) => `${name}: Bearer ${key}`);
    assert.match(await messageFor(...headers), differ, name);
    assert.match(await messageFor(...headers.toReversed()), differ, name);
  }
  assert.match(await messageFor(`Authorization: Bearer ${one}`, "authorization: Digest x"), differ);
  const missing = /^The API key is missing/;
  // Header names of the same length, and one that contains `Authorization`.
  assert.match(await messageFor(`If-None-Match: Bearer ${one}`, `X-Something: ${one}`), missing);
  assert.match(await messageFor(`Proxy-Authorization: Bearer ${one}`), missing);
});
