// What campaigns count by group, compared with the oracle: it counts the events of the recipients of each group.

import assert from "node:assert/strict";
import test from "node:test";
import { parseCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { normalizeRecipient } from "../../../src/campaign/events/parse-event.ts";
import type { ListRow } from "../../../src/counting/audience/parse-list.ts";
import { replaceDirectory } from "../../../src/counting/audience/save-directory.ts";
import { saveRecipientList } from "../../../src/counting/audience/save-recipients.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import { ingestEvents } from "../../../src/counting/events/ingest-events.ts";
import { recountCampaign } from "../../../src/counting/events/recount.ts";
import { findCampaignGroups } from "../../../src/storage/audience/campaign-groups.ts";
import { addGroup, listGroups } from "../../../src/storage/audience/groups.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { type History, makeHistory, Random, receivedEventsOf, type Step } from "../../support/histories.ts";
import {
  defaultRules,
  expectedAges,
  expectedMetrics,
  type PutCampaign,
  type ReceivedEvent,
  type TrafficSetting,
} from "../../support/oracle.ts";
import { randomCases } from "../../support/random-cases.ts";
import { makeWorld, present, type World } from "../../support/world.ts";

const histories = randomCases(process.env.TEST_DATABASE_URL ? 10 : 30);
const attributes = ["Department", "Site"];
/** Some have no events in any history. */
const people = [
  ...["ann@example.com", "jos\u00e9@example.com", "\u03c9mega@example.com", "swept@example.com"],
  ...["192.0.2.1", "__proto__", "silent-1@example.com", "silent-2@example.com", "silent-3@example.com"],
];

/** Values by attribute; a missing one is not known. */
type Values = Record<string, string>;

function makeRows(random: Random): ListRow[] {
  return random
    .shuffle(people)
    .slice(0, random.between(0, people.length))
    .map((recipient, index) => {
      const values: Values = {};
      for (const name of attributes) if (random.chance(60)) values[name] = random.pick(["A", "B", "C"]);
      return { line: index + 1, recipient: normalizeRecipient(recipient), values };
    });
}

interface Played {
  directory: ListRow[];
  /** The list of each campaign that has one. */
  lists: Map<number, ListRow[]>;
}

async function play(world: World, organization: Organization, history: History): Promise<Played> {
  const random = new Random(history.seed + 10_000);
  const { id } = organization;
  await world.database.transaction(async (queries) => {
    for (const name of attributes) await addGroup(queries, id, { attributeId: undefined, name });
  });
  const directory = makeRows(random);
  await replaceDirectory(world.database, id, directory, async () => undefined);
  const lists = new Map<number, ListRow[]>();
  for (const step of history.steps) {
    await take(world, id, step);
    if (step.kind === "put") continue;
    for (const campaign of history.campaigns.keys()) {
      if (random.chance(15)) await putList(world, id, campaign, lists, random);
    }
  }
  return { directory, lists };
}

/** Puts one list, or the same one again. */
async function putList(
  world: World,
  organizationId: number,
  id: number,
  lists: Played["lists"],
  random: Random,
): Promise<void> {
  await world.database.transaction(async (queries) => {
    const [stored] = await findCampaigns(queries, organizationId, [id]);
    if (!stored || stored.campaign.trackingType === "Overall") return;
    const rows = lists.get(id) ?? makeRows(random);
    lists.set(id, rows);
    const organization = (await findOrganization(queries, organizationId)) as Organization;
    const listed = await saveRecipientList(queries, organization, { id, rows, now: present });
    assert.equal(listed, rows.length);
  });
}

async function take(world: World, organizationId: number, step: Step): Promise<void> {
  await world.database.transaction(async (queries) => {
    const organization = (await findOrganization(queries, organizationId)) as Organization;
    if (step.kind === "send") {
      const classified = classifyEvents(
        step.events.map((input) => ({ input })),
        step.now,
      );
      await ingestEvents(queries, organization, classified, { now: step.now, maxQuarantined: 1e6 });
      return;
    }
    const counted = parseCountedCampaign(step.id, step.campaign, organization.timeZone);
    if ("errors" in counted) assert.fail(JSON.stringify(counted.errors));
    await saveCountedCampaign(queries, organization, counted, step.now);
  });
}

/** By group, as `Department A`; the group of the attribute has no value: `Department `. */
type Counts = Record<string, Record<string, number>>;

function expectedGroups(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  {
    directory,
    list,
  }: {
    directory: readonly ListRow[];
    list: readonly ListRow[];
  },
): Counts {
  const first = arrivals.filter(
    ({ event }, index) => arrivals.findIndex((each) => each.event.id === event.id) === index,
  );
  const everyone = [
    ...new Set([
      ...first.map(({ event }) => normalizeRecipient(event.recipient)),
      ...list.map(({ recipient }) => recipient),
    ]),
  ];
  const valuesOf = (rows: readonly ListRow[], recipient: string): Values =>
    rows.find((row) => row.recipient === recipient)?.values ?? {};
  const isListed = (recipient: string) => list.some((row) => row.recipient === recipient);
  const counts: Counts = {};
  for (const name of attributes) {
    const ofValue = Map.groupBy(
      everyone,
      (recipient) => valuesOf(list, recipient)[name] ?? valuesOf(directory, recipient)[name] ?? "",
    );
    for (const [value, members] of ofValue) {
      const events = first.filter(({ event }) => members.includes(normalizeRecipient(event.recipient)));
      const silent = members.filter((member) => {
        const own = first.filter(({ event }) => normalizeRecipient(event.recipient) === member);
        return isListed(member) && expectedAges(campaign, own, "all").opens.length === 0;
      });
      const ages = (traffic: TrafficSetting) => expectedAges(campaign, events, traffic);
      const metrics = expectedMetrics(campaign, events, "people", { ...defaultRules, minAnswers: 0 });
      const recipients = ages("all").opens.length + silent.length;
      if (recipients === 0) continue;
      counts[`${name} ${value}`] = {
        recipients,
        peopleOpens: ages("people").opens.length,
        allOpens: ages("all").opens.length,
        peopleClicks: ages("people").clicks.length,
        allClicks: ages("all").clicks.length,
        enpsReactions: metrics.enps_reactions_count as number,
        enpsAverage: metrics.enps_score_average as number,
        surveyReactions: metrics.survey_reactions_count as number,
      };
    }
  }
  return counts;
}

async function storedGroups(world: World, organizationId: number, id: number): Promise<Counts> {
  return world.database.snapshot(async (queries) => {
    const names = new Map((await listGroups(queries, organizationId)).map((group) => [group.id, group]));
    const counts: Counts = {};
    for (const group of await findCampaignGroups(queries, organizationId, [id])) {
      const value = group.groupId === group.attributeId ? "" : names.get(group.groupId)?.name;
      const { recipients, peopleOpens, allOpens, peopleClicks, allClicks, enpsReactions, surveyReactions } =
        group;
      const enpsAverage =
        enpsReactions === 0 ? 0 : Math.floor((100 * group.enpsScores) / enpsReactions + 0.5) / 100;
      counts[`${names.get(group.attributeId)?.name} ${value}`] = {
        ...{ recipients, peopleOpens, allOpens, peopleClicks, allClicks },
        ...{ enpsReactions, enpsAverage, surveyReactions },
      };
    }
    return counts;
  });
}

test("counts by group what the oracle counts, in any order of list and events", async (t) => {
  const world = await makeWorld(t);
  let compared = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const { organization } = await world.addOrganization({ name: `Acme ${seed}` });
    const history = makeHistory(seed);
    const { directory, lists } = await play(world, organization, history);
    for (const [id, campaign] of history.campaigns) {
      const list = lists.get(id) ?? [];
      const isCounted = campaign.tracking_type !== "Overall";
      const expected = isCounted
        ? expectedGroups(campaign, receivedEventsOf(history, id), { directory, list })
        : {};
      assert.deepEqual(
        await storedGroups(world, organization.id, id),
        expected,
        `history ${seed}, campaign ${id}`,
      );
      compared += Object.keys(expected).length;
      await world.database.transaction(async (queries) => {
        const found = (await findOrganization(queries, organization.id)) as Organization;
        const drifts = await recountCampaign(queries, found, id, { isRepaired: false, now: present });
        assert.deepEqual(drifts, [], `history ${seed}, campaign ${id}`);
      });
    }
  }
  assert.ok(compared > histories, `${compared} groups`);
});
