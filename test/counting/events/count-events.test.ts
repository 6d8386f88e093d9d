// Batches of which nothing counts.

import assert from "node:assert/strict";
import test from "node:test";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { open } from "../../support/events.ts";
import { makeAcme } from "../../support/world.ts";

test("raises no revision for a batch of repeated events, so that readers keep what they have", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const revision = () =>
    world.database.query(
      async (queries) => (await findOrganization(new Scope(queries, organization.id)))?.revision,
    );
  const before = await revision();
  await world.ingest(organization, [open(1)]);
  const counted = await revision();
  assert.notEqual(counted, before);
  assert.equal((await world.ingest(organization, [open(1), open(1)])).repeated, 2);
  assert.equal(await revision(), counted);
});
