// From events to records: random histories against a plain oracle, which keeps every event and counts anew.

import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { readCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { type ActivityVerdict, verdictMeanings } from "../../../src/campaign/events/activity.ts";
import { add, contribution, emptyTally } from "../../../src/campaign/events/tally.ts";
import { metricNames } from "../../../src/campaign/metrics.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import { ingestEvents } from "../../../src/counting/events/ingest-events.ts";
import { findRecordsInTransaction } from "../../../src/listing/find-records.ts";
import { readAllCampaigns } from "../../../src/listing/timeline/read-all.ts";
import { Timeline } from "../../../src/listing/timeline/timeline.ts";
import { findLinks, linksKept } from "../../../src/storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/campaigns.ts";
import { findTaggedIndexEntries } from "../../../src/storage/campaigns/index-entries.ts";
import type { Queries } from "../../../src/storage/database.ts";
import {
  addOrganization,
  changeOrganization,
  findOrganization,
  type Organization,
} from "../../../src/storage/organizations.ts";
import { readRecipients } from "../../../src/storage/recipients.ts";
import {
  arrivalsOf,
  type History,
  historyOf,
  makeHistory,
  Random,
  type Step,
} from "../../support/histories.ts";
import { readHours } from "../../support/hours.ts";
import {
  type Counts,
  decided,
  type ExpectedActivity,
  expectedActivity,
  expectedMetrics,
  type Rules,
  type SentEvent,
} from "../../support/oracle.ts";
import { makeSqliteWorld, makeWorld, present, type World } from "../../support/world.ts";

/** On PostgreSQL, where each takes several times as long, the two databases are held against each other as well. */
const histories = process.env.TEST_DATABASE_URL ? 60 : 300;
/** Of them, those of which every step is a transaction of its own; and how many of the others share one. */
const apart = 40;
const together = 50;

/** Does something in a transaction: of its own, or that of the caller. */
type Write = <Result>(work: (queries: Queries) => Promise<Result>) => Promise<Result>;
type Metrics = Record<string, number>;

/** What became of a history: the metrics of each campaign as readers see them, under either setting. */
interface Played {
  history: History;
  shown: Record<Counts, Map<number, Metrics>>;
  /** How the opens and clicks of each campaign came in, as it is kept. */
  activity: Map<number, ExpectedActivity>;
}

async function play(write: Write, history: History): Promise<Played> {
  const { id } = await write((queries) =>
    addOrganization(queries, { name: "Acme", timeZone: "UTC", now: present }),
  );
  const turn = (countedTraffic: Counts) =>
    write((queries) => changeOrganization(queries, id, { countedTraffic }, present));
  await turn(history.counts);
  for (const step of history.steps) {
    await write(async (queries) => take(queries, await load(queries, id), step));
  }
  const other = history.counts === "people" ? "all" : "people";
  const first = await write((queries) => readMetrics(queries, id));
  await turn(other);
  const second = await write((queries) => readMetrics(queries, id));
  await write((queries) => checkTallies(queries, id, history));
  const activity = await write((queries) => readActivity(queries, id, history));
  return { history, shown: { [history.counts]: first, [other]: second } as Played["shown"], activity };
}

/** People are told apart from machines; of these, those that only the neighbours of a click tell have names. */
function whoIs(verdict: string): string {
  assert.ok(Object.hasOwn(verdictMeanings, verdict), verdict);
  if (verdictMeanings[verdict as ActivityVerdict].isHuman) return "people";
  return verdict === "burst" || verdict === "beside_hidden_link" ? verdict : "machines";
}

async function readActivity(queries: Queries, id: number, history: History): Promise<Played["activity"]> {
  const read = new Map<number, ExpectedActivity>();
  for (const campaignId of history.campaigns.keys()) {
    const found: ExpectedActivity = { hours: {}, links: {} };
    const rows = await readHours(queries, id, campaignId);
    for (const { quarter, activity, verdict, count } of rows) {
      const name = `${quarter} ${activity} ${whoIs(verdict)}`;
      found.hours[name] = (found.hours[name] ?? 0) + count;
    }
    for (const { url, people, all } of await findLinks(queries, id, campaignId)) {
      if (all > 0) found.links[url] = { people, all };
    }
    read.set(campaignId, found);
  }
  return read;
}

async function load(queries: Queries, id: number): Promise<Organization> {
  const organization = await findOrganization(queries, id);
  assert.ok(organization);
  return organization;
}

async function take(queries: Queries, organization: Organization, step: Step): Promise<void> {
  const { now } = step;
  if (step.kind === "put") {
    const counted = readCountedCampaign(step.id, step.campaign, organization.timeZone);
    if ("errors" in counted) assert.fail(JSON.stringify(counted.errors));
    await saveCountedCampaign(queries, organization, counted, now);
    return;
  }
  const entries = step.events.map((input) => ({ input }));
  const result = await ingestEvents(queries, organization, classifyEvents(entries, now), {
    now,
    quarantineMax: 1e6,
  });
  assert.equal(result.accepted + result.repeated + result.quarantined, entries.length);
}

/** What GET shows, in a year when every campaign has been sent. */
async function readMetrics(queries: Queries, id: number): Promise<Map<number, Metrics>> {
  const organization = await load(queries, id);
  const inAYear = present + 365 * dayMs;
  async function* places() {
    yield await findTaggedIndexEntries(queries, id, { after: undefined, limit: 100 });
  }
  const timeline = await Timeline.read(organization.timelineRevision, places());
  const page = await findRecordsInTransaction(
    queries,
    { organization, timeline },
    { page: 1, perPage: 100 },
    inAYear,
    () => ({ before: "[", after: "]" }),
  );
  return new Map(
    (JSON.parse(String(page?.body)) as Metrics[]).map((record) => {
      return [
        record.id as number,
        Object.fromEntries(metricNames.map((name) => [name, record[name] as number])),
      ];
    }),
  );
}

/** The stored numbers are those of a recount. */
async function checkTallies(queries: Queries, organizationId: number, { seed }: History): Promise<void> {
  for await (const { campaign, numbers, counting } of readAllCampaigns(queries, organizationId)) {
    let beyond = 0;
    const recounted = { people: { ...emptyTally }, all: { ...emptyTally } };
    const all = { ledgerId: counting?.ledgerId ?? 0, after: "", limit: 1_000 };
    for (const { state } of await readRecipients(queries, organizationId, all)) {
      add(recounted.people, contribution(state, "people"));
      add(recounted.all, contribution(state, "all"));
      beyond += Object.values(state.moreClicks ?? {}).reduce((sum, count) => sum + count, 0);
    }
    const stored = (numbers as Extract<StoredCampaign["numbers"], { counted: unknown }>).counted;
    assert.deepEqual(stored, recounted, `history ${seed}, campaign ${campaign.id}: a recount differs`);
    await checkSums(queries, organizationId, campaign.id, {
      people: stored.people.totalClicks,
      all: stored.all.totalClicks - beyond,
    });
  }
}

/** Hours and links add up to the clicks of the tallies, apart from those that are kept without time and link. */
async function checkSums(
  queries: Queries,
  organizationId: number,
  campaignId: number,
  expected: { people: number; all: number },
): Promise<void> {
  const hours = await readHours(queries, organizationId, campaignId);
  const ofHours = { people: 0, all: 0 };
  for (const { activity, verdict, count } of hours) {
    if (activity === "open") continue;
    ofHours.all += count;
    if (whoIs(verdict) === "people") ofHours.people += count;
  }
  const ofLinks = { people: 0, all: 0 };
  for (const { people, all } of await findLinks(queries, organizationId, campaignId)) {
    ofLinks.people += people;
    ofLinks.all += all;
  }
  assert.deepEqual({ ofHours, ofLinks }, { ofHours: expected, ofLinks: expected });
}

const seedsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

/** Many histories in one transaction take a fraction of the time: nothing waits for the disk. */
const playTogether = ({ database }: World, seeds: readonly number[]): Promise<Played[]> =>
  database.transaction(async (queries) => {
    const played: Played[] = [];
    for (const seed of seeds) played.push(await play((work) => work(queries), makeHistory(seed)));
    return played;
  });

function* compare({ history, shown }: Played, rules?: Rules) {
  for (const [id, campaign] of history.campaigns) {
    const arrivals = arrivalsOf(history, id);
    for (const counts of ["people", "all"] as const) {
      const expected = expectedMetrics(campaign, arrivals, counts, rules);
      yield {
        actual: shown[counts].get(id),
        expected,
        what: `history ${history.seed}, campaign ${id}, ${counts}`,
      };
    }
  }
}

function check(played: Played): void {
  for (const { actual, expected, what } of compare(played)) assert.deepEqual(actual, expected, what);
  for (const { actual, expected, what } of compareActivity(played)) assert.deepEqual(actual, expected, what);
}

function* compareActivity({ history, activity }: Played, rules?: Rules) {
  for (const [id, campaign] of history.campaigns) {
    const expected = expectedActivity(campaign, arrivalsOf(history, id), rules);
    const actual = activity.get(id);
    const what = `history ${history.seed}, campaign ${id}, its hours and links`;
    const hasAllLinks = Object.keys(expected.links).length <= linksKept;
    if (hasAllLinks) yield { actual, expected, what };
    else yield { actual: actual?.hours, expected: expected.hours, what };
  }
}

test("random histories, shuffled, repeated and in any batches, give the numbers, hours and links of a plain oracle", async (t) => {
  const world = await makeWorld(t);
  for (const seed of seedsFrom(0, apart)) {
    check(await play((work) => world.database.transaction(work), makeHistory(seed)));
  }
  for (let first = apart; first < histories; first += together) {
    const seeds = seedsFrom(first, Math.min(together, histories - first));
    for (const played of await playTogether(world, seeds)) check(played);
  }
});

/** Clicks of one recipient, a minute apart: the first ones by machines, the last one perhaps on the hidden link. */
function makeClicks(count: number, { machines = 0, hidden = false }): SentEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `e-${index}`,
    campaign_id: 1,
    recipient: "ann@example.com",
    type: "click",
    at: new Date(present - (count - index) * 60_000).toISOString(),
    url: `https://example.com/${index}`,
    machine: index < machines,
    hidden: hidden && index === count - 1,
  }));
}

