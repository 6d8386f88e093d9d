// Random changes between the queries: made with the commands and the ingest API, and repeated on the plain lists of the
// oracle.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { metricNames } from "../../../src/campaign/metrics.ts";
import type { Random } from "../../support/histories.ts";
import { type Service, succeeds, type World } from "../../support/world.ts";
import { type KnownCampaign, type KnownOrganization, optionalFields } from "./expected-page.ts";

export interface ChangingOrganization extends KnownOrganization {
  readKey: string;
  readKeyId: number;
  ingestKey: string;
  deletedKeys: string[];
}

export interface Changes {
  world: World;
  service: Service;
  random: Random;
  /** The largest id of an imported campaign. Registered campaigns have the ids after it. */
  campaigns: number;
}

const dayMs = 86_400_000;
const timeZones = [
  ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"],
  ["America/Sao_Paulo", "Africa/Cairo", "Pacific/Kiritimati", "Asia/Tehran", "Antarctica/Troll"],
].flat();
/** Around these, days are skipped, repeated, or start at another hour in one of the zones. */
const unusualTimes = [
  ["2011-12-30T10:00:00Z", "2018-11-04T03:00:00Z", "2018-02-18T02:00:00Z", "2024-03-31T01:00:00Z"],
  ["2024-10-27T01:00:00Z", "2023-04-27T22:00:00Z", "2024-10-05T15:30:00Z", "2024-02-29T12:00:00Z"],
]
  .flat()
  .map((text) => Date.parse(text));
const texts = [
  "",
  " ",
  "News",
  'a "quote" and a \\',
  "Grüße, e\u0301 and é 🎉",
  "\u0001\t\r\n\u2028\u007f",
  "</script>&amp;",
];
const numbers = [0, 1, 7, 100, 12_345, Number.MAX_SAFE_INTEGER];
const fractions = [0, 0.25, 1, 2 / 3, 1e-7, 0.1 + 0.2, 40, 99.99];
const fractional = /rate|average|read_time/;

/** Makes one change, or none if the organization has nothing to change. */
export async function change(changes: Changes, organization: ChangingOrganization): Promise<void> {
  const { random } = changes;
  const often = [importSome, importSome, importSome, advanceClock, advanceClock];
  const seldom = [register, remove, addTag, changeTag, deleteTag, changeTimeZone, replaceKey];
  await random.pick([...often, ...seldom])(changes, organization);
}
export async function importSome(
  { world, random, campaigns }: Changes,
  organization: ChangingOrganization,
  count = random.between(1, 20),
): Promise<void> {
  const ids = new Set(Array.from({ length: count }, () => random.between(1, campaigns)));
  const made = [...ids].map((id) => makeCampaign(random, id, organization, world.clock.now));
  const records = made.map(({ id, sentAt, tagIds, values }) => {
    const tags = tagIds.map((tagId) => organization.tags.get(tagId));
    return JSON.stringify({
      id,
      sent_at: new Date(sentAt).toISOString(),
      ...values,
      ...(tags.length > 0 && { tags }),
    });
  });
  const file = join(world.folder, "import.ndjson");
  writeFileSync(file, records.join("\n"));
  await command(world, organization, ["import", file]);
  for (const each of made) {
    const before = organization.campaigns.get(each.id);
    organization.campaigns.set(each.id, before ? withAbsent(before, each) : each);
  }
}

/** A record without a field leaves it as it is. The numbers of one report replace all those before. */
function withAbsent(before: KnownCampaign, after: KnownCampaign): KnownCampaign {
  const metrics: readonly string[] = metricNames;
  const isNumber = (name: string) => metrics.includes(name);
  const hasNumbers = Object.keys(after.values).some(isNumber);
  const kept = Object.entries(before.values).filter(([name]) => !isNumber(name) || !hasNumbers);
  const values = { ...Object.fromEntries(kept), ...after.values };
  return { ...after, values, tagIds: after.tagIds.length > 0 ? after.tagIds : before.tagIds };
}

/** Registers a counted campaign without events, or changes one. */
async function register(
  { world, service, random, campaigns }: Changes,
  organization: ChangingOrganization,
): Promise<void> {
  const id = campaigns + random.between(1, Math.ceil(campaigns / 8));
  const { sentAt, tagIds } = makeCampaign(random, id, organization, world.clock.now);
  const recipients = random.pick(numbers);
  const values = {
    subject: random.pick(texts),
    sent_from: random.pick(texts),
    surveys_count: random.pick(numbers),
  };
  const body = {
    ...values,
    sent_at: new Date(sentAt).toISOString(),
    team: random.pick(texts),
    sending_type: "Scheduled",
    tracking_type: random.pick(["Individual", "Anonymous", "Overall"]),
    recipient_count: recipients,
    recipient_groups: random.pick([[], ["Everybody"], ["Head office", "Sales, North"]]),
    tags: tagIds.map((tagId) => organization.tags.get(tagId)?.name),
  };
  const { status, text } = await service.send(`/ingest/v1/campaigns/${id}`, {
    method: "PUT",
    key: organization.ingestKey,
    body,
  });
  assert.equal(status, organization.campaigns.has(id) ? 200 : 201, text);
  const { team, sending_type, tracking_type, recipient_count, recipient_groups } = body;
  const derived = { unopened: recipients, recipients: recipient_groups.join(", ") };
  organization.campaigns.set(id, {
    id,
    sentAt,
    tagIds,
    values: { ...values, organization_team: team, sending_type, tracking_type, recipient_count, ...derived },
  });
}

