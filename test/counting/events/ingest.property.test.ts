// From events to records: compares random histories with a simple oracle that recounts all events.

import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { parseCountedCampaign } from "../../../src/campaign/counted-campaign.ts";
import { type ActivityVerdict, verdictMeanings } from "../../../src/campaign/events/activity.ts";
import { addContribution, contribution, emptyTally } from "../../../src/campaign/events/tally.ts";
import { metricNames } from "../../../src/campaign/metrics.ts";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import { saveCountedCampaign } from "../../../src/counting/campaigns/save-counted-campaign.ts";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import { ingestEvents } from "../../../src/counting/events/ingest-events.ts";
import { publishDue } from "../../../src/counting/publish.ts";
import { findLinksOfCampaigns, linksKept } from "../../../src/storage/campaigns/campaign-links.ts";
import { readAllCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { findPublishedEmails } from "../../../src/storage/campaigns/emails.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { readRecipients } from "../../../src/storage/ledgers/recipients.ts";
import {
  addOrganization,
  findOrganization,
  type Organization,
} from "../../../src/storage/organizations/organizations.ts";
import { raiseRevision } from "../../../src/storage/organizations/revisions.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import {
  type History,
  historyOf,
  makeHistory,
  Random,
  receivedEventsOf,
  type Step,
} from "../../support/histories.ts";
import { readHours } from "../../support/hours.ts";
import {
  defaultRules,
  type ExpectedActivity,
  type ExpectedAges,
  type ExpectedProofs,
  expectedActivity,
  expectedAges,
  expectedMetrics,
  expectedProofs,
  expectedScores,
  expectedUnknown,
  type Rules,
  type SentEvent,
  type TrafficSetting,
} from "../../support/oracle.ts";
import { isFullSize, randomCases } from "../../support/random-cases.ts";
import { makeSqliteWorld, makeWorld, present, type World } from "../../support/world.ts";

/** Fewer on PostgreSQL, where each takes several times as long. */
const histories = randomCases(50, 2_500);
/** How many histories use one transaction per step, and how many of the others share a transaction. */
const withOwnTransactions = Math.min(40, histories);
const perTransaction = 50;

/** Runs work in its own transaction, or in a shared one. */
type Write = <Result>(work: (queries: Queries) => Promise<Result>) => Promise<Result>;
type Metrics = Record<string, number>;

type Spans = Record<"opensByAge" | "clicksByAge", number[]>;
type Stored = Spans & ExpectedProofs & Record<"unknownOpens" | "enpsPromoters" | "enpsDetractors", number>;

/** Result of a history: the metrics of each campaign in the API, for both traffic settings. */
interface Played {
  history: History;
  shown: Record<TrafficSetting, Map<number, Metrics>>;
  /** Stored first opens and clicks of each campaign by age, recipients of whom only a prefetch is known, and proven ones. */
  spans: Map<number, Record<TrafficSetting, Stored>>;
  /** Stored hours and links of each campaign. */
  activity: Map<number, ExpectedActivity>;
}

async function play(write: Write, history: History): Promise<Played> {
  const { id } = await write((queries) =>
    addOrganization(queries, { name: "Acme", timeZone: "UTC", now: present }),
  );
  const setTraffic = (countedTraffic: TrafficSetting) =>
    write((queries) => changeOrganization(new Scope(queries, id), { countedTraffic }, present));
  await setTraffic(history.counts);
  for (const step of history.steps) {
    await write(async (queries) => take(queries, await load(queries, id), step));
  }
  const other = history.counts === "people" ? "all" : "people";
  const first = await write((queries) => readMetrics(queries, id));
  await setTraffic(other);
  const second = await write((queries) => readMetrics(queries, id));
  await write((queries) => checkTallies(queries, id, history));
  const spans = await write((queries) => readSpans(queries, id));
  const activity = await write((queries) => readActivity(queries, id, history));
  const shown = { [history.counts]: first, [other]: second } as Played["shown"];
  return { history, shown, spans, activity };
}

