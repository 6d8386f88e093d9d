// Editing many campaigns in parts, rules for new ones, and campaigns of different tools with the same ids.

import assert from "node:assert/strict";
import test from "node:test";
import { parseReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { continueImport } from "../../../src/counting/import/continue-import.ts";
import {
  type EditRequest,
  finishImport,
  importRows,
  startEdit,
} from "../../../src/counting/import/import-upload.ts";
import { startUndo } from "../../../src/counting/import/undo-import.ts";
import { importLifetimeMs } from "../../../src/counting/import/upload.ts";
import { findCampaignIds, findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { addImport, findImport, type StoredImport } from "../../../src/storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { addRule, listRules } from "../../../src/storage/organizations/rules.ts";
import { addTag } from "../../../src/storage/organizations/tags.ts";
import type { Scope } from "../../../src/storage/queries/scope.ts";
import { makeAcme, type World } from "../../support/world.ts";

const record = (id: number, more: object = {}) => {
  const fields = { id, subject: `News ${id}`, sent_at: "2026-05-01T09:00:00Z", unique_opens: id, ...more };
  const { reported, errors } = parseReportedCampaign(fields, "UTC");
  assert.ok(reported, JSON.stringify(errors));
  return reported;
};

/** Runs all parts of an edit, or of undoing it. */
async function run(world: World, organization: Organization, start: (scope: Scope) => Promise<number>) {
  const { now } = world.clock;
  const id = await world.write(organization, start);
  const next = () =>
    world.write(organization, async (scope) =>
      continueImport(scope, (await lockOrganization(scope)) as Organization, { id, now }),
    );
  for (let step = await next(); ; step = await next()) if (step !== "more") return step;
}

const edit = (world: World, organization: Organization, request: Omit<EditRequest, "actor">) =>
  run(world, organization, (scope) => startEdit(scope, { actor: "ann", ...request }, world.clock.now));
const undo = (world: World, organization: Organization, id: number) =>
  run(world, organization, async (scope) => {
    await startUndo(scope, { id, actor: "ann", now: world.clock.now });
    return id;
  });

async function stateOf(world: World, organization: Organization) {
  const all = await world.read(organization, async (scope) =>
    findCampaigns(scope, await findCampaignIds(scope)),
  );
  return all
    .toSorted((a, b) => a.campaign.id - b.campaign.id)
    .map(({ campaign, numbers, tags, corrections, counting, registration, origin }) => ({
      ...{ campaign, numbers, corrections, counting, registration, origin },
      tags: tags.map(({ id }) => id).toSorted(),
    }));
}

test("edits and deletes many campaigns, and undoing gives back every byte", async (t) => {
  const { world, organization } = await makeAcme(t, { register: { team: "IC" } });
  const ids = Array.from({ length: 250 }, (_, index) => index + 2);
  await world.save(
    organization,
    ids.map((id) => record(id, { tags: ["Old"], organization_team: "HR" })),
  );
  const tag = await world.write(organization, (scope) => addTag(scope, { name: "New", color: "#112233" }));
  const old = (await world.tagsOf(organization)).find(({ name }) => name === "Old");
  assert.ok(old);
  const before = await stateOf(world, organization);
  const all = [1, ...ids];
  const tagged = await edit(world, organization, { ids: all, edit: { add: tag, remove: old } });
  const teamed = await edit(world, organization, { ids: all, edit: { team: "IC" } });
  assert.deepEqual(tagged.outcomes, { added: 0, changed: 251, unchanged: 0 });
  assert.deepEqual(teamed.outcomes, { added: 0, changed: 250, unchanged: 1 });
  const after = await stateOf(world, organization);
  assert.ok(after.every(({ campaign, tags }) => campaign.team === "IC" && tags.join() === String(tag.id)));
  // An import says something else meanwhile, and someone corrects one of them.
  await world.save(organization, [record(2, { tags: ["Old", "More"], organization_team: "IT" })]);
  const single = await edit(world, organization, { ids: [3], edit: { team: "Law" } });
  await undo(world, organization, teamed.id);
  await undo(world, organization, tagged.id);
  const restored = await stateOf(world, organization);
  assert.deepEqual(
    restored.filter(({ campaign }) => campaign.id > 3 || campaign.id === 1),
    before.filter(({ campaign }) => campaign.id > 3 || campaign.id === 1),
  );
  assert.deepEqual([restored[1]?.campaign.team, restored[1]?.tags.length], ["IT", 2]);
  // Someone has set its team since then, but not its tags.
  assert.deepEqual([restored[2]?.campaign.team, restored[2]?.tags], ["Law", [old.id]]);
  const deleted = await edit(world, organization, { ids: ids.slice(2), edit: { deletes: true } });
  assert.equal((await stateOf(world, organization)).length, 3);
  assert.equal(deleted.outcomes.changed, 248);
  await undo(world, organization, deleted.id);
  assert.deepEqual(await stateOf(world, organization), restored);
  assert.deepEqual(
    (await edit(world, organization, { ids: [single.id], edit: { team: "X" } })).outcomes.changed,
    0,
  );
});

test("applies rules to new campaigns, and never over what a person has set", async (t) => {
  const { world, organization } = await makeAcme(t);
  const tag = await world.write(organization, (scope) =>
    addTag(scope, { name: "Newsletter", color: "#112233" }),
  );
  await world.save(organization, [record(1)]);
  const rule = { createdAt: 1, text: "NEWS", team: null, tagId: null };
  await world.write(organization, async (scope) => {
    await addRule(scope, { ...rule, id: 1, field: "subject", tagId: tag.id });
    await addRule(scope, { ...rule, id: 2, field: "sender", text: "HR@example.com", team: "HR" });
    await addRule(scope, { ...rule, id: 3, field: "tool", text: "Brevo", team: "Marketing" });
  });
  await world.save(organization, [
    record(1),
    record(2, { sent_from: "hr@example.com", organization_team: "Office" }),
    { ...record(3), origin: { tool: "Brevo", id: "3" } },
  ]);
  await world.register(organization, 4, { subject: "The news", sent_from: "hr@example.com" });
  const shown = async () =>
    (await stateOf(world, organization)).map(({ campaign, tags }) => [campaign.team, tags.length]);
  assert.deepEqual(await shown(), [
    [null, 0],
    ["HR", 1],
    ["Marketing", 1],
    ["HR", 1],
  ]);
  await edit(world, organization, { ids: [2, 3], edit: { remove: tag, team: "Mine" } });
  const author = { by: "subject: NEWS", isRule: true } as const;
  await edit(world, organization, { ids: [1, 2, 3, 4], edit: { add: tag, team: "Rule", author } });
  assert.deepEqual(await shown(), [
    ["Rule", 1],
    ["Mine", 0],
    ["Mine", 0],
    ["Rule", 1],
  ]);
});

/** Imports records as a file. @returns the id of the import */
async function importFile(
  { world, organization }: { world: World; organization: Organization },
  records: readonly ReturnType<typeof record>[],
): Promise<number> {
  const { now } = world.clock;
  return world.write(organization, async (scope) => {
    const times = { createdAt: now, expiresAt: now + importLifetimeMs };
    const id = await addImport(scope, { ...times, createdBy: "ann", fileName: "f.csv", bytes: 1 });
    const imported = (await findImport(scope, id)) as StoredImport;
    const rows = records.map((reported) => ({ where: "f.csv", reported }));
    await finishImport(scope, await importRows(scope, organization, imported, rows, now), now);
    return id;
  });
}

test("undoing an import keeps the tags that rules add", async (t) => {
  const { world, organization } = await makeAcme(t);
  const id = await importFile({ world, organization }, [record(1, { tags: ["Ruled", "Gone"] })]);
  const [, tag] = await world.tagsOf(organization);
  const rule = {
    createdAt: 1,
    id: 1,
    field: "subject",
    text: "news",
    team: null,
    tagId: tag?.id ?? 0,
  } as const;
  await world.write(organization, (scope) => addRule(scope, rule));
  await undo(world, organization, id);
  assert.deepEqual(await world.tagsOf(organization), [tag]);
  assert.equal((await world.read(organization, listRules)).length, 1);
});

test("campaigns of different tools with the same ids never meet", async (t) => {
  const { world, organization } = await makeAcme(t);
  const from = (tool: string, id: number, subject: string, sent_at = "2026-05-01T09:00:00Z") => ({
    ...record(id, { subject, sent_at }),
    origin: { tool, id: String(id) },
  });
  await world.save(organization, [record(22, { subject: "Ours" })]);
  const [brevo, monkey] = [from("Brevo", 22, "Größe zählt"), from("ContactMonkey", 22, "Collision test")];
  for (let times = 0; times < 2; times += 1) {
    await world.save(organization, [brevo]);
    await world.save(organization, [monkey]);
  }
  const subjects = async () =>
    (await stateOf(world, organization)).map(({ campaign, origin }) => [
      campaign.subject,
      origin?.tool ?? null,
    ]);
  assert.deepEqual((await subjects()).sort(), [
    ["Collision test", "ContactMonkey"],
    ["Größe zählt", "Brevo"],
    ["Ours", null],
  ]);
  const ids = (await stateOf(world, organization)).map(({ campaign }) => campaign.id);
  assert.ok(ids.every((id) => String(id).length <= 15));
  // The tool changes a subject; another file adopts a campaign of unknown origin.
  await world.save(organization, [from("Brevo", 22, "Größe zählt doch")]);
  await world.save(organization, [from("Klaviyo", 22, "Ours", "2026-05-01T19:00:00Z")]);
  assert.deepEqual((await subjects()).sort(), [
    ["Collision test", "ContactMonkey"],
    ["Größe zählt doch", "Brevo"],
    ["Ours", "Klaviyo"],
  ]);
  assert.deepEqual(
    (await stateOf(world, organization)).map(({ campaign }) => campaign.id),
    ids,
  );
});