async function remove({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  const ids = [...organization.campaigns.keys()];
  if (ids.length === 0) return;
  const id = random.pick(ids);
  await command(world, organization, ["campaign", "delete", "--id", String(id), "--yes"]);
  organization.campaigns.delete(id);
}

export async function addTag({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  const [name, color] = [newName(random), randomColor(random)];
  const [row] = await command(world, organization, ["tag", "add", "--name", name, "--color", color]);
  organization.tags.set(Number(row?.id), { name, color });
}

async function changeTag({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  if (organization.tags.size === 0) return;
  const [id, { name, color }] = random.pick([...organization.tags]);
  const changed = { name: random.chance(70) ? newName(random) : name, color: randomColor(random) };
  const recolor = random.chance(50) ? ["--color", changed.color] : [];
  const argv = ["tag", "change", "--id", String(id), "--name", changed.name, ...recolor];
  await command(world, organization, argv);
  organization.tags.set(id, recolor.length > 0 ? changed : { ...changed, color });
}

async function deleteTag({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  if (organization.tags.size < 2) return;
  const id = random.pick([...organization.tags.keys()]);
  await command(world, organization, ["tag", "delete", "--id", String(id), "--yes"]);
  organization.tags.delete(id);
  for (const [campaignId, campaign] of organization.campaigns) {
    const tagIds = campaign.tagIds.filter((tagId) => tagId !== id);
    organization.campaigns.set(campaignId, { ...campaign, tagIds });
  }
}

async function changeTimeZone({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  organization.timeZone = random.pick(timeZones);
  await command(world, organization, ["organization", "change", "--time-zone", organization.timeZone]);
}

/** Often to the millisecond before a campaign of the future is sent, or to that very time. */
async function advanceClock({ world, random }: Changes, { campaigns }: ChangingOrganization): Promise<void> {
  const { clock } = world;
  const soon = [...campaigns.values()].filter(
    ({ sentAt }) => sentAt > clock.now && sentAt < clock.now + 30 * dayMs,
  );
  if (soon.length === 0) clock.now += random.between(1, 10_000);
  else clock.now = Math.max(clock.now, random.pick(soon).sentAt - random.between(0, 1));
  await world.publishDue();
}

async function replaceKey({ world, random }: Changes, organization: ChangingOrganization): Promise<void> {
  const [added] = await command(world, organization, ["key", "add", "--name", newName(random)]);
  await command(world, organization, ["key", "delete", "--id", String(organization.readKeyId)]);
  organization.deletedKeys.push(organization.readKey);
  organization.readKey = String(added?.key);
  organization.readKeyId = Number(added?.id);
}

/** A campaign of which many have the same time or the next millisecond, or are sent in the future. */
function makeCampaign(
  random: Random,
  id: number,
  { tags, campaigns }: KnownOrganization,
  now: number,
): KnownCampaign {
  const near = () => now + random.between(-200, 20) * 7_000 * random.pick([1, 1, 1_000]);
  const unusual = () => random.pick(unusualTimes) + random.between(-30, 30) * 1_800_000;
  const extreme = () =>
    random.pick([Date.parse("0002-01-01T00:00:00Z"), -1, 0, Date.parse("9998-12-31T12:00:00Z")]);
  const other = random.pick([near, near, near, unusual, unusual, extreme])() + random.pick([0, 0, 0, 1, -1]);
  // Without another send time, only other tags move the campaign.
  const sentAt = (random.chance(50) ? campaigns.get(id)?.sentAt : undefined) ?? other;
  const values: Record<string, unknown> = { subject: random.pick(texts) };
  for (const name of optionalFields.texts) if (random.chance(90)) values[name] = random.pick(texts);
  for (const name of optionalFields.numbers) {
    if (random.chance(90)) values[name] = random.pick(fractional.test(name) ? fractions : numbers);
    else if (random.chance(50)) values[name] = null;
  }
  return { id, sentAt, tagIds: random.shuffle([...tags.keys()]).slice(0, random.between(0, 3)), values };
}

let names = 0;

function newName(random: Random): string {
  names += 1;
  return `${random.pick(["a", "Z", "é", "z ", "🎉", "<b>"])}${names}`;
}

function randomColor(random: Random): string {
  return `#${random.between(0, 0xffffff).toString(16).padStart(6, "0")}`;
}

/** Runs a command for an organization. It must succeed. @returns the rows that it printed */
async function command(
  { databaseUrl, clock }: World,
  { id }: { id: number },
  argv: string[],
): Promise<Record<string, unknown>[]> {
  const isOfOrganization = argv[0] === "import" ? argv.slice(0, 1) : argv.slice(0, 2);
  const rest = argv.slice(isOfOrganization.length);
  const all = [...isOfOrganization, "--organization", String(id), "--json", ...rest];
  return (await succeeds(databaseUrl, all, { now: () => clock.now })).rows;
}