async function readSpans(queries: Queries, id: number): Promise<Played["spans"]> {
  const read: Played["spans"] = new Map();
  for await (const { campaign, numbers } of readAllCampaigns(new Scope(queries, id))) {
    if (!("tallies" in numbers)) continue;
    const spansOf = (traffic: TrafficSetting) => {
      const { opensByAge, clicksByAge, unknownOpens, ...tally } = numbers.tallies[traffic];
      const { provenPeople, peopleCalledMachines, provenMachines, machinesCaught } = tally;
      const proofs = { provenPeople, peopleCalledMachines, provenMachines, machinesCaught };
      const { enpsPromoters, enpsDetractors } = tally;
      return { opensByAge, clicksByAge, unknownOpens, ...proofs, enpsPromoters, enpsDetractors };
    };
    read.set(campaign.id, { people: spansOf("people"), all: spansOf("all") });
  }
  return read;
}

/** The ends of the spans by age, in minutes. */
const spanEnds = [
  ...[15, 30],
  ...[1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 168, 336, 720].map((hours) => hours * 60),
];

function expectedSpans({ opens, clicks }: ExpectedAges): Spans {
  const spansOf = (ages: readonly number[]) =>
    [...spanEnds, Number.POSITIVE_INFINITY].map((end, span) => {
      const start = spanEnds[span - 1] ?? Number.NEGATIVE_INFINITY;
      return ages.filter((age) => age > start * 60_000 && age <= end * 60_000).length;
    });
  return { opensByAge: spansOf(opens), clicksByAge: spansOf(clicks) };
}

const recordedHours = { "24h": 24, "72h": 72, "7d": 168 };

/** The fields with the numbers at an age. */
function expectedAtAges({ opens, clicks }: ExpectedAges, recipients: number): Metrics {
  const fields: Metrics = {};
  for (const [suffix, hours] of Object.entries(recordedHours)) {
    for (const [name, rate, ages] of [
      ["unique_opens", "open_rate", opens],
      ["unique_clicks", "click_rate", clicks],
    ] as const) {
      const count = ages.filter((age) => age <= hours * 3_600_000).length;
      fields[`${name}_${suffix}`] = count;
      if (recipients > 0)
        fields[`${rate}_${suffix}`] = Math.min(1, roundHalfUp((10_000 * count) / recipients));
    }
  }
  return fields;
}

/** @param tenThousandths of a rate */
const roundHalfUp = (tenThousandths: number) => Math.round(tenThousandths) / 10_000;

/** Human, automated, or the reason if only other clicks of the recipient reveal the automation. */
function trafficOf(verdict: string): string {
  assert.ok(Object.hasOwn(verdictMeanings, verdict), verdict);
  if (verdictMeanings[verdict as ActivityVerdict].isHuman) return "people";
  return ["burst", "beside_hidden_link", "beside_scanner"].includes(verdict) ? verdict : "automated";
}

async function readActivity(queries: Queries, id: number, history: History): Promise<Played["activity"]> {
  const read = new Map<number, ExpectedActivity>();
  for (const campaignId of history.campaigns.keys()) {
    const found: ExpectedActivity = { hours: {}, links: {} };
    const rows = await readHours(queries, id, campaignId);
    for (const { quarter, activity, verdict, count } of rows) {
      const name = `${quarter} ${activity} ${trafficOf(verdict)}`;
      found.hours[name] = (found.hours[name] ?? 0) + count;
    }
    for (const { url, people, all } of await findLinksOfCampaigns(new Scope(queries, id), [campaignId])) {
      if (all > 0) found.links[url] = { people, all };
    }
    read.set(campaignId, found);
  }
  return read;
}

async function load(queries: Queries, id: number): Promise<Organization> {
  const organization = await findOrganization(new Scope(queries, id));
  assert.ok(organization);
  return organization;
}

