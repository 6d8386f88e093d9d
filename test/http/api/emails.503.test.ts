// GET /data_api/v1/emails with 503: the process is overloaded, and a retry succeeds later.

import assert from "node:assert/strict";
import test from "node:test";
import { campaign, makeWorld, serve } from "../../support/world.ts";

test("503: refuses a page that waited too long, but not one in the cache", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const service = await serve(t, world);
  const path = "/data_api/v1/emails";
  for (let time = 0; time < 2; time++) assert.equal((await service.get(path, { key })).status, 200);
  let now = 0;
  // Whatever is measured takes a second.
  const clock = t.mock.method(performance, "now", () => {
    now += 1_000;
    return now;
  });
  const cached = await service.get(path, { key });
  const refused = await service.get(`${path}?page=2`, { key });
  clock.mock.restore();
  assert.equal(cached.status, 200);
  assert.deepEqual(
    [refused.status, refused.body],
    [503, { error: "unavailable", error_message: "The service is busy. Try again." }],
  );
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.equal((await service.get(`${path}?page=2`, { key })).status, 200);
});
