// The campaigns, sums, orders and averages that pages show, compared with plain filters, loops and sorts.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Campaign } from "../../../src/campaign/campaign.ts";
import { countNames, type NumberName, surveyFilters } from "../../../src/campaign/campaign-number.ts";
import { type Counts, emptyTally, type Tally, tallyNames } from "../../../src/campaign/events/tally.ts";
import { foldCase } from "../../../src/campaign/fields/fold-case.ts";
import { metricNames, metricsOf, type Numbers, type ReportedMetrics } from "../../../src/campaign/metrics.ts";
import { addSpreads, spreadNames, spreadOf } from "../../../src/campaign/ranges.ts";
import { othersOf, type SpreadSums } from "../../../src/campaign/rate-ranges.ts";
import {
  type CoveredRateName,
  coveredRateNames,
  type RateParts,
  ratePartsOf,
} from "../../../src/campaign/sum-rates.ts";
import { addCampaign, emptySums, ofTraffic, type Sums } from "../../../src/campaign/sums.ts";
import { saveAndPublish } from "../../../src/counting/publish.ts";
import { chooseCommented } from "../../../src/listing/reports/latest-comments.ts";
import { bestAndWorst, findRanked } from "../../../src/listing/sums/best-and-worst.ts";
import { type CampaignFilter, groupsOf, toSumsFilter } from "../../../src/listing/sums/campaign-filter.ts";
import { type SortKey, sortCampaigns } from "../../../src/listing/sums/campaign-values.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { addTag } from "../../../src/storage/organizations/tags.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { findSumsBy } from "../../../src/storage/sums/grouped-sums.ts";
import {
  countComments,
  findCommented,
  findNewestIds,
  findSumsByPeriod,
  findTotals,
} from "../../../src/storage/sums/sum-queries.ts";
import { countedOf } from "../../../src/storage/sums/sums-filter.ts";
import { plainDeliveryRates } from "../../support/delivery-oracle.ts";
import { randomCases } from "../../support/random-cases.ts";
import { campaign, makeAcme, makeWorld, type World } from "../../support/world.ts";

const start = Date.UTC(2024, 0, 1);
const later = Date.UTC(2040, 0, 1);
const hour = 3_600_000;

const count = fc.integer({ min: 0, max: 5 });
const tally = fc
  .record(Object.fromEntries(tallyNames.map((name) => [name, count])) as Record<keyof Counts, typeof count>)
  .map((numbers): Tally => ({ ...emptyTally(), ...numbers }));
const metric = fc.option(fc.oneof(count, fc.constantFrom(300, 70_000, 5e9)));
const numbers: fc.Arbitrary<Numbers> = fc.oneof(
  fc.record({ tallies: fc.record({ people: tally, all: tally }) }),
  fc.record({
    reported: fc.record(
      Object.fromEntries(metricNames.map((name) => [name, metric])) as Record<
        (typeof metricNames)[number],
        typeof metric
      >,
    ),
  }),
);

const stored = fc
  .record({
    sentAt: fc.integer({ min: 0, max: 3_000 }).map((hours) => start + hours * hour),
    subject: fc.constantFrom("News", "news of \u0130zmir", "\u0130zmir, old news", "GR\u00dcSSE", ""),
    team: fc.constantFrom(null, "A", "B"),
    sendingType: fc.constantFrom("Timezone", "Immediate"),
    recipients: fc.constantFrom(null, "Everybody", "Sales, Everybody"),
    recipientCount: fc.option(count),
    surveysCount: fc.option(count),
    tagIds: fc.subarray([1, 2, 3]),
    numbers,
  })
  .map(({ numbers, tagIds, ...campaign }): StoredCampaign => {
    const tags = tagIds.map((id) => ({ id, name: `${id}`, color: "#000000" }));
    const counting =
      "tallies" in numbers
        ? {
            externalId: null,
            ledgerId: 1,
            registeredAt: 0,
            closedAt: null,
            attributeIds: [],
            listed: null,
            sourceId: null,
            senders: {},
          }
        : null;
    const whole: Campaign = { id: 0, sentFrom: null, trackingType: null, ...campaign };
    return {
      registration: 1,
      campaign: whole,
      numbers,
      tags,
      counting,
      corrections: {},
      origin: null,
      publishAt: null,
    };
  });

