// What campaigns count by group, compared with the oracle: it counts the events of the recipients of each group.

import assert from "node:assert/strict";
import test from "node:test";
import { restId } from "../../../src/campaign/audience/copy-groups.ts";
import type { PeriodSums } from "../../../src/campaign/audience/group-periods.ts";
import { dayMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { parseCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { isForgotten, normalizeRecipient } from "../../../src/campaign/events/parse-event.ts";
import { contribution } from "../../../src/campaign/events/tally.ts";
import { trafficFilters } from "../../../src/campaign/events/traffic.ts";
import { spreadOf } from "../../../src/campaign/ranges.ts";
import { rangedRateOf, type SpreadSums } from "../../../src/campaign/rate-ranges.ts";
import { emptySums } from "../../../src/campaign/sums.ts";
import { mergePart } from "../../../src/counting/audience/merge-list.ts";
import type { ListRow } from "../../../src/counting/audience/parse-list.ts";
import { replaceDirectory } from "../../../src/counting/audience/save-directory.ts";
import { saveRecipientList } from "../../../src/counting/audience/save-recipients.ts";
import { stageRows, startList } from "../../../src/counting/audience/stage-list.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import { ingestEvents } from "../../../src/counting/events/ingest-events.ts";
import { publishDue } from "../../../src/counting/publish.ts";
import { recountCampaign } from "../../../src/counting/tallies/recount.ts";
import { findAudienceSums } from "../../../src/storage/audience/audience-sums.ts";
import { findCampaignGroups } from "../../../src/storage/audience/campaign-groups.ts";
import { findNonReaders, findReach, findReachedLedgers } from "../../../src/storage/audience/reach.ts";
import { findCopies } from "../../../src/storage/audience/released-groups.ts";
import { addGroup, listGroups } from "../../../src/storage/audience/store-groups.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { readRecipients } from "../../../src/storage/ledgers/recipients.ts";
import {
  findOrganization,
  lockOrganization,
  type Organization,
} from "../../../src/storage/organizations/organizations.ts";
import { chunks } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { type History, makeHistory, Random, receivedEventsOf, type Step } from "../../support/histories.ts";
import {
  defaultRules,
  expectedAges,
  expectedMetrics,
  type PutCampaign,
  type ReceivedEvent,
  type SentEvent,
  type TrafficSetting,
} from "../../support/oracle.ts";
import { randomCases } from "../../support/random-cases.ts";
import { makeWorld, present, type World } from "../../support/world.ts";

const histories = randomCases(8);
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
    for (const name of attributes) await addGroup(new Scope(queries, id), { attributeId: undefined, name });
  });
  const directory = makeRows(random);
  await replaceDirectory(world.database, id, [directory], async () => undefined);
  const lists = new Map<number, ListRow[]>();
  /** Lists that are saved while events arrive. */
  const inWork = new Map<number, AsyncGenerator<void>>();
  const finish = async (campaign: number) => {
    while (!(await inWork.get(campaign)?.next())?.done && inWork.has(campaign));
    inWork.delete(campaign);
  };
  for (const step of history.steps) {
    await take(world, id, step);
    if (step.kind === "put") continue;
    for (const campaign of history.campaigns.keys()) {
      if ((await inWork.get(campaign)?.next())?.done) inWork.delete(campaign);
      if (!random.chance(15)) continue;
      await finish(campaign);
      if (random.chance(50)) await putList(world, id, campaign, lists, random);
      else inWork.set(campaign, putInParts(world, id, campaign, lists, random));
    }
  }
  for (const campaign of inWork.keys()) await finish(campaign);
  return { directory, lists };
}

/** Puts a list in parts of one or two rows, each in a transaction of its own. */
async function* putInParts(
  world: World,
  organizationId: number,
  id: number,
  lists: Played["lists"],
  random: Random,
): AsyncGenerator<void> {
  const part = <Result>(work: (scope: Scope, organization: Organization) => Promise<Result>) =>
    world.database.transactionOf(organizationId, async (scope) =>
      work(scope, (await lockOrganization(scope)) as Organization),
    );
  const [stored] = await world.database.queryOf(organizationId, (scope) => findCampaigns(scope, [id]));
  if (!stored || stored.campaign.trackingType === "Overall") return;
  const rows = lists.get(id) ?? makeRows(random);
  lists.set(id, rows);
  const list = await part((scope) => startList(scope, { id, now: present }));
  for (const some of chunks(rows, 2)) {
    await part((scope, organization) => stageRows(scope, organization, { list, rows: some, now: present }));
    yield;
  }
  const limit = random.between(1, 2);
  let listed: number | "more" = "more";
  while (listed === "more") {
    listed = await part((scope, organization) =>
      mergePart(scope, organization, { id, list, now: present, limit }),
    );
    yield;
  }
  assert.equal(listed, rows.length);
}