async function take(queries: Queries, organization: Organization, step: Step): Promise<void> {
  const { now } = step;
  if (step.kind === "put") {
    const counted = parseCountedCampaign(step.id, step.campaign, organization.timeZone);
    if ("errors" in counted) assert.fail(JSON.stringify(counted.errors));
    await saveCountedCampaign(new Scope(queries, organization.id), organization, counted, now);
    return;
  }
  const entries = step.events.map((input) => ({ input }));
  const result = await ingestEvents(
    new Scope(queries, organization.id),
    organization,
    classifyEvents(entries, now),
    {
      now,
      maxQuarantineBytes: 1e9,
    },
  );
  assert.equal(result.accepted + result.repeated + result.quarantined, entries.length);
}

/** The metrics in the API one year later, when every campaign has been sent. */
async function readMetrics(queries: Queries, id: number): Promise<Map<number, Metrics>> {
  await raiseRevision(new Scope(queries, id), present + 364 * dayMs);
  await publishDue(new Scope(queries, id), present + 365 * dayMs);
  const ids: number[] = [];
  for await (const { campaign } of readAllCampaigns(new Scope(queries, id))) ids.push(campaign.id);
  const emails = await findPublishedEmails(new Scope(queries, id), ids);
  return new Map(
    emails.map(({ record, ...typed }) => {
      const metrics = JSON.parse(record) as Metrics;
      const atAges = Object.entries(typed).filter(
        ([name, value]) => /_(24h|72h|7d)$/.test(name) && value !== null,
      );
      return [
        metrics.id as number,
        {
          ...Object.fromEntries(metricNames.map((name) => [name, metrics[name] as number])),
          ...Object.fromEntries(atAges as [string, number][]),
        },
      ];
    }),
  );
}

/** Checks the stored tallies against a recount. */
async function checkTallies(queries: Queries, organizationId: number, { seed }: History): Promise<void> {
  for await (const { campaign, numbers, counting } of readAllCampaigns(new Scope(queries, organizationId))) {
    let beyond = 0;
    const recounted = { people: emptyTally(), all: emptyTally() };
    const all = { ledgerId: counting?.ledgerId ?? 0, after: "", limit: 1_000 };
    for (const { state } of await readRecipients(new Scope(queries, organizationId), all)) {
      addContribution(recounted.people, contribution(state, "people"), campaign.sentAt);
      addContribution(recounted.all, contribution(state, "all"), campaign.sentAt);
      beyond += Object.values(state.moreClicks ?? {}).reduce((sum, count) => sum + count, 0);
    }
    const stored = (numbers as Extract<StoredCampaign["numbers"], { tallies: unknown }>).tallies;
    assert.deepEqual(stored, recounted, `history ${seed}, campaign ${campaign.id}: a recount differs`);
    await checkSums(queries, organizationId, campaign.id, {
      people: stored.people.totalClicks,
      all: stored.all.totalClicks - beyond,
    });
  }
}

/** Checks that hours and links sum to the clicks of the tallies, except clicks stored without time and link. */
async function checkSums(
  queries: Queries,
  organizationId: number,
  campaignId: number,
  expected: { people: number; all: number },
): Promise<void> {
  const hours = await readHours(queries, organizationId, campaignId);
  const fromHours = { people: 0, all: 0 };
  for (const { activity, verdict, count } of hours) {
    if (activity === "open") continue;
    fromHours.all += count;
    if (trafficOf(verdict) === "people") fromHours.people += count;
  }
  const fromLinks = { people: 0, all: 0 };
  for (const { people, all } of await findLinksOfCampaigns(new Scope(queries, organizationId), [
    campaignId,
  ])) {
    fromLinks.people += people;
    fromLinks.all += all;
  }
  assert.deepEqual({ fromHours, fromLinks }, { fromHours: expected, fromLinks: expected });
}

const seedsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

/** Several histories in one transaction are faster, because they share one sync to disk. */
const playTogether = ({ database }: World, seeds: readonly number[]): Promise<Played[]> =>
  database.transaction(async (queries) => {
    const played: Played[] = [];
    for (const seed of seeds) played.push(await play((work) => work(queries), makeHistory(seed)));
    return played;
  });

const isWrong = ({ actual, expected }: { actual: unknown; expected: unknown }) =>
  !isDeepStrictEqual(actual, expected);

