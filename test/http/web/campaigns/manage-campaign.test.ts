// Closing and deleting a campaign in the browser.

import assert from "node:assert/strict";
import test from "node:test";
import { findCampaigns } from "../../../../src/storage/campaigns/campaigns.ts";
import { open } from "../../../support/events.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

test("closes a counted campaign, whose numbers stay, and deletes it", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  await world.register(organization, 1, { subject: "Spring <b>" });
  await world.ingest(organization, [open(1), open(2)]);
  const admin = await signIn("admin");
  assert.match((await admin.get("/campaigns/1?tab=details")).text, /<a href="\/campaigns\/1\/manage">/);
  const stored = async () =>
    (await world.database.query((queries) => findCampaigns(queries, organization.id, [1])))[0];
  const page = (await admin.get("/campaigns/1/manage")).text;
  assert.match(page, /Close this campaign/);
  const closed = await admin.post("/campaigns/1/manage", "close");
  assert.deepEqual([closed.status, closed.location], [303, "/campaigns/1"]);
  assert.equal((await stored())?.counting?.closedAt, world.clock.now);
  assert.doesNotMatch((await admin.get("/campaigns/1/manage")).text, /Close this campaign/);
  const again = await admin.post("/campaigns/1/manage", "close");
  assert.equal(again.status, 409);
  assert.match(again.text, /Only an open campaign that is counted from events can be closed/);

  const deleted = await admin.post("/campaigns/1/manage", "delete");
  assert.deepEqual([deleted.status, deleted.location], [303, "/campaigns"]);
  assert.match(deleted.notice, /Deleted “.*Spring <b>.*”/);
  assert.equal(await stored(), undefined);
  assert.equal((await admin.post("/campaigns/1/manage", "delete")).status, 404);
});

test("deletes an imported campaign, which cannot be closed", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const admin = await signIn("admin");
  assert.equal((await admin.post("/campaigns/1/manage", "close")).status, 409);
  assert.equal((await admin.post("/campaigns/1/manage", "delete")).status, 303);
  assert.equal((await admin.get("/campaigns/1")).status, 404);
  assert.equal((await admin.get("/campaigns/2")).status, 200);
});

test("lets only admins of the organization close and delete a campaign", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  await world.register(organization, 1);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const [viewer, stranger] = [await signIn("viewer"), await signIn("admin", { organization: other })];
  assert.doesNotMatch((await viewer.get("/campaigns/1?tab=details")).text, /manage/);
  for (const [client, status] of [
    [viewer, 403],
    [stranger, 404],
  ] as const) {
    assert.equal((await client.get("/campaigns/1/manage")).status, status);
    for (const action of ["close", "delete"]) {
      assert.equal((await client.post("/campaigns/1/manage", action)).status, status);
    }
  }
  const [stored] = await world.database.query((queries) => findCampaigns(queries, organization.id, [1]));
  assert.equal(stored?.counting?.closedAt, null);
});
