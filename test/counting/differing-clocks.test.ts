// Two processes whose clocks differ: what one has published stays published for the other.

import assert from "node:assert/strict";
import test from "node:test";
import { checkDatabase } from "../../src/counting/integrity/check-database.ts";
import { open } from "../support/events.ts";
import { campaign, makeWorld, makeWorldOn, present, serve } from "../support/world.ts";

test("shows a campaign with its later changes when the clock of another process is before its send time", async (t) => {
  const ahead = await makeWorld(t);
  const behind = await makeWorldOn(t, ahead.databaseUrl, { now: present - 60_000 });
  const { organization, key } = await ahead.addOrganization();
  const sentAt = present - 1_000;
  await ahead.save(organization, [campaign({ id: 1, sentAt, subject: "First" })]);
  await ahead.register(organization, 2, { sent_at: new Date(sentAt).toISOString(), recipient_count: 10 });
  const service = await serve(t, ahead);
  const shown = async () =>
    (await service.emails(key)).emails
      .map(({ id, subject, total_opens }) => [String(id), subject, total_opens])
      .sort();
  assert.equal((await shown()).length, 2);

  await behind.save(organization, [campaign({ id: 1, sentAt, subject: "Second" })]);
  const at = new Date(present - 90_000).toISOString();
  await behind.ingest(organization, [open(1, { campaign_id: 2, at })]);
  const [first, second] = await shown();
  assert.deepEqual([first?.[1], second?.[2]], ["Second", 1]);
  assert.deepEqual((await checkDatabase(ahead.database, () => undefined)).damage, []);

  // A send time in the future still withdraws it.
  await behind.save(organization, [campaign({ id: 1, sentAt: present + 60_000, subject: "Later" })]);
  assert.equal((await shown()).length, 1);
});