function* compare({ history, shown, spans }: Played, rules?: Rules) {
  for (const [id, campaign] of history.campaigns) {
    const arrivals = receivedEventsOf(history, id);
    for (const counts of ["people", "all"] as const) {
      const ages = expectedAges(campaign, arrivals, counts, rules);
      yield {
        actual: { ...shown[counts].get(id), ...spans.get(id)?.[counts] },
        expected: {
          ...expectedMetrics(campaign, arrivals, counts, rules),
          ...expectedAtAges(ages, campaign.recipient_count),
          ...expectedSpans(ages),
          unknownOpens: expectedUnknown(campaign, arrivals, counts, rules),
          ...expectedProofs(campaign, arrivals, counts, rules),
          ...expectedScores(campaign, arrivals, rules),
        },
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
    const expected = expectedActivity(campaign, receivedEventsOf(history, id), rules);
    const actual = activity.get(id);
    const what = `history ${history.seed}, campaign ${id}, its hours and links`;
    const hasAllLinks = Object.keys(expected.links).length <= linksKept;
    if (hasAllLinks) yield { actual, expected, what };
    else yield { actual: actual?.hours, expected: expected.hours, what };
  }
}

test("matches the oracle for random histories with shuffled, repeated and batched events", async (t) => {
  const world = await makeWorld(t);
  for (const seed of seedsFrom(0, withOwnTransactions)) {
    check(await play((work) => world.database.transaction(work), makeHistory(seed)));
  }
  for (let first = withOwnTransactions; first < histories; first += perTransaction) {
    const seeds = seedsFrom(first, Math.min(perTransaction, histories - first));
    for (const played of await playTogether(world, seeds)) check(played);
  }
});

/** Clicks of one recipient, a minute apart: the first ones automated, the last one optionally on the hidden link. */
function makeClicks(count: number, { automated = 0, hidden = false }): SentEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `e-${index}`,
    campaign_id: 1,
    recipient: "ann@example.com",
    type: "click",
    at: new Date(present - (count - index) * 60_000).toISOString(),
    url: `https://example.com/${index}`,
    machine: index < automated,
    hidden: hidden && index === count - 1,
  }));
}

test("counts at most the earliest 1,000 clicks of a recipient as human in any order of arrival", async (t) => {
  const world = await makeWorld(t);
  const inOrder = (clicks: SentEvent[]) => clicks;
  const reversed = (clicks: SentEvent[]) => clicks.toReversed();
  const shuffled = (clicks: SentEvent[]) => new Random(1).shuffle(clicks);
  const cases = [
    { clicks: makeClicks(1_010, {}), people: 1_000, arrivals: [shuffled, reversed, inOrder] },
    { clicks: makeClicks(1_010, { automated: 30 }), people: 970, arrivals: [reversed, shuffled, inOrder] },
    { clicks: makeClicks(1_010, { hidden: true }), people: 0, arrivals: [inOrder, shuffled, reversed] },
  ];
  for (const { clicks, people, arrivals } of cases) {
    for (const arrival of isFullSize ? arrivals : arrivals.slice(0, 1)) {
      const events = arrival(clicks);
      const history = historyOf([events.slice(0, 700), events.slice(700)]);
      const played = await play((work) => world.database.transaction(work), history);
      assert.equal(played.shown.people.get(1)?.total_clicks, people);
      assert.equal(played.shown.all.get(1)?.total_clicks, 1_010);
      check(played);
    }
  }
});

