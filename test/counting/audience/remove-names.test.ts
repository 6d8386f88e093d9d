// An organization that refuses persons has no names, and counts on as before.

import assert from "node:assert/strict";
import test from "node:test";
import { type CountedCampaign, parseCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { correctCampaign, detailsOf } from "../../../src/counting/campaigns/correct-campaign.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { replayQuarantined } from "../../../src/counting/events/replay.ts";
import { recountCampaign } from "../../../src/counting/tallies/recount.ts";
import { runDueTasks } from "../../../src/counting/upkeep/due-tasks.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findPublishedEmails } from "../../../src/storage/campaigns/emails.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { readNames } from "../../../src/storage/ledgers/recipients.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { click, open, opens } from "../../support/events.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { countedCampaign, makeAcme, run, type World } from "../../support/world.ts";

async function organizationOf(world: World, id: number): Promise<Organization> {
  return (await world.read({ id }, findOrganization)) as Organization;
}

const names = (world: World, organizationId: number, ledgerId: number) =>
  world.read({ id: organizationId }, (scope) => readNames(scope, ledgerId));

test("replaces names by hashes, and later events find their recipients, also forgotten ones", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { id } = organization;
  await world.register(organization, 1, { tracking_type: "Individual" });
  await world.ingest(organization, [open(1), open(2), click(3), open(4, { campaign_id: 7 })]);
  await world.database.transaction(async (queries) => {
    await forgetRecipient(
      new Scope(queries, id),
      await organizationOf(world, id),
      "person-2@example.com",
      world.clock.now,
    );
  });
  const before = await names(world, id, 1);
  assert.equal(before.filter((name) => name.includes("@")).length, 2);

  await world.write({ id }, (scope) => changeOrganization(scope, { persons: "refuse" }, world.clock.now));
  await runDueTasks(world.database, world.clock.now);
  const after = await names(world, id, 1);
  assert.equal(after.length, 3);
  assert.ok(
    after.every((name) => /^( forgotten:)?[0-9a-f]{32}$/.test(name)),
    after.join(),
  );
  assert.deepEqual(
    ((found) => [found.minAnswers, found.minGroup, found.persons])(await organizationOf(world, id)),
    [10, 10, "refuse"],
  );

  const refusing = await organizationOf(world, id);
  await world.ingest(refusing, [
    open(1, { id: "again" }),
    open(2, { id: "forgotten" }),
    open(3, { id: "opened" }),
  ]);
  const read = () =>
    world.database.query(async (queries) => {
      const [email] = await findPublishedEmails(new Scope(queries, id), [1]);
      return [email?.tracking_type, email?.unique_opens, email?.total_opens, email?.unique_clicks];
    });
  assert.deepEqual(await read(), ["Anonymous", 3, 4, 1]);
  assert.equal((await names(world, id, 1)).length, 3, "the forgotten recipient is ignored");
  const drifts = await world.write(refusing, (scope) =>
    recountCampaign(scope, refusing, 1, {
      isRepaired: false,
      now: world.clock.now,
    }),
  );
  assert.deepEqual(drifts, []);

  // What was quarantined with a name counts without it.
  await world.register(refusing, 7, { tracking_type: "Anonymous" });
  await world.write(refusing, (scope) =>
    replayQuarantined(scope, refusing, { campaigns: [7] }, world.clock.now),
  );
  const [name = ""] = await names(world, id, 2);
  assert.match(name, /^[0-9a-f]{32}$/);
  assert.deepEqual(await placesWith(world, "person-"), []);
});

test("organization change removes names only with --yes, and leaves no trace of them", async (t) => {
  const { world, organization } = await makeAcme(t, { register: { tracking_type: "Individual" } });
  await world.ingest(organization, opens(200));
  assert.notDeepEqual(await placesWith(world, "person-150@"), []);
  const argv = ["organization", "change", "--persons", "refuse"];
  const refused = await run(world.databaseUrl, argv);
  assert.equal(refused.exitCode, 2);
  assert.match(refused.stderr, /replaces the names of all recipients by hashes.*add --yes/);
  await world.database.close();
  const changed = await run(world.databaseUrl, [...argv, "--yes"]);
  assert.equal(changed.stdout, "Changed organization 1.\n", changed.stderr);
  if (world.databaseUrl.startsWith("sqlite:")) assert.deepEqual(await placesWith(world, "person-"), []);
});