test("of 1,010 clicks of one recipient the earliest 1,000 can count as a person's, in whichever order they come", async (t) => {
  const world = await makeWorld(t);
  const cases = [
    { clicks: makeClicks(1_010, {}), people: 1_000 },
    { clicks: makeClicks(1_010, { machines: 30 }), people: 970 },
    { clicks: makeClicks(1_010, { hidden: true }), people: 0 },
  ];
  for (const { clicks, people } of cases) {
    for (const events of [clicks, clicks.toReversed(), new Random(1).shuffle(clicks)]) {
      const history = historyOf([events.slice(0, 700), events.slice(700)]);
      const played = await play((work) => world.database.transaction(work), history);
      assert.equal(played.shown.people.get(1)?.total_clicks, people);
      assert.equal(played.shown.all.get(1)?.total_clicks, 1_010);
      check(played);
    }
  }
});

/** What the comparison has to notice, on whichever database: for each fault, an oracle that has it. */
const faults: Record<string, Partial<Rules>> = {
  "repeated events counted again": { ofOneId: "each" },
  "the last event of an id taken in place of the first": { ofOneId: "last" },
  "a burst one millisecond shorter": { burstMs: 9_999 },
  "a burst one millisecond longer": { burstMs: 10_001 },
  "two links taken for a burst": { burstUrls: 2 },
  "three links taken for no burst": { burstUrls: 4 },
  "clicks judged by those alone that had arrived before": { laterArrivalsAreEvidence: false },
  "a hidden link that tells nothing on other clicks": { hiddenLinkTellsOnAllClicks: false },
  "clicks that imply no open": { clicksImplyOpens: false },
  "readings that imply no open": { readingsImplyOpens: false },
  "answers that imply no open": { answersImplyOpens: false },
  "the latest answer by arrival": { latestAnswerBy: "arrival" },
  "times in the future taken as told": { futureTimesAreHeld: false },
  "test sendings counted": { testSendingsCount: true },
  "recipients as typed": { recipientsAreNormalized: false },
  "recipients counted where devices are to be": { overallCountsDevices: false },
  "machines taken for persons": { everybodyIsAPerson: true },
  "the devices that machines name": { machinesHaveDevices: true },
  "three seconds taken as skimmed": { glancedSecondsMax: 2.9995 },
  "nine seconds taken as read": { skimmedSecondsMax: 8.9995 },
  "halves rounded down": { halvesRoundUp: false },
  "ties given to the last": { tiesGoToTheFirst: false },
};