const given = fc.record({
  campaigns: fc
    .array(stored, { maxLength: 40 })
    .map((all) =>
      all
        .map((each, index) => ({ ...each, campaign: { ...each.campaign, id: index + 1 } }))
        .sort((a, b) => a.campaign.sentAt - b.campaign.sentAt || a.campaign.id - b.campaign.id),
    ),
  traffic: fc.constantFrom("people" as const, "all" as const),
  filter: fc.record<CampaignFilter>(
    {
      sentFrom: fc.integer({ min: -10, max: 3_010 }).map((hours) => start + hours * hour),
      sentUntil: fc.integer({ min: -10, max: 3_010 }).map((hours) => start + hours * hour),
      tagIds: fc.subarray([2, 3, 9]),
      team: fc.constantFrom("A", "none"),
      sendingType: fc.constantFrom("Timezone", "none"),
      group: fc.constantFrom("Everybody", "Sales", "none"),
      surveys: fc.constantFrom(...surveyFilters),
      subject: fc.constantFrom(
        "NEWS",
        "i",
        "gr\u00fc\u00df",
        "zebra",
        "",
        " of  new",
        "news \u0130ZM",
        "\u00a0news zebra",
        "\0 i",
      ),
    },
    { requiredKeys: [] },
  ),
  limits: fc.record({
    limit: fc.integer({ min: 0, max: 5 }),
    maxAnswers: fc.integer({ min: 0, max: 20 }),
  }),
  page: fc.record({
    by: fc.constantFrom<SortKey>("sent_at", "subject", "team", "kind", ...countNames, ...coveredRateNames),
    isAscending: fc.boolean(),
    offset: fc.integer({ min: 0, max: 45 }),
    limit: fc.integer({ min: 1, max: 45 }),
  }),
});
type Case = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

/** Publishes campaigns for a new organization, whose tags have other ids. */
async function published(world: World, { campaigns, filter }: Pick<Case, "campaigns" | "filter">) {
  const { organization } = await world.addOrganization();
  const { id } = organization;
  return world.database.transaction(async (queries) => {
    const tagIds = new Map<number, number>();
    for (const name of [1, 2, 3]) {
      const tag = await addTag(new Scope(queries, id), { name: `${name}`, color: "#000000" });
      tagIds.set(name, tag.id);
    }
    const idOf = (name: number) => tagIds.get(name) ?? 1_000_000;
    const stored = campaigns.map((each) => ({
      ...each,
      tags: each.tags.map((tag) => ({ ...tag, id: idOf(tag.id) })),
    }));
    await saveAndPublish(
      new Scope(queries, organization.id),
      organization,
      stored.map((after) => ({ before: undefined, after })),
      later,
    );
    return { id, campaigns: stored, filter: { ...filter, tagIds: filter.tagIds?.map(idOf) } };
  });
}

function matches({ campaign, tags, numbers }: StoredCampaign, filter: CampaignFilter): boolean {
  const groups = (campaign.recipients ?? "").split(", ");
  const metrics = metricsOf(numbers, campaign.recipientCount, "people");
  const isRated = (metrics.enps_reactions_count ?? 0) > 0;
  const isAnswered = isRated || (metrics.survey_reactions_count ?? 0) > 0;
  const hasSurveys = isAnswered || (campaign.surveysCount ?? 0) > 0;
  const surveyStates = { rated: isRated, some: hasSurveys, none: !hasSurveys };
  return (
    campaign.sentAt >= (filter.sentFrom ?? -Infinity) &&
    campaign.sentAt < (filter.sentUntil ?? Infinity) &&
    (filter.tagIds?.some((id) => tags.some((tag) => tag.id === id)) ?? true) &&
    (filter.team === undefined || campaign.team === filter.team) &&
    (filter.sendingType === undefined || campaign.sendingType === filter.sendingType) &&
    (filter.group === undefined || groups.includes(filter.group)) &&
    (filter.surveys === undefined || surveyStates[filter.surveys]) &&
    (filter.subject ?? "").split(/\s/).every((word) => foldCase(campaign.subject).includes(foldCase(word)))
  );
}

function sumsOf(campaigns: readonly StoredCampaign[], traffic: Case["traffic"]): Sums {
  const sums = emptySums();
  for (const each of campaigns) {
    addCampaign(sums, ofTraffic(each, traffic));
  }
  return sums;
}

/** A quotient of counts; null if there is nothing to divide. */
const quotient = (part: number, whole: number) => (whole > 0 ? part / whole : null);

