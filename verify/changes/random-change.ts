// Random changes of a few campaigns of one organization: one of each kind that a client must see.

import { closeCampaign } from "../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { renderOutdatedRecords } from "../../src/counting/publish.ts";
import { changeOrganization, type Organization } from "../../src/storage/organizations.ts";
import { changeTag, deleteTag, listTags } from "../../src/storage/tags.ts";
import { open } from "../../test/support/events.ts";
import type { Random } from "../../test/support/histories.ts";
import { campaign, type World } from "../../test/support/world.ts";

export interface ChangingOrganization {
  world: World;
  organization: Organization;
  random: Random;
  /** How many changes were made. */
  changes: number;
  /** The send times of all campaigns so far. */
  sendTimes: Set<number>;
  /** Counted campaigns that are neither closed nor deleted. */
  openIds: Set<number>;
}

type Change = (changing: ChangingOrganization, now: number) => Promise<unknown>;

const reportedIds = [1, 2, 3, 4, 5, 6];
const countedIds = [7, 8, 9];
const tagNames = ["News", "HR", "Both"];
const timeZones = ["UTC", "Asia/Tokyo", "Pacific/Apia"];

/** Makes one change, by the clock of a process that differs from the others by up to 2 ms. */
export async function makeRandomChange(changing: ChangingOrganization): Promise<void> {
  const { world, random } = changing;
  const difference = random.between(-2, 2);
  changing.changes += 1;
  world.clock.now += difference;
  await random.pick(changes)(changing, world.clock.now);
  world.clock.now -= difference;
}

const report: Change = (changing, now) => save(changing, now - changing.random.between(0, 50));
const schedule: Change = (changing, now) => save(changing, now + changing.random.between(0, 40));

function save(
  { world, organization, random, changes: count, sendTimes }: ChangingOrganization,
  sentAt: number,
) {
  sendTimes.add(sentAt);
  const tags = random.shuffle(tagNames).slice(0, random.between(0, 2));
  const id = random.pick(reportedIds);
  return world.save(organization, [campaign({ id, sentAt, subject: `Version ${count}`, tags })]);
}

const register: Change = async ({ world, organization, random, sendTimes, openIds }, now) => {
  const sentAt = now + random.between(-30, 30);
  sendTimes.add(sentAt);
  const id = random.pick(countedIds);
  const done = await world.register(organization, id, { sent_at: new Date(sentAt).toISOString() });
  if (done === "added") openIds.add(id);
};

const count: Change = ({ world, organization, random, changes: number }, now) => {
  const events = countedIds.map((campaign_id) =>
    open(number, { campaign_id, at: new Date(now + 60).toISOString() }),
  );
  return world.ingest(organization, random.shuffle(events).slice(0, random.between(1, events.length)));
};

const close: Change = async ({ world, organization, random, openIds }, now) => {
  if (openIds.size === 0) return;
  const id = random.pick([...openIds]);
  openIds.delete(id);
  await world.database.transaction((queries) => closeCampaign(queries, organization, id, now));
};

const remove: Change = async ({ world, organization, random, openIds }, now) => {
  const id = random.pick([...reportedIds, ...countedIds]);
  openIds.delete(id);
  await world.database.transaction((queries) => removeCampaign(queries, organization.id, id, now));
};

const changeAll: Change = ({ world, organization: { id: organizationId }, random, changes: number }, now) =>
  world.database.transaction(async (queries) => {
    const tags = await listTags(queries, organizationId);
    const tag = tags.length > 0 ? random.pick(tags) : undefined;
    if (tag && random.chance(60)) {
      const change = { color: `#${String(number).padStart(6, "0")}` };
      await changeTag(queries, { organizationId, id: tag.id, change, now });
    } else if (tag && random.chance(20)) await deleteTag(queries, { organizationId, id: tag.id, now });
    else await changeOrganization(queries, organizationId, { timeZone: random.pick(timeZones) }, now);
  });

const render: Change = ({ world, organization, random }, now) =>
  world.database.transaction((queries) =>
    renderOutdatedRecords(queries, organization.id, { limit: random.between(1, 9), now }),
  );

const changes = [report, report, report, schedule, schedule, register, register, count, count].concat([
  count,
  close,
  remove,
  changeAll,
  render,
]);