/** Those that show in hours and links. */
const activityFaults = [
  "repeated events counted again",
  "the last event of an id taken in place of the first",
  "a burst one millisecond shorter",
  "a burst one millisecond longer",
  "two links taken for a burst",
  "three links taken for no burst",
  "clicks judged by those alone that had arrived before",
  "a hidden link that tells nothing on other clicks",
  "times in the future taken as told",
  "test sendings counted",
  "recipients as typed",
  "recipients counted where devices are to be",
  "machines taken for persons",
];

test("a fault in hours and links would be noticed in the first 100 of these histories", async (t) => {
  const world = await makeSqliteWorld(t);
  const played = await playTogether(world, seedsFrom(0, 100));
  for (const fault of activityFaults) {
    await t.test(`${fault} would be noticed`, () => {
      const wrong = played.flatMap((each) => [...compareActivity(each, { ...decided, ...faults[fault] })]);
      assert.ok(wrong.some(({ actual, expected }) => !isDeepStrictEqual(actual, expected)));
    });
  }
});

test("a fault would be noticed in the first 400 of these histories", async (t) => {
  const world = await makeSqliteWorld(t);
  const played = await playTogether(world, seedsFrom(0, 400));
  const compared = (rules: Rules) => played.flatMap((each) => [...compare(each, rules)]);
  const right = compared(decided).map(({ actual, expected }) => isDeepStrictEqual(actual, expected));
  for (const [fault, broken] of Object.entries(faults)) {
    await t.test(`${fault} would be noticed`, () => {
      const wrong = compared({ ...decided, ...broken });
      // Not in a campaign whose numbers are wrong without it.
      const isNoticed = wrong.some(
        ({ actual, expected }, index) => right[index] && !isDeepStrictEqual(actual, expected),
      );
      assert.ok(isNoticed);
    });
  }
});