/** Faults that the comparison has to detect: each is a rule that a faulty oracle breaks. */
const faults: Record<string, Partial<Rules>> = {
  "repeated events are counted again": { ofOneId: "each" },
  "the last event of an id counts instead of the first": { ofOneId: "last" },
  "a burst is one millisecond shorter": { burstMs: 9_999 },
  "a burst is one millisecond longer": { burstMs: 10_001 },
  "two links are a burst": { burstUrls: 2 },
  "three links are no burst": { burstUrls: 4 },
  "only clicks that arrived before are evidence about a click": { laterArrivalsAreEvidence: false },
  "a click on the hidden link says nothing about other clicks": { hiddenLinkJudgesAllClicks: false },
  "the network of a gateway says nothing": { networksAreEvidence: false },
  "the time before a scanner's clicks is one millisecond shorter": { scannerBeforeMs: 119_999 },
  "the time before a scanner's clicks is one millisecond longer": { scannerBeforeMs: 120_001 },
  "the time after a scanner's clicks is one millisecond shorter": { scannerAfterMs: 59_999 },
  "the time after a scanner's clicks is one millisecond longer": { scannerAfterMs: 60_001 },
  "no open is a scanner's": { maxOpens: 0 },
  "a recipient with a click and a prefetch is unknown": { clicksExplainPrefetches: false },
  "a survey answer proves its recipient a person to the other rules": { answersProvePeople: false },
  "the hidden link finds machines for the other rules": { otherRulesFindMachines: false },
  "clicks imply no open": { clicksImplyOpens: false },
  "reads imply no open": { readsImplyOpens: false },
  "survey answers imply no open": { answersImplyOpens: false },
  "the last answer to arrive counts instead of the latest": { latestAnswerBy: "arrival" },
  "the last to arrive of answers of the same time counts": { equalAnswersBy: "arrival" },
  "a sweep beside an open takes up to ten seconds": { sweepMs: 10_000 },
  "the first open to arrive counts instead of the earliest": { firstOpenBy: "arrival" },
  "times in the future are kept": { futureTimesAreReplaced: false },
  "test sends are counted": { testSendsCount: true },
  "recipients are not normalized": { recipientsAreNormalized: false },
  "Overall tracking counts recipients instead of devices": { overallCountsDevices: false },
  "an average of one rating is shown": { minAnswers: 1 },
  "automated traffic is human": { allTrafficIsHuman: true },
  "automated traffic has devices": { automatedTrafficHasDevices: true },
  "three seconds are skimmed": { glancedSecondsMax: 2.9995 },
  "nine seconds are read": { skimmedSecondsMax: 8.9995 },
  "halves are rounded down": { halvesRoundUp: false },
  "the last of equal remainders wins": { tiesGoToTheFirst: false },
  "a score of 6 is passive": { detractorsUpTo: 5 },
  "a score of 7 is a detractor's": { detractorsUpTo: 7 },
  "a score of 8 is a promoter's": { promotersFrom: 8 },
  "a score of 9 is passive": { promotersFrom: 10 },
};

/** The faults that affect hours and links. */
const activityFaults = [
  "repeated events are counted again",
  "the last event of an id counts instead of the first",
  "a burst is one millisecond shorter",
  "a burst is one millisecond longer",
  "two links are a burst",
  "three links are no burst",
  "only clicks that arrived before are evidence about a click",
  "a click on the hidden link says nothing about other clicks",
  "the network of a gateway says nothing",
  "the time before a scanner's clicks is one millisecond shorter",
  "the time before a scanner's clicks is one millisecond longer",
  "the time after a scanner's clicks is one millisecond shorter",
  "the time after a scanner's clicks is one millisecond longer",
  "no open is a scanner's",
  "times in the future are kept",
  "test sends are counted",
  "recipients are not normalized",
  "Overall tracking counts recipients instead of devices",
  "automated traffic is human",
];

// Tests the comparison and not the database: once is enough.
if (!process.env.TEST_DATABASE_URL) {
  test("matches the oracle in 60 histories, and detects each fault in them", async (t) => {
    const world = await makeSqliteWorld(t);
    const played = await playTogether(world, seedsFrom(0, 60));
    for (const each of played) check(each);
    for (const [fault, broken] of Object.entries(faults)) {
      await t.test(`detects in metrics: ${fault}`, () => {
        const rules = { ...defaultRules, ...broken };
        assert.ok(played.some((each) => [...compare(each, rules)].some(isWrong)));
      });
    }
    for (const fault of activityFaults) {
      await t.test(`detects in hours and links: ${fault}`, () => {
        const rules = { ...defaultRules, ...faults[fault] };
        assert.ok(played.some((each) => [...compareActivity(each, rules)].some(isWrong)));
      });
    }
  });
}
