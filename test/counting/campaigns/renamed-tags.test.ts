// Tags that people rename keep their campaigns, though files and senders still say the names from before.

import assert from "node:assert/strict";
import test from "node:test";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { changeTag } from "../../support/change-tag.ts";
import { campaign, makeAcme, present } from "../../support/world.ts";

test("a file and a sender that say the old name of a tag mean the tag", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { id } = organization;
  const file = [campaign({ id: 1, tags: ["Promo", "Other"] }), campaign({ id: 2, tags: ["Promo"] })];
  await world.save(organization, file);
  await world.register(organization, 3, { tags: ["Promo"] });
  const rename = async (from: string, name: string) => {
    const tag = (await world.tagsOf(organization)).find((each) => each.name === from);
    const change = { organizationId: id, id: tag?.id ?? 0, change: { name }, now: present };
    await world.database.transaction((queries) => changeTag(queries, change));
  };
  const names = async () => {
    const campaigns = await world.read(organization, (scope) => findCampaigns(scope, [1, 2, 3]));
    return campaigns.map(({ tags }) => tags.map(({ name }) => name).sort());
  };
  await rename("Promo", "Sale");
  const renamed = [["Other", "Sale"], ["Sale"], ["Sale"]];
  assert.deepEqual(await names(), renamed);
  assert.deepEqual(await world.save(organization, file), ["unchanged", "unchanged"]);
  assert.equal(await world.register(organization, 3, { tags: ["Promo"] }), "unchanged");
  assert.deepEqual(await names(), renamed);

  await rename("Sale", "Offers");
  await world.save(organization, [campaign({ id: 2, tags: ["Sale", "Promo"] })]);
  assert.deepEqual((await names())[1], ["Offers"]);

  // A tag that has the name now is meant, and the last one that had it.
  await rename("Other", "Promo");
  await world.save(organization, [campaign({ id: 2, tags: ["Promo"] })]);
  assert.deepEqual((await names())[1], ["Promo"]);
  await rename("Promo", "Other");
  await world.save(organization, [campaign({ id: 2, tags: ["Promo"] })]);
  assert.deepEqual((await names())[1], ["Other"]);
});