/** Every campaign gets a list at last. */
async function playWithLists(world: World, organization: Organization, history: History): Promise<void> {
  const { lists } = await play(world, organization, history);
  const random = new Random(history.seed);
  for (const id of history.campaigns.keys()) await putList(world, organization.id, id, lists, random);
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
    const [stored] = await findCampaigns(new Scope(queries, organizationId), [id]);
    if (!stored || stored.campaign.trackingType === "Overall") return;
    const rows = lists.get(id) ?? makeRows(random);
    lists.set(id, rows);
    const organization = (await findOrganization(new Scope(queries, organizationId))) as Organization;
    const listed = await saveRecipientList(new Scope(queries, organization.id), organization, {
      id,
      rows,
      now: present,
    });
    assert.equal(listed, rows.length);
  });
}

/** What became of messages puts nobody into a group, whether it arrives before or after what the recipient does. */
function outcomesBeside(events: readonly SentEvent[]) {
  return events.flatMap(({ campaign_id, at, id }, index) => {
    const base = { campaign_id, at, recipient: people[index % people.length] };
    return [
      { ...base, id: `delivered-${id}`, type: "delivery" },
      { ...base, id: `bounced-${id}`, type: "bounce", bounce: index % 2 ? "hard" : "soft" },
    ];
  });
}

async function take(world: World, organizationId: number, step: Step): Promise<void> {
  await world.database.transaction(async (queries) => {
    const organization = (await findOrganization(new Scope(queries, organizationId))) as Organization;
    if (step.kind === "send") {
      const classified = classifyEvents(
        [...outcomesBeside(step.events), ...step.events].map((input) => ({ input })),
        step.now,
      );
      await ingestEvents(new Scope(queries, organization.id), organization, classified, {
        now: step.now,
        maxQuarantineBytes: 1e9,
      });
      return;
    }
    const counted = parseCountedCampaign(step.id, step.campaign, organization.timeZone);
    if ("errors" in counted) assert.fail(JSON.stringify(counted.errors));
    await saveCountedCampaign(new Scope(queries, organization.id), organization, counted, step.now);
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
    const names = new Map(
      (await listGroups(new Scope(queries, organizationId))).map((group) => [group.id, group]),
    );
    const counts: Counts = {};
    for (const group of await findCampaignGroups(new Scope(queries, organizationId), [id])) {
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

/** What readers see of a campaign whose recipients have names, a minute later: everything, if groups may have one recipient. */
async function checkCopy(world: World, organizationId: number, id: number): Promise<void> {
  await world.database.query(async (queries) => {
    const live = await findCampaignGroups(new Scope(queries, organizationId), [id]);
    const copies = await findCopies(new Scope(queries, organizationId), [id]);
    // Without ratings, their sums are withheld.
    const seen = copies
      .filter(({ groupId }) => groupId !== restId)
      .map(({ countedAt: _, ...group }) =>
        Object.fromEntries(Object.entries(group).map(([name, value]) => [name, value ?? 0])),
      );
    const found = seen.sort((a, b) => (a.groupId ?? 0) - (b.groupId ?? 0));
    assert.deepEqual(found, live);
  });
}

test("counts by group what the oracle counts, and readers see it, in any order of list and events", async (t) => {
  const world = await makeWorld(t);
  let compared = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const { organization } = await world.addOrganization({ name: `Acme ${seed}` });
    const history = makeHistory(seed);
    await world.changeOrganization(organization, { minGroup: 1, minAnswers: 1 });
    const { directory, lists } = await play(world, organization, history);
    await world.database.transaction(async (queries) => {
      while (
        await publishDue(new Scope(queries, organization.id), present + (history.steps.length + 1) * minuteMs)
      );
    });
    for (const [id, campaign] of history.campaigns) {
      if (campaign.tracking_type === "Individual") await checkCopy(world, organization.id, id);
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
        const found = (await findOrganization(new Scope(queries, organization.id))) as Organization;
        const drifts = await recountCampaign(new Scope(queries, found.id), found, id, {
          isRepaired: false,
          now: present,
        });
        assert.deepEqual(drifts, [], `history ${seed}, campaign ${id}`);
      });
    }
  }
  assert.ok(compared > histories, `${compared} groups`);
});

/** The campaigns with a list, of which `sums` says that they are not still counting, a week after their events. */
async function settledCampaigns(
  world: World,
  organizationId: number,
  history: History,
): Promise<StoredCampaign[]> {
  await world.database.transaction(async (queries) => {
    while (await publishDue(new Scope(queries, organizationId), present + 7.5 * dayMs));
  });
  return world.database.query(async (queries) => {
    const sums = await queries
      .selectFrom("sums")
      .select("campaign_id")
      .where("organization_id", "=", organizationId)
      .where("traffic", "=", "people")
      .where("settled_campaigns", "=", 1)
      .execute();
    const settled = new Set(sums.map((row) => row.campaign_id));
    const found = await findCampaigns(new Scope(queries, organizationId), [...history.campaigns.keys()]);
    return found.filter(
      ({ campaign, counting }) => settled.has(campaign.id) && (counting?.listed ?? null) !== null,
    );
  });
}

test("reach is what a loop over all recipients finds, also after one is forgotten", async (t) => {
  const world = await makeWorld(t);
  let readers = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const { organization } = await world.addOrganization({ name: `Acme ${seed}` });
    const history = makeHistory(seed);
    await playWithLists(world, organization, history);
    await world.write(organization, (scope) =>
      forgetRecipient(scope, organization, "ann@example.com", present),
    );
    const named = (await settledCampaigns(world, organization.id, history)).filter(
      ({ campaign, counting }) => campaign.trackingType === "Individual" && counting?.listed !== 0,
    );
    for (const traffic of trafficFilters) {
      const campaignsOf = new Map<string, number>();
      const opened = new Set<string>();
      for (const { counting } of named) {
        const page = { ledgerId: counting?.ledgerId ?? 0, after: "", limit: 1_000 };
        const rows = await world.read(organization, (scope) => readRecipients(scope, page));
        for (const { name, state } of rows.filter(({ name }) => !isForgotten(name))) {
          // An address that only an outcome names is on no list of people.
          if (Object.keys(state).join() === "outcomes") continue;
          campaignsOf.set(name, (campaignsOf.get(name) ?? 0) + 1);
          if (contribution(state, traffic).uniqueOpens > 0) opened.add(name);
        }
      }
      const silent = [...campaignsOf].filter(([name]) => !opened.has(name));
      await world.database.query(async (queries) => {
        const { ledgerIds, of } = await findReachedLedgers(
          new Scope(queries, organization.id),
          { traffic },
          1e6,
        );
        const settled = await new Scope(queries, organization.id).countRows("sums", {
          traffic,
          settled_campaigns: 1,
        });
        assert.equal(of, settled, `history ${seed}`);
        const query = { ledgerIds, traffic };
        const reach = await findReach(new Scope(queries, organization.id), query);
        assert.deepEqual(reach, { people: campaignsOf.size, readers: opened.size }, `history ${seed}`);
        const found = await findNonReaders(new Scope(queries, organization.id), query, {
          after: "",
          limit: 1_000,
        });
        const seen = found.map(({ name, campaigns }) => [name, campaigns]).sort();
        assert.deepEqual(seen, silent.sort(), `history ${seed}`);
        readers += reach.readers;
      });
    }
  }
  assert.ok(readers > histories, `${readers} readers`);
});

