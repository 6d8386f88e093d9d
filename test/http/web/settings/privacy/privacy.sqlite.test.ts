// The privacy page: removes names after the organization is typed, and states what follows from the settings.

import assert from "node:assert/strict";
import test from "node:test";
import { runDueTasks } from "../../../../../src/counting/upkeep/due-tasks.ts";
import { findOrganization } from "../../../../../src/storage/organizations/organizations.ts";
import { open } from "../../../../support/events.ts";
import { assertPage } from "../../../../support/pages.ts";
import { makeWebWorldOf } from "../../../../support/web-world.ts";

const path = "/settings/privacy";

test("removes names only after the name of the organization is typed, and states it", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  await world.register(organization, 1, { tracking_type: "Individual" });
  await world.ingest(organization, [open(1)]);
  assert.match(await admin.read("/campaigns/1/recipients"), /person-1@example\.com/);
  const allowed = await admin.read(path);
  assert.match(allowed, /what each recipient opened, clicked and answered/);
  assert.match(allowed, /groups of fewer than 10 recipients/);

  const wrong = await admin.post(path, "refuse", { name: "acme" });
  assertPage(wrong, 400, /acme.*the name of the organization, Acme/s);
  const find = () => world.database.queryOf(organization.id, findOrganization);
  assert.equal((await find())?.persons, "allow");

  const saved = await admin.post(path, "refuse", { name: "Acme" });
  assert.equal(saved.notice, "Saved. Names are replaced within minutes.");
  assert.equal((await find())?.minAnswers, 10);
  // Names are gone from the pages at once, and from the database with the next upkeep.
  assert.doesNotMatch(await admin.read("/campaigns/1/recipients"), /person-1/);
  assert.equal((await admin.get("/campaigns/1/recipients.csv")).status, 404);
  await runDueTasks(world.database, world.clock.now);
  const refused = await admin.read(path);
  assert.match(refused, /Who opened or clicked a message\./);
  assert.doesNotMatch(refused, /what each recipient opened/);

  assert.equal((await admin.post(path, "allow", {})).status, 303);
  assert.equal((await find())?.persons, "allow");
});
