// Deletions leave no rows in other tables, whether a foreign key deletes them (SQLite) or the code does (PostgreSQL).

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { deleteOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import { addUser } from "../../src/storage/users/users.ts";
import { removeTag } from "../support/change-tag.ts";
import { makeWorld, present, type World } from "../support/world.ts";

const tables = [
  ...["campaigns", "campaign_tags", "campaign_hours", "campaign_links", "campaign_questions"],
  ...["event_ids", "recipients"],
];

/** Two campaigns with a click each. */
async function fill(world: World): Promise<Organization> {
  const { organization } = await world.addOrganization();
  const surveys = [{ survey_id: "s", kind: "enps", question: "Would you recommend us?" }];
  for (const id of [1, 2]) await world.register(organization, id, { tags: ["A", "B"], surveys });
  const click = { recipient: "ann@example.com", type: "click", url: "https://example.com/" };
  const events = [1, 2].map((id) => ({ ...click, id: "e", campaign_id: id, at: "2026-06-15T11:30:00Z" }));
  await world.ingest(organization, events);
  return organization;
}

async function count(world: World, { id }: Organization): Promise<Record<string, number>> {
  const counted = tables.map(async (table) => {
    const { rows } = await world.database.query((queries) =>
      sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where organization_id = ${id}`.execute(queries),
    );
    return [table, Number(rows[0]?.n)];
  });
  return Object.fromEntries(await Promise.all(counted));
}

const full = {
  campaigns: 2,
  campaign_tags: 4,
  campaign_hours: 2,
  campaign_links: 2,
  campaign_questions: 2,
  event_ids: 2,
  recipients: 2,
};

test("deleting a campaign deletes its tags, hours and links, and nothing of other organizations", async (t) => {
  const world = await makeWorld(t);
  const organization = await fill(world);
  const other = await fill(world);
  assert.deepEqual(await count(world, organization), full);
  await world.write(organization, (scope) => removeCampaign(scope, 1, present));
  // Upkeep deletes the rows of its ledger later.
  const left = {
    campaigns: 1,
    campaign_tags: 2,
    campaign_hours: 1,
    campaign_links: 1,
    campaign_questions: 1,
  };
  assert.deepEqual(await count(world, organization), { ...full, ...left });
  assert.deepEqual(await count(world, other), full);
});

test("deleting a tag removes it from all campaigns", async (t) => {
  const world = await makeWorld(t);
  const organization = await fill(world);
  const other = await fill(world);
  const [tag] = await world.tagsOf(organization);
  assert.ok(tag);
  const deleted = { organizationId: organization.id, id: tag.id, now: present };
  assert.ok(await world.database.transaction((queries) => removeTag(queries, deleted)));
  assert.deepEqual(await count(world, organization), { ...full, campaign_tags: 2 });
  assert.deepEqual(await count(world, other), full);
});

test("deleting an organization deletes all of its rows, and frees the emails of its users", async (t) => {
  const world = await makeWorld(t);
  const organization = await fill(world);
  const other = await fill(world);
  const ada = { email: "ada@example.com", role: "viewer", now: present } as const;
  const addAda = ({ id }: Organization) => world.write({ id }, (scope) => addUser(scope, { ...ada }));
  await addAda(organization);
  await assert.rejects(addAda(other), /A user with the email "ada@example\.com" already exists\./);
  await world.write(organization, deleteOrganization);
  const nothing = Object.fromEntries(tables.map((table) => [table, 0]));
  assert.deepEqual(await count(world, organization), nothing);
  assert.deepEqual(await count(world, other), full);
  assert.equal((await addAda(other)).organizationId, other.id);
});
