// Listing the teams of an organization.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listTeams, teamKeyOf } from "../../../src/storage/campaigns/teams.ts";
import { campaign, makeWorld } from "../../support/world.ts";

test("listTeams lists each team once, in order, up to a limit, and only those of the organization", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const other = await world.addOrganization();
  const teams = ["Sales", "Ärzte", "Sales", null, "", "日本", "👩‍👩‍👧 family", 'it\'s "A"', "sales"];
  await world.save(
    organization,
    teams.map((team, index) => campaign({ id: index + 1, team })),
  );
  await world.save(other.organization, [campaign({ id: 1, team: "Another's" })]);
  const list = (limit: number) =>
    world.database.query((queries) => listTeams(queries, organization.id, limit));
  assert.deepEqual(await list(100), ["Sales", 'it\'s "A"', "sales", "Ärzte", "日本", "👩‍👩‍👧 family"]);
  assert.deepEqual(await list(2), ["Sales", 'it\'s "A"']);
  assert.deepEqual(await world.database.query((queries) => listTeams(queries, organization.id + 99, 9)), []);
});

test("a team of any length can be saved, and is distinguished by its first 200 characters", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const long = "𝒯".repeat(5_000);
  await world.save(organization, [campaign({ id: 1, team: long }), campaign({ id: 2, team: `${long}!` })]);
  const teams = await world.database.query((queries) => listTeams(queries, organization.id, 9));
  assert.deepEqual(teams, ["𝒯".repeat(200)]);
  assert.equal(teamKeyOf(long), teams[0]);
  assert.equal(teamKeyOf("short"), "short");
});