test("a group over several campaigns is the sum of its released groups, with the range of their differences", async (t) => {
  const world = await makeWorld(t);
  let compared = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const { organization } = await world.addOrganization({ name: `Acme ${seed}` });
    const history = makeHistory(seed);
    await playWithLists(world, organization, history);
    // Below what pages accept, because the campaigns of histories have few recipients.
    await world.changeOrganization(organization, { minGroup: 2, minAnswers: 1 });
    const settled = await settledCampaigns(world, organization.id, history);
    const ids = settled.map(({ campaign }) => campaign.id);
    const middle = settled[Math.floor(settled.length / 2)]?.campaign.sentAt ?? 1;
    const periodOf = (sentAt: number) => Number(sentAt >= middle);
    await world.database.query(async (queries) => {
      const rates = await queries
        .selectFrom("sums")
        .select(["campaign_id", "sent_at"])
        .where("organization_id", "=", organization.id)
        .where("traffic", "=", "people")
        .where("settled_campaigns", "=", 1)
        .execute();
      const attributeId = (await listGroups(new Scope(queries, organization.id)))[0]?.id ?? 0;
      const stored = await findCopies(new Scope(queries, organization.id), ids);
      const groups = stored.filter((group) => group.attributeId === attributeId);
      const sums = await findAudienceSums(
        new Scope(queries, organization.id),
        { traffic: "people", isSettled: true },
        {
          attributeId,
          starts: [0, middle],
        },
      );
      const counts = [0, 1].map((period) => rates.filter((row) => periodOf(row.sent_at) === period).length);
      assert.deepEqual(sums.matching, counts);
      const hidden = groups.filter(({ groupId }) => groupId === restId);
      assert.equal(
        sums.withheldRecipients + sums.laterRecipients,
        settled
          .filter(({ campaign }) => !groups.some(({ campaignId }) => campaignId === campaign.id))
          .reduce((sum, { counting }) => sum + (counting?.listed ?? 0), 0) +
          hidden.reduce((sum, { recipients }) => sum + recipients, 0),
      );
      const expected = Map.groupBy(
        groups.filter(({ groupId }) => groupId !== restId),
        ({ groupId }) => groupId,
      );
      assert.deepEqual([...sums.groups.keys()].sort(), [...expected.keys()].sort(), `history ${seed}`);
      for (const [groupId, cells] of expected) {
        const own = sums.groups.get(groupId);
        assert.ok(own);
        const parts = Map.groupBy(cells, ({ campaignId }) =>
          periodOf(rates.find((row) => row.campaign_id === campaignId)?.sent_at ?? 0),
        );
        for (const period of [0, 1]) {
          const some = parts.get(period) ?? [];
          const opens = some.map(({ campaignId, recipients }) => {
            const all = addCells(groups.filter((each) => each.campaignId === campaignId));
            return (recipients * all.opens) / all.recipients;
          });
          const { expected, ...part } = own.periods[period] as PeriodSums;
          const { campaigns, recipients, opens: opened, spreads } = addCells(some);
          assert.deepEqual(part, { campaigns, recipients, opens: opened, spread: spreads.openRate });
          const sumOfOpens = opens.reduce((sum, each) => sum + each, 0);
          assert.ok(Math.abs(expected - sumOfOpens) < 1e-9, `history ${seed}`);
        }
        assert.deepEqual(own.total, addCells(cells), `history ${seed}`);
        assert.ok(rangedRateOf(own.total, "openRate"));
        compared += 1;
      }
    });
  }
  assert.ok(compared >= histories / 2, `${compared} groups`);
});

