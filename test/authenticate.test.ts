// Who asks, at every address that takes a key: what can be refused without the database is refused without it.

import assert from "node:assert/strict";
import test from "node:test";
import { newApiKey } from "../src/api-key.ts";
import type { Database } from "../src/storage/database.ts";
import { makeWorld, region, serve } from "./world.ts";

const addresses = [
  { method: "GET", path: "/data_api/v1/emails" },
  { method: "PUT", path: "/ingest/v1/campaigns/1" },
  { method: "DELETE", path: "/ingest/v1/campaigns/1" },
  { method: "POST", path: "/ingest/v1/events" },
  { method: "POST", path: "/ingest/v1/campaigns/1/messages" },
];

test("a missing, malformed or foreign key is refused without anything being asked of the database", async (t) => {
  const world = await makeWorld(t);
  let asked = 0;
  const gone = () => {
    asked += 1;
    return Promise.reject(new Error("the database is gone"));
  };
  const database: Database = { ...world.database, read: gone, write: gone };
  const service = await serve(t, world, { database });
  const own = `Bearer ${newApiKey(region, 1)}`;
  const foreign = /^The API key belongs to the region "(?:us|eu|ca|au)", this is the region "test"\. /;
  const refused: [Record<string, string>, RegExp][] = [
    [{}, /^The API key is missing\. /],
    [{ authorization: own.slice(0, -1) }, /^The API key is malformed: /],
    [{ authorization: "Digest x" }, /^The header Authorization has neither the scheme Bearer nor Basic\. /],
    [{ authorization: own, bearer_auth: newApiKey(region, 2) }, /^The request has two credentials /],
    ...["us", "eu", "ca", "au"].map((name): [Record<string, string>, RegExp] => [
      { authorization: `Bearer ${newApiKey(name, 1)}` },
      foreign,
    ]),
  ];
  for (const { method, path } of addresses) {
    for (const [headers, message] of refused) {
      const { status, body } = await service.get(path, { method, headers });
      assert.deepEqual([status, body.error], [401, "unauthorized"], `${method} ${path}`);
      assert.match(body.error_message, message);
    }
  }
  assert.equal(asked, 0);
  // A key of this region can only be looked up, and that fails here.
  for (const { method, path } of addresses) {
    const { status } = await service.get(path, { method, headers: { authorization: own } });
    assert.equal(status, 500, `${method} ${path}`);
  }
  assert.equal(asked, addresses.length);
});
