// When campaigns are opened: what is cached of a campaign ends with its change.

import assert from "node:assert/strict";
import test from "node:test";
import { OpenTimesReader } from "../../../src/listing/reports/open-times.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import { backUp } from "../../support/back-up.ts";
import { makeWorld, present } from "../../support/world.ts";

test("open times are right after a backup is restored and a revision repeats", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 100);
  const restore = await backUp(world.database, organization.id);
  const reader = new OpenTimesReader(world.database);
  const open = (...recipients: string[]) =>
    world.ingest(
      organization,
      recipients.map((recipient) => {
        return {
          id: recipient,
          campaign_id: 100,
          recipient,
          type: "open",
          at: new Date(present).toISOString(),
        };
      }),
    );
  const read = async () => {
    const { hours } = await reader.read(organization, [100]);
    const current = await world.database.query((queries) => findOrganization(queries, organization.id));
    return { opens: hours.all.reduce((sum, count) => sum + count), revision: current?.revision };
  };
  await open("lost@example.com");
  const lost = await read();
  assert.equal(lost.opens, 1);
  await restore();
  await open("a@example.com", "b@example.com");
  assert.deepEqual(await read(), { opens: 2, revision: lost.revision });
});
