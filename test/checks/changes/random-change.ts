// Random changes of a few campaigns of one organization: one of each kind that a client must see.

import assert from "node:assert/strict";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { publishDue } from "../../../src/counting/publish.ts";
import { AppError } from "../../../src/errors.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { changeTag, removeTag } from "../../support/change-tag.ts";
import { open } from "../../support/events.ts";
import type { Random } from "../../support/histories.ts";
import { campaign, countedCampaign, type World } from "../../support/world.ts";

export interface ChangingOrganization {
  world: World;
  organization: Organization;
  random: Random;
  /** Sends a request with a key of the scope `ingest` to one of the processes. Returns the status of the response. */
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<number>;
  changes: number;
  /** The send times of all campaigns so far. */
  sendTimes: Set<number>;
  /** Counted campaigns that are neither closed nor deleted. */
  openIds: Set<number>;
}

type Change = (changing: ChangingOrganization, now: number) => Promise<unknown>;
export const maxCampaigns = 9;
const reportedIds = [1, 2, 3, 4, 5, 6];
const countedIds = [7, 8, 9];
const tagNames = ["News", "HR", "Both"];
const timeZones = ["UTC", "Asia/Tokyo", "Pacific/Apia"];
export async function makeRandomChange(changing: ChangingOrganization): Promise<void> {
  changing.changes += 1;
  const change = changing.random.pick(changes);
  await retryWhileUnavailable(() => change(changing, changing.world.clock.now));
}

/** Runs work on the database again if it did not get its turn in time, as on a slow computer. */
export async function retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
    }
  }
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

const register: Change = async ({ random, send, sendTimes, openIds }, now) => {
  const sentAt = now + random.between(-30, 30);
  sendTimes.add(sentAt);
  const id = random.pick(countedIds);
  const body = { ...countedCampaign(id), sent_at: new Date(sentAt).toISOString() };
  const status = await send("PUT", `campaigns/${id}`, body);
  // The send time of a closed campaign is final.
  const isRefused = status === 409 && !openIds.has(id);
  assert.ok(status === 200 || status === 201 || isRefused, `PUT: ${status}`);
  if (status === 201) openIds.add(id);
};

const count: Change = async ({ random, send, changes: number }, now) => {
  const at = new Date(now + 60).toISOString();
  const events = countedIds.map((campaign_id) => open(number, { campaign_id, at }));
  const some = random.shuffle(events).slice(0, random.between(1, events.length));
  assert.equal(await send("POST", "events", { events: some }), 200);
};

const close: Change = async ({ world, organization, random, openIds }, now) => {
  if (openIds.size === 0) return;
  const id = random.pick([...openIds]);
  openIds.delete(id);
  await world.database.transactionOf(organization.id, (scope) => closeCampaign(scope, organization, id, now));
};

const remove: Change = async ({ random, send, openIds }) => {
  const id = random.pick([...reportedIds, ...countedIds]);
  openIds.delete(id);
  const status = await send("DELETE", `campaigns/${id}`);
  assert.ok(status === 204 || status === 404, `DELETE: ${status}`);
};

const changeAll: Change = ({ world, organization: { id: organizationId }, random, changes: number }, now) =>
  world.database.transaction(async (queries) => {
    const tags = await listTags(new Scope(queries, organizationId));
    const tag = tags.length > 0 ? random.pick(tags) : undefined;
    if (tag && random.chance(60)) {
      const change = { color: `#${String(number).padStart(6, "0")}` };
      await changeTag(queries, { organizationId, id: tag.id, change, now });
    } else if (tag && random.chance(20)) await removeTag(queries, { organizationId, id: tag.id, now });
    else
      await changeOrganization(new Scope(queries, organizationId), { timeZone: random.pick(timeZones) }, now);
  });

/** As upkeep does every second. */
const publishScheduled: Change = async ({ world, organization }, now) => {
  await world.database.transactionOf(organization.id, (scope) => publishDue(scope, now));
};

const changes = [report, report, report, schedule, schedule, register, register, count, count].concat([
  count,
  close,
  remove,
  changeAll,
  publishScheduled,
]);