test("refuses campaigns with names, and low minimums", async (t) => {
  const { world, organization } = await makeAcme(t);
  const change = (changed: Parameters<typeof changeOrganization>[1]) =>
    world.write(organization, (scope) => changeOrganization(scope, changed, world.clock.now));
  await change({ persons: "refuse", minAnswers: 12 });
  const refusing = await organizationOf(world, organization.id);
  assert.deepEqual([refusing.minAnswers, refusing.minGroup], [12, 10]);
  await assert.rejects(
    world.register(refusing, 1, { tracking_type: "Individual" }),
    /tracking_type: "Individual" is refused, because the organization keeps no persons/,
  );
  await assert.rejects(change({ minAnswers: 9 }), /minimum of answers: 9 is too low .*; choose 10 or more/);
  await assert.rejects(change({ minGroup: 5 }), /minimum of recipients in a group: 5 is too low/);
  await change({ persons: "allow" });
  await world.register(await organizationOf(world, organization.id), 1, { tracking_type: "Individual" });
});

test("takes the registration of an old campaign with the type that it has, and of a closed one with Anonymous", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { id } = organization;
  const named = { tracking_type: "Individual" };
  for (const each of [1, 2]) await world.register(organization, each, named);
  const byUser = parseCountedCampaign(3, { ...countedCampaign(3), ...named }, "UTC") as CountedCampaign;
  await world.ingest(organization, [open(1), open(2, { campaign_id: 2 })]);
  await world.database.transaction(async (queries) => {
    await saveCountedCampaign(
      new Scope(queries, organization.id),
      organization,
      byUser,
      world.clock.now,
      "user",
    );
    await closeCampaign(new Scope(queries, organization.id), organization, 1, world.clock.now);
    await changeOrganization(new Scope(queries, id), { persons: "refuse" }, world.clock.now);
  });
  const sends = (each: number, trackingType: string) =>
    world
      .register(organization, each, { tracking_type: trackingType, subject: "Same" })
      .catch((error: Error) => / (keep|use) "\w+"/.exec(error.message)?.[0] ?? error.message);
  const corrects = (each: number) =>
    world.database.transaction(async (queries) => {
      const [stored] = await findCampaigns(new Scope(queries, id), [each]);
      const details = detailsOf(stored as StoredCampaign);
      const correction = {
        id: each,
        details,
        actor: "ann",
        input: { subject: `Corrected ${trials++}` },
        now: 1,
      };
      return correctCampaign(new Scope(queries, id), await organizationOf(world, id), correction);
    });
  let trials = 1;
  // The closed campaign keeps its type until its sender sends the one that the organization asks for.
  assert.deepEqual([await sends(1, "Individual"), await sends(1, "Individual")], ["changed", "unchanged"]);
  assert.deepEqual([await corrects(1), await sends(1, "Overall")], ["changed", ' keep "Individual"']);
  assert.deepEqual([await sends(1, "Anonymous"), await sends(1, "Anonymous")], ["changed", "unchanged"]);
  assert.deepEqual([await corrects(1), await sends(1, "Individual")], ["changed", ' keep "Anonymous"']);
  // The open one waits for upkeep, which removes its names.
  assert.deepEqual([await sends(2, "Individual"), await corrects(2)], ["changed", "changed"]);
  assert.equal(await sends(2, "Anonymous"), ' keep "Individual"');
  await runDueTasks(world.database, world.clock.now);
  // The corrected subject stays.
  assert.deepEqual([await sends(2, "Anonymous"), await corrects(2)], ["unchanged", "changed"]);
  assert.equal(await sends(2, "Individual"), ' keep "Anonymous"');
  // A user registered this one, and nobody has sent events of it: it has no senders.
  assert.equal(await corrects(3), "changed");
});