/** A rate of a campaign by its definition in docs/numbers.md. */
function plainRate({ campaign, numbers }: StoredCampaign, name: CoveredRateName, traffic: Case["traffic"]) {
  const recipients = campaign.recipientCount ?? 0;
  const perRecipient = (count: number) => quotient(Math.min(count, recipients), recipients);
  if ("reported" in numbers) {
    const delivery = plainDeliveryRates(numbers, campaign.recipientCount, traffic);
    return { ...plainReportedRates(numbers.reported, campaign.recipientCount), ...delivery }[name];
  }
  const tally = numbers.tallies[traffic];
  const devices = tally.desktopOpens + tally.mobileOpens;
  const reads = tally.glanced + tally.skimmed + tally.read;
  const rates: Record<CoveredRateName, number | null> = {
    openRate: perRecipient(tally.uniqueOpens),
    clickRate: perRecipient(tally.uniqueClicks),
    clickToOpenRate: quotient(tally.uniqueClicks, tally.uniqueOpens),
    desktopShare: quotient(tally.desktopOpens, devices),
    mobileShare: quotient(tally.mobileOpens, devices),
    glancedShare: quotient(tally.glanced, reads),
    skimmedShare: quotient(tally.skimmed, reads),
    readShare: quotient(tally.read, reads),
    enpsMean: quotient(tally.enpsScores, tally.enpsReactions),
    ...plainDeliveryRates(numbers, campaign.recipientCount, traffic),
    enpsIndex: quotient(100 * (tally.enpsPromoters - tally.enpsDetractors), tally.enpsReactions),
  };
  return rates[name];
}

/** From the counts that were imported, or else the rate that was, unless it is the 0 of nothing. */
function plainReportedRates(metrics: ReportedMetrics, recipients: number | null) {
  const { unique_opens: opens, unique_clicks: clicks, desktop_open_rate: desktop } = metrics;
  const { mobile_open_rate: mobile, read_time_glanced, read_time_skimmed, read_time_read } = metrics;
  const given = (value: number | null, isOfNothing: boolean, divisor = 1) =>
    value === null || (value === 0 && isOfNothing) ? null : value / divisor;
  const perRecipient = (count: number | null, rate: number | null) =>
    count !== null && recipients ? Math.min(count, recipients) / recipients : given(rate, recipients === 0);
  const share = (value: number | null, of: readonly (number | null)[]) => {
    const total = of.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    return of.every((each) => each !== null) && total > 0 && opens
      ? ((value ?? 0) * opens) / of.reduce<number>((sum, each) => sum + (each ?? 0) * opens, 0)
      : given(value, total === 0, 100);
  };
  const [devices, reads] = [
    [desktop, mobile],
    [read_time_glanced, read_time_skimmed, read_time_read],
  ];
  return {
    openRate: perRecipient(opens, metrics.open_rate),
    clickRate: perRecipient(clicks, metrics.click_rate),
    clickToOpenRate:
      opens && clicks !== null ? clicks / opens : given(metrics.click_per_unique_open_rate, opens === 0, 100),
    desktopShare: share(desktop, devices),
    mobileShare: share(mobile, devices),
    glancedShare: share(read_time_glanced, reads),
    skimmedShare: share(read_time_skimmed, reads),
    readShare: share(read_time_read, reads),
    enpsMean: given(metrics.enps_score_average, metrics.enps_reactions_count === 0),
    enpsIndex: null,
  };
}

/** What is sorted. */
function shownValue(stored: StoredCampaign, column: Exclude<SortKey, object>, traffic: Case["traffic"]) {
  const { campaign, numbers, counting } = stored;
  const metrics = metricsOf(numbers, campaign.recipientCount, traffic);
  switch (column) {
    case "sent_at":
      return campaign.sentAt;
    case "subject":
      return foldCase(campaign.subject);
    case "team":
      return campaign.team;
    case "kind":
      return counting === null ? "reported" : counting.closedAt === null ? "counted" : "closed";
    case "recipient_count":
      return campaign.recipientCount;
    case "comments_count": {
      const [enps, other] = [metrics.enps_comments_count, metrics.survey_reactions_comments_count];
      return enps === null && other === null ? null : (enps ?? 0) + (other ?? 0);
    }
    case "unique_opens":
    case "unique_clicks":
      return metrics[column];
    default:
      return plainRate(stored, column, traffic);
  }
}

/** Sums in another order differ in the last digit. */
function assertSums(found: Sums | undefined, expected: Sums, what: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const difference = Math.abs((found?.[name as keyof Sums] ?? Number.NaN) - value);
    assert.ok(difference <= 1e-9 * Math.max(1, value), `${what}, ${name}: ${difference}`);
  }
}