type Cell = Awaited<ReturnType<typeof findCopies>>[number];

function addCells(cells: readonly Cell[]): SpreadSums {
  const rated = cells.filter((cell) => cell.enpsScores !== null && (cell.enpsReactions ?? 0) > 0);
  const clicked = cells.filter((cell) => cell.peopleClicks !== null);
  const total = (of: readonly Cell[], value: (cell: Cell) => number | null) =>
    of.reduce((sum, cell) => sum + (value(cell) ?? 0), 0);
  const spread = (of: readonly Cell[], part: (cell: Cell) => number, whole: (cell: Cell) => number) => {
    const each = of.map((cell) => spreadOf(part(cell), whole(cell)));
    const names = ["partSquares", "products", "wholeSquares", "wholeCubes"] as const;
    return Object.fromEntries(
      names.map((name) => [name, each.reduce((sum, own) => sum + own[name], 0)]),
    ) as unknown as ReturnType<typeof spreadOf>;
  };
  const [campaigns, recipients] = [cells.length, total(cells, (cell) => cell.recipients)];
  const index = (cell: Cell) => 100 * (cell.enpsPromoters ?? 0) - 100 * (cell.enpsDetractors ?? 0);
  return {
    ...emptySums(),
    ...{ campaigns, countedCampaigns: campaigns, settledCampaigns: campaigns, settledCounted: campaigns },
    recipients,
    opens: total(cells, (cell) => cell.peopleOpens),
    openRecipients: recipients,
    openCampaigns: campaigns,
    clicks: total(clicked, (cell) => cell.peopleClicks),
    clickRecipients: total(clicked, (cell) => cell.recipients),
    clickCampaigns: clicked.length,
    glanced: 100 * total(cells, (cell) => cell.glanced),
    skimmed: 100 * total(cells, (cell) => cell.skimmed),
    read: 100 * total(cells, (cell) => cell.read),
    readCampaigns: cells.filter((cell) => (cell.glanced ?? 0) + (cell.skimmed ?? 0) + (cell.read ?? 0) > 0)
      .length,
    promoters: total(rated, (cell) => cell.enpsPromoters),
    detractors: total(rated, (cell) => cell.enpsDetractors),
    indexed: total(rated, (cell) => cell.enpsReactions),
    indexedCampaigns: rated.length,
    spreads: {
      openRate: spread(
        cells,
        (cell) => cell.peopleOpens,
        (cell) => cell.recipients,
      ),
      clickRate: spread(
        clicked,
        (cell) => cell.peopleClicks ?? 0,
        (cell) => cell.recipients,
      ),
      enpsIndex: spread(rated, index, (cell) => cell.enpsReactions ?? 0),
    },
  };
}
