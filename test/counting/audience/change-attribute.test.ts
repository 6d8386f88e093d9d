// Attributes are renamed and removed. Nothing that was counted by a removed one is left, and other numbers stay.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { removeAttribute, renameAttribute } from "../../../src/counting/audience/change-attribute.ts";
import { recountCampaign } from "../../../src/counting/tallies/recount.ts";
import { findInDirectory } from "../../../src/storage/audience/directory.ts";
import { findReleasedGroups } from "../../../src/storage/audience/released-groups.ts";
import { listGroups } from "../../../src/storage/audience/store-groups.ts";
import { findPublishedEmails } from "../../../src/storage/campaigns/emails.ts";
import { readRecipients } from "../../../src/storage/ledgers/recipients.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { putDirectory, releaseGroups, saveList } from "../../support/audience.ts";
import { open, opens } from "../../support/events.ts";
import { makeAcme, run, type World } from "../../support/world.ts";

/** Department is attribute 1, with the value Sales (3); Site is attribute 2, with the value Ulm (4). */
async function given(t: TestContext) {
  const { world, organization } = await makeAcme(t);
  await putDirectory(world, organization, {
    "person-1@example.com": { Department: "Sales", Site: "Ulm" },
    "person-30@example.com": { Department: "Sales" },
  });
  for (const id of [1, 2]) {
    await world.register(organization, id);
    await saveList(world, organization, id, [{ count: 12, values: { Department: "Sales", Site: "Ulm" } }]);
  }
  await world.ingest(organization, opens(12));
  await releaseGroups(world);
  return { world, organization };
}

async function remove({ database, clock }: World, { id }: Organization, attribute: number) {
  const steps: string[] = [];
  do {
    const step = await database.transaction(async (queries) => {
      const organization = (await findOrganization(new Scope(queries, id))) as Organization;
      return removeAttribute(new Scope(queries, organization.id), organization, {
        id: attribute,
        now: clock.now,
      });
    });
    steps.push(step);
  } while (steps.at(-1) === "more");
  return steps;
}

const released = ({ database }: World, { id }: Organization) =>
  database.query(async (queries) =>
    (await findReleasedGroups(new Scope(queries, id), [1, 2]))
      .map(({ campaignId, attribute, value, peopleOpens }) => [campaignId, attribute, value, peopleOpens])
      .sort(),
  );

test("removes an attribute step by step from campaigns, recipients, and the directory", async (t) => {
  const { world, organization } = await given(t);
  const { id } = organization;
  const read = () =>
    world.database.query(async (queries) => ({
      emails: (await findPublishedEmails(new Scope(queries, id), [1, 2])).map((email) => email?.unique_opens),
      groups: (await listGroups(new Scope(queries, id))).map(({ name }) => name),
      counted: await queries.selectFrom("campaign_groups").select("attribute_id").distinct().execute(),
      states: (await readRecipients(new Scope(queries, id), { ledgerId: 1, after: "", limit: 20 })).map(
        ({ state }) => state.groups,
      ),
    }));
  const before = await read();
  assert.deepEqual(await remove(world, organization, 1), ["more", "more", "removed"]);
  assert.deepEqual(await remove(world, organization, 1), ["gone"]);
  assert.deepEqual(await read(), {
    ...{ emails: before.emails, groups: ["Site", "Ulm"], counted: [{ attribute_id: 2 }] },
    states: before.states.map(() => ({ 2: 4 })),
  });
  assert.deepEqual(await released(world, organization), [
    [1, "Site", "Ulm", 12],
    [2, "Site", "Ulm", 0],
  ]);
  const directory = await world.database.query(async (queries) => {
    const found = (await findOrganization(new Scope(queries, id))) as Organization;
    const rows = await queries.selectFrom("directory").select("recipient").execute();
    const hashes = rows.map(({ recipient }) => recipient);
    return [...(await findInDirectory(new Scope(queries, found.id), found, hashes)).values()].map((groups) =>
      JSON.stringify(groups),
    );
  });
  assert.deepEqual(directory.sort(), ['{"2":4}', "{}"]);
  // Counting goes on with what is left.
  await world.ingest(organization, [open(30, { id: "later" })]);
  await world.database.transaction(async (queries) => {
    const found = (await findOrganization(new Scope(queries, id))) as Organization;
    for (const campaign of [1, 2]) {
      const options = { isRepaired: false, now: world.clock.now };
      assert.deepEqual(await recountCampaign(new Scope(queries, found.id), found, campaign, options), []);
    }
  });
});

test("publishes campaigns again when an attribute is renamed", async (t) => {
  const { world, organization } = await given(t);
  const revision = async () => (await world.read(organization, findOrganization))?.revision ?? 0;
  const before = await revision();
  const rename = (id: number) =>
    world.write(organization, (scope) => renameAttribute(scope, { id, name: "Unit", now: world.clock.now }));
  assert.equal(await rename(1), true);
  assert.equal(await rename(9), false);
  assert.ok((await revision()) > before);
  assert.deepEqual((await released(world, organization))[1], [1, "Unit", "Sales", 12]);
});

test("directory delete-attribute needs --yes, and names the attributes that exist", async (t) => {
  const { world, organization } = await given(t);
  const deleting = (...argv: string[]) => run(world.databaseUrl, ["directory", "delete-attribute", ...argv]);
  const unconfirmed = await deleting("Site");
  assert.match(unconfirmed.stderr, /deletes the results of all campaigns by this attribute; add --yes/);
  assert.equal(unconfirmed.exitCode, 2);
  const unknown = await deleting("Team", "--yes");
  assert.match(unknown.stderr, /organization 1 has no attribute "Team"; it has "Department", "Site"/);
  const deleted = await deleting("site", "--yes");
  assert.match(deleted.stdout, /^Deleted the attribute "Site"\./);
  const found = (await released(world, organization)).map(([, attribute]) => attribute);
  assert.deepEqual(found, ["Department", "Department"]);
});