/** The spreads that the database adds up, and those of the campaigns. @param from what they were subtracted from, if they were */
function assertSpreads(
  { spreads }: SpreadSums,
  campaigns: readonly StoredCampaign[],
  traffic: Case["traffic"],
  { what, from = campaigns }: { what: string; from?: readonly StoredCampaign[] },
): void {
  const spreadsOf = (all: readonly StoredCampaign[], name: CoveredRateName) =>
    all
      .map((each) => plainParts(each, name, traffic))
      .map(({ part, whole }) => spreadOf(part, whole))
      .reduce(addSpreads, spreadOf(0, 0));
  for (const name of coveredRateNames) {
    const [expected, minuend] = [spreadsOf(campaigns, name), spreadsOf(from, name)];
    for (const each of spreadNames) {
      const difference = Math.abs((spreads[name]?.[each] ?? Number.NaN) - expected[each]);
      const isSame = difference <= 1e-9 * Math.max(1, Math.abs(minuend[each]));
      assert.ok(isSame, `${what}, ${name}, ${each}: ${difference} from ${expected[each]}`);
    }
  }
}

test("selects, sums and sorts as plain filters, loops and sorts do", async (t) => {
  const world = await makeWorld(t);
  const property = fc.asyncProperty(given, async ({ traffic, page, ...rest }) => {
    const { id, campaigns, filter } = await published(world, rest);
    const wanted = campaigns.filter((each) => matches(each, filter));
    await world.database.snapshot(async (queries) => {
      const selected = await toSumsFilter(new Scope(queries, id), filter, traffic);
      const totals = await findTotals(new Scope(queries, id), selected, coveredRateNames);
      assert.equal(totals.sums.campaigns, wanted.length);
      assertSpreads(totals.sums, wanted, traffic, { what: "total" });
      assertSums(totals.sums, sumsOf(wanted, traffic), "total");
      assert.equal(totals.firstSentAt, wanted[0]?.campaign.sentAt ?? null);
      assert.equal(totals.lastSentAt, wanted.at(-1)?.campaign.sentAt ?? null);
      for (const [name, count] of Object.entries(totals.counts)) {
        const values = wanted.map((each) => shownValue(each, name as NumberName, traffic) as number | null);
        const known = values.filter((value) => value !== null);
        assertNear(count, known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null, name);
      }

      const starts = [start, start + 700 * hour, start + 2_000 * hour, start + 3_500 * hour];
      const periods = await findSumsByPeriod(new Scope(queries, id), selected, starts);
      for (const [index, from] of starts.slice(0, -1).entries()) {
        const until = starts[index + 1] ?? Infinity;
        const own = wanted.filter(({ campaign: { sentAt } }) => sentAt >= from && sentAt < until);
        assertSums(periods.get(index) ?? emptySums(), sumsOf(own, traffic), `period ${index}`);
      }
      const expectGroups = async (
        grouping: Parameters<typeof findSumsBy>[2],
        valuesOf: (stored: StoredCampaign) => readonly (string | number | null)[],
      ) => {
        const found = await findSumsBy(new Scope(queries, id), selected, grouping, coveredRateNames);
        assert.deepEqual(new Set(found.keys()), new Set(wanted.flatMap(valuesOf)));
        for (const [value, sums] of found) {
          const own = wanted.filter((each) => valuesOf(each).includes(value));
          assertSums(sums, sumsOf(own, traffic), String(value));
          assertSpreads(sums, own, traffic, { what: String(value) });
          const others = wanted.filter((each) => !own.includes(each));
          const left = othersOf(totals.sums, sums);
          assertSums(left, sumsOf(others, traffic), `all but ${value}`);
          assertSpreads(left, others, traffic, { what: `all but ${value}`, from: wanted });
        }
      };
      await expectGroups("team", ({ campaign }) => [campaign.team]);
      await expectGroups("tag", ({ tags }) => tags.map((tag) => tag.id));

      const { by, isAscending } = page;
      if (typeof by === "object") return;
      const sign = isAscending ? 1 : -1;
      const sorted = wanted
        .map((each, index) => ({ each, index, value: shownValue(each, by, traffic) }))
        .sort((a, b) => {
          if (by === "sent_at") return sign * (a.index - b.index);
          if (a.value === b.value) return b.index - a.index;
          if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
          return a.value < b.value ? -sign : sign;
        });
      const found = await sortCampaigns(new Scope(queries, id), selected, { by, isAscending });
      const seen = found.map((campaign) => campaign.id);
      assert.deepEqual(
        seen,
        sorted.map(({ each }) => each.campaign.id),
      );
    });
  });
  await fc.assert(property, { numRuns: randomCases(60) });
});

test("splits a list of recipient groups at its commas", () => {
  assert.deepEqual(groupsOf("Everybody, Sales,Sales , ,"), ["Everybody", "Sales"]);
  assert.deepEqual(groupsOf(null), []);
});

function assertNear(found: number | null, wanted: number | null, what: string): void {
  const isSame = found === null || wanted === null ? found === wanted : isNear(found, wanted);
  assert.ok(isSame, `${what}: ${found} is not ${wanted}`);
}

/** Sums in another order differ in the last digits. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

/** The parts of a rate of one campaign, whose sums over campaigns are divided. */
function plainParts(stored: StoredCampaign, name: CoveredRateName, traffic: Case["traffic"]): RateParts {
  return ratePartsOf(sumsOf([stored], traffic), name);
}

test("ranks the campaigns that stand out, and none that is still counting", async (t) => {
  const { world, organization } = await makeAcme(t);
  const now = world.clock.now;
  const sent = (id: number, unique_opens: number, recipientCount: number, hours: number) => {
    return campaign({
      ...{ id, sentAt: now - (hours + 168) * hour, team: "A", recipientCount },
      metrics: { unique_opens },
    });
  };
  const usual = [50, 51, 49, 52, 48, 50].map((opens, index) =>
    sent(index + 1, 10 * opens, 1_000, 500 + index),
  );
  await world.save(organization, [
    ...usual,
    ...[sent(11, 700, 1_000, 48), sent(12, 690, 1_000, 47), sent(13, 300, 1_000, 46), sent(14, 9, 10, 45)],
    ...[sent(15, 900, 1_000, -163), sent(16, 3, 10, 40)],
  ]);
  const found = await world.read(organization, (scope) => findRanked(scope, { traffic: "people" }));
  assert.deepEqual(bestAndWorst(found, 3), { best: [11, 12], worst: [13, 5] });
});

test("lists the newest campaigns with activity and those with comments, and counts comments without texts", async (t) => {
  const world = await makeWorld(t);
  const property = fc.asyncProperty(
    given,
    fc.integer({ min: 2, max: 4 }),
    async ({ limits, ...rest }, closed) => {
      const some = rest.campaigns.map((each, index) =>
        each.counting && index % closed === 0
          ? { ...each, counting: { ...each.counting, ledgerId: null } }
          : each,
      );
      const { id, campaigns } = await published(world, { ...rest, campaigns: some });
      const counts: Record<string, number> = {};
      const commented = campaigns.toReversed().flatMap(({ campaign, numbers, counting }) => {
        const metrics = metricsOf(numbers, campaign.recipientCount, "people");
        const comments = (metrics.enps_comments_count ?? 0) + (metrics.survey_reactions_comments_count ?? 0);
        const answers = (metrics.enps_reactions_count ?? 0) + (metrics.survey_reactions_count ?? 0);
        const kind = counting === null ? "reported" : counting.ledgerId === null ? "closed" : "counted";
        counts[kind] = (counts[kind] ?? 0) + comments;
        return kind === "counted" && comments > 0 ? [{ id: campaign.id, answers: comments + answers }] : [];
      });
      const counted = campaigns.toReversed().filter(({ numbers }) => "tallies" in numbers);
      const newest = counted.map(({ campaign }) => campaign.id).slice(0, limits.limit);
      await world.database.snapshot(async (queries: Queries) => {
        assert.deepEqual(await findCommented(new Scope(queries, id), {}), commented);
        const found = await countComments(new Scope(queries, id), { traffic: "all" });
        for (const [kind, count] of Object.entries(counts)) {
          assertNear(found[kind as keyof typeof found] ?? null, count, kind);
        }
        const ids = await findNewestIds(
          new Scope(queries, id),
          countedOf({ traffic: "people" }),
          limits.limit,
        );
        assert.deepEqual(ids, newest);
      });
      let left = limits.maxAnswers;
      const fitting = commented.filter(({ answers }) => {
        if (answers <= left) left -= answers;
        else return false;
        return true;
      });
      // Those beyond the limit are the last, and do not affect the others.
      const seen = chooseCommented(commented, limits);
      assert.deepEqual(seen, fitting.map((each) => each.id).slice(0, limits.limit));
    },
  );
  await fc.assert(property, { numRuns: randomCases(30) });
});
