// Selections, sums and orders of numbers, compared with plain filters, loops and sorts.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Campaign } from "../../../src/campaign/campaign.ts";
import { emptyTally, type Tally, tallyNames } from "../../../src/campaign/events/tally.ts";
import { foldCase } from "../../../src/campaign/fold-case.ts";
import { metricNames, metricsOf, type Numbers, type ReportedMetrics } from "../../../src/campaign/metrics.ts";
import {
  type CoveredRateName,
  coveredRateNames,
  type RateParts,
  ratePartsOf,
} from "../../../src/campaign/sum-rates.ts";
import { addCampaign, emptySums, ofTraffic, type Sums } from "../../../src/campaign/sums.ts";
import { bestAndWorst } from "../../../src/listing/numbers/best-and-worst.ts";
import { commentsWithoutText, newestCommented, newestCounted } from "../../../src/listing/numbers/newest.ts";
import { valuesOf } from "../../../src/listing/numbers/number-values.ts";
import { chunkOf } from "../../../src/listing/numbers/numbers-chunk.ts";
import { NumbersTable } from "../../../src/listing/numbers/numbers-table.ts";
import { type NumbersFilter, selectCampaigns, surveyFilters } from "../../../src/listing/numbers/select.ts";
import {
  placeOf,
  type SortColumn,
  sortColumns,
  sortSelection,
} from "../../../src/listing/numbers/sort-selection.ts";
import {
  SumsByListed,
  SumsByPeriod,
  SumsByValue,
  sumSelection,
  totalOf,
} from "../../../src/listing/numbers/sum-selection.ts";
import { differencesOf, findUsualRates } from "../../../src/listing/numbers/usual-rates.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import { randomCases } from "../../support/random-cases.ts";

const start = Date.UTC(2024, 0, 1);
const hour = 3_600_000;

const count = fc.integer({ min: 0, max: 5 });
const tally = fc
  .record(Object.fromEntries(tallyNames.map((name) => [name, count])) as Record<keyof Tally, typeof count>)
  .map((numbers): Tally => ({ ...emptyTally, ...numbers }));
const metric = fc.option(fc.oneof(count, fc.constantFrom(0.25, 300, 70_000, 5e9)));
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
      "tallies" in numbers ? { externalId: null, ledgerId: 1, registeredAt: 0, closedAt: null } : null;
    const whole: Campaign = { id: 0, sentFrom: null, trackingType: null, ...campaign };
    return { campaign: whole, numbers, tags, counting };
  });

const world = fc.record({
  campaigns: fc
    .array(stored, { maxLength: 40 })
    .map((all) =>
      all
        .map((each, index) => ({ ...each, campaign: { ...each.campaign, id: index + 1 } }))
        .sort((a, b) => a.campaign.sentAt - b.campaign.sentAt || a.campaign.id - b.campaign.id),
    ),
  chunkSize: fc.integer({ min: 1, max: 12 }),
  traffic: fc.constantFrom("people" as const, "all" as const),
  filter: fc.record<NumbersFilter>(
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
      ids: fc.subarray([1, 2, 3, 5, 8, 13, 99]),
    },
    { requiredKeys: [] },
  ),
  limits: fc.record({
    limit: fc.integer({ min: 0, max: 5 }),
    maxAnswers: fc.integer({ min: 0, max: 20 }),
  }),
  page: fc.record({
    by: fc.constantFrom(...sortColumns),
    isAscending: fc.boolean(),
    offset: fc.integer({ min: 0, max: 45 }),
    limit: fc.integer({ min: 1, max: 45 }),
  }),
});
type Case = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

function numbersOf({ campaigns, chunkSize }: Case): NumbersTable {
  const rows = campaigns.map((each) => ({ stored: each, subject: foldCase(each.campaign.subject) }));
  const chunks = [];
  for (let from = 0; from < rows.length; from += chunkSize) {
    chunks.push(chunkOf(rows.slice(from, from + chunkSize)));
  }
  const state = { revisionId: 1, timelineRevision: 1, timelineRevisionId: 1, changes: [], isBehind: false };
  return new NumbersTable(state, chunks);
}

function matches({ campaign, tags, numbers }: StoredCampaign, filter: NumbersFilter): boolean {
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
    (filter.ids?.includes(campaign.id) ?? true) &&
    (filter.subject ?? "").split(/\s/).every((word) => foldCase(campaign.subject).includes(foldCase(word)))
  );
}

function sumsOf(campaigns: readonly StoredCampaign[], traffic: Case["traffic"]): Sums {
  const sums = emptySums();
  for (const each of campaigns) {
    addCampaign(sums, { ...each.campaign, numbers: ofTraffic(each.numbers, traffic) });
  }
  return sums;
}

/** A quotient of counts; null if there is nothing to divide. */
const quotient = (part: number, whole: number) => (whole > 0 ? part / whole : null);

/** A rate of a campaign by its definition in docs/numbers.md. */
function plainRate({ campaign, numbers }: StoredCampaign, name: CoveredRateName, traffic: Case["traffic"]) {
  const recipients = campaign.recipientCount ?? 0;
  const perRecipient = (count: number) => quotient(Math.min(count, recipients), recipients);
  if ("reported" in numbers) return plainReportedRate(numbers.reported, name, campaign.recipientCount);
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
    enpsIndex: quotient(100 * (tally.enpsPromoters - tally.enpsDetractors), tally.enpsReactions),
  };
  return rates[name];
}

/** From the counts that were imported, or else the rate that was, unless it is the 0 of nothing. */
function plainReportedRate(metrics: ReportedMetrics, name: CoveredRateName, recipients: number | null) {
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
  const rates: Record<CoveredRateName, number | null> = {
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
  return rates[name];
}

/** What is sorted. */
function shownValue(stored: StoredCampaign, column: SortColumn, traffic: Case["traffic"]) {
  const { campaign, numbers, counting } = stored;
  const metrics = metricsOf(numbers, campaign.recipientCount, traffic);
  switch (column) {
    case "sent_at":
      return campaign.sentAt;
    case "subject":
      return foldCase(campaign.subject);
    case "organization_team":
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

const byNumber = <Value>(sums: ReadonlyMap<Value, Sums>) => new Map([...sums].sort());

/** Sums in another order differ in the last digit. */
function assertSums(found: Sums | undefined, expected: Sums, what: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const difference = Math.abs((found?.[name as keyof Sums] ?? Number.NaN) - value);
    assert.ok(difference <= 1e-9 * Math.max(1, value), `${what}, ${name}: ${difference}`);
  }
}

test("selects, sums and sorts as plain filters, loops and sorts do", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { filter, traffic, page } = given;
      const selection = selectCampaigns(numbersOf(given), filter);
      const wanted = given.campaigns.filter((each) => matches(each, filter));
      assert.equal(selection.size, wanted.length);
      assertSums(await totalOf(selection, traffic), sumsOf(wanted, traffic), "total");

      const starts = [start, start + 700 * hour, start + 2_000 * hour];
      const periods = new SumsByPeriod(starts);
      const teams = new SumsByValue(({ texts }) => texts.team);
      const tags = new SumsByListed(({ tagIds }) => tagIds);
      const groups = new SumsByListed((chunk) => chunk.groups);
      await sumSelection(selection, traffic, [periods, teams, tags, groups]);
      for (const [index, from] of starts.entries()) {
        const until = starts[index + 1] ?? Infinity;
        const own = wanted.filter(({ campaign: { sentAt } }) => sentAt >= from && sentAt < until);
        assertSums(periods.sums[index], sumsOf(own, traffic), `period ${index}`);
      }
      const expectGroups = <Value>(
        found: ReadonlyMap<Value, Sums>,
        valuesOf: (stored: StoredCampaign) => readonly Value[],
      ) => {
        const values = new Set(wanted.flatMap(valuesOf));
        assert.deepEqual(new Set(byNumber(found).keys()), values);
        for (const value of values) {
          const own = wanted.filter((each) => valuesOf(each).includes(value));
          assertSums(found.get(value), sumsOf(own, traffic), String(value));
        }
      };
      expectGroups(teams.sums, ({ campaign }) => [campaign.team]);
      expectGroups(tags.sums, (each) => each.tags.map(({ id }) => id));
      expectGroups(groups.sums, ({ campaign }) => campaign.recipients?.split(", ") ?? []);

      const sign = page.isAscending ? 1 : -1;
      const sorted = wanted
        .map((each, index) => ({ each, index, value: shownValue(each, page.by, traffic) }))
        .sort((a, b) => {
          if (page.by === "sent_at") return sign * (a.index - b.index);
          if (a.value === b.value) return b.index - a.index;
          if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
          return a.value < b.value ? -sign : sign;
        })
        .slice(page.offset, page.offset + page.limit);
      assert.deepEqual(
        sortSelection(selection, traffic, page).map(({ id }) => id),
        sorted.map(({ each }) => each.campaign.id),
      );
      const all = sortSelection(selection, traffic, { ...page, offset: 0, limit: wanted.length });
      for (const [index, { id }] of all.entries()) {
        const place = placeOf(selection, traffic, page, id);
        const ids = [place?.index, place?.before?.id, place?.after?.id];
        assert.deepEqual(ids, [index, all[index - 1]?.id, all[index + 1]?.id]);
      }
      assert.equal(placeOf(selection, traffic, page, 1_000), undefined);
    }),
    { numRuns: randomCases(150) },
  );
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

test("compares with the rates of the team in the year before, from at least three and half of its campaigns", async () => {
  const year = 365 * 24 * hour;
  await fc.assert(
    fc.asyncProperty(world, fc.constantFrom(...coveredRateNames), async (given, name) => {
      const { traffic, filter } = given;
      const campaigns = given.campaigns.map((each) => {
        // Over some years, so that the year leaves campaigns behind.
        const sentAt = start + 9 * (each.campaign.sentAt - start);
        return { ...each, campaign: { ...each.campaign, sentAt } };
      });
      const table = numbersOf({ ...given, campaigns });
      const { sentFrom: _from, sentUntil: _until, ...others } = filter;
      const selection = selectCampaigns(table, others);
      const wanted = campaigns.filter((each) => matches(each, others));
      const expected = wanted.map(({ campaign: { team, sentAt }, numbers: own }) => {
        if (team === null) return { rate: null, of: 0 };
        const earlier = campaigns.filter(
          ({ campaign }) =>
            campaign.team === team && campaign.sentAt < sentAt && campaign.sentAt >= sentAt - year,
        );
        const parts = earlier.map((each) => plainParts(each, name, traffic));
        const total = (part: keyof RateParts) => parts.reduce((sum, each) => sum + each[part], 0);
        const [from, of] = [total("from"), total("of")];
        const recipients = earlier.reduce((sum, { campaign }) => sum + (campaign.recipientCount ?? 0), 0);
        const isWeighted = name === "openRate" || name === "clickRate";
        const isCovered = 2 * from >= of && !(isWeighted && 2 * total("whole") < recipients);
        const isToldApart = traffic === "people" || /^(enps|glanced|skimmed|read)/.test(name);
        const counted = earlier.filter(({ numbers }) => "tallies" in numbers).length;
        const isCounted = "tallies" in own && 2 * counted >= earlier.length;
        const isKnown = from >= 3 && isCovered && total("whole") !== 0 && (isToldApart || isCounted);
        return { rate: isKnown ? total("part") / total("whole") : null, of: earlier.length };
      });
      const sent = wanted.map(({ campaign }) => campaign);
      const usual = await findUsualRates(table, wanted, traffic);
      const differences = await differencesOf(table, selection, traffic, name);
      for (const [index, { rate, of }] of expected.entries()) {
        const { id } = sent[index] as Campaign;
        assert.equal(usual.campaignsBefore(id), of);
        assertNear(usual.of(id, name), rate, name);
        const own = plainRate(wanted[index] as StoredCampaign, name, traffic);
        const difference = own === null || rate === null ? null : own - rate;
        const found = differences[index] as number;
        assertNear(Number.isNaN(found) ? null : found, difference, `difference of ${name}`);
      }
      const page = { isAscending: true, offset: 0, limit: 50 };
      const sorted = sortSelection(selection, traffic, { by: differences, ...page });
      const indexes = new Map(sent.map(({ id }, index) => [id, index]));
      const values = sorted.map(({ id }) => differences[indexes.get(id) as number] as number);
      assert.deepEqual(
        values,
        values.toSorted((a, b) => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b),
      );
    }),
    { numRuns: randomCases(150) },
  );
});

test("ranks the campaigns with the best and the worst values as a sort does", () => {
  const now = start + 2_000 * hour;
  fc.assert(
    fc.property(world, ({ traffic, ...given }) => {
      const campaigns = given.campaigns.map((each) => {
        const { recipientCount } = each.campaign;
        const scaled = recipientCount === null ? null : 4 * recipientCount;
        return { ...each, campaign: { ...each.campaign, recipientCount: scaled } };
      });
      const selection = selectCampaigns(numbersOf({ ...given, traffic, campaigns }), {});
      const ranked = campaigns.toReversed().flatMap((each) => {
        const { id, sentAt, recipientCount } = each.campaign;
        const openRate = plainRate(each, "openRate", traffic);
        const isRanked = sentAt <= now - 24 * hour && (recipientCount ?? 0) >= 10 && openRate !== null;
        return isRanked ? [{ id, openRate }] : [];
      });
      const limit = 3;
      const best = ranked
        .toSorted((a, b) => b.openRate - a.openRate)
        .slice(0, Math.min(limit, Math.ceil(ranked.length / 2)));
      const worst = ranked
        .toSorted((a, b) => a.openRate - b.openRate)
        .filter(({ id }) => best.every((each) => each.id !== id))
        .slice(0, limit);
      const idsOf = (list: typeof ranked) => list.map(({ id }) => id);
      const values = valuesOf(selection, traffic, "openRate");
      assert.deepEqual(bestAndWorst(selection, values, { now, limit }), {
        best: idsOf(best),
        worst: idsOf(worst),
      });
    }),
    { numRuns: randomCases(150) },
  );
});

test("lists the newest campaigns with activity, and those with comments whose answers fit, of how many", () => {
  fc.assert(
    fc.property(world, (given) => {
      const selection = selectCampaigns(numbersOf(given), {});
      const commented = given.campaigns.toReversed().flatMap(({ campaign: { id }, numbers }) => {
        if (!("tallies" in numbers)) return [];
        const { enpsComments, surveyComments, enpsReactions, surveyReactions } = numbers.tallies.people;
        const comments = enpsComments + surveyComments;
        return comments > 0 ? [{ id, answers: comments + enpsReactions + surveyReactions }] : [];
      });
      let left = given.limits.maxAnswers;
      const fitting = commented.filter(({ answers }) => {
        if (answers <= left) left -= answers;
        else return false;
        return true;
      });
      // Those beyond the limit are the last, and do not affect the others.
      const ids = fitting.map(({ id }) => id).slice(0, given.limits.limit);
      assert.deepEqual(newestCommented(selection, given.limits), { ids, of: commented.length });
      const counted = given.campaigns.toReversed().filter(({ numbers }) => "tallies" in numbers);
      const newest = counted.map(({ campaign }) => campaign.id).slice(0, given.limits.limit);
      assert.deepEqual(newestCounted(selection, given.limits.limit), { ids: newest, of: counted.length });
    }),
    { numRuns: randomCases(150) },
  );
});

test("adds up the comments of imported and of closed campaigns, which have no texts", () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 1, max: 4 }), (given, closed) => {
      const campaigns = given.campaigns.map((each, index) =>
        each.counting && index % closed === 0
          ? { ...each, counting: { ...each.counting, ledgerId: null } }
          : each,
      );
      const wanted = { reported: 0, closed: 0 };
      for (const { counting, numbers, campaign } of campaigns) {
        const metrics = metricsOf(numbers, campaign.recipientCount, "people");
        const comments = (metrics.enps_comments_count ?? 0) + (metrics.survey_reactions_comments_count ?? 0);
        if (counting === null) wanted.reported += comments;
        else if (counting.ledgerId === null) wanted.closed += comments;
      }
      const found = commentsWithoutText(selectCampaigns(numbersOf({ ...given, campaigns }), {}));
      assertNear(found.reported, wanted.reported, "reported");
      assert.equal(found.closed, wanted.closed);
    }),
    { numRuns: randomCases(150) },
  );
});

test("folds letter case and Unicode composition", () => {
  for (const [one, other] of [
    ["ÄRZTE", "ärzte"],
    ["Cafe\u0301", "CAFÉ"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδοσ"],
    ["ΟΔΟΣ", "οδος"],
    ["ПРИВЕТ", "привет"],
    ["İSTANBUL", "istanbul"],
  ] as const) {
    assert.equal(foldCase(one), foldCase(other));
  }
  assert.notEqual(foldCase("Cafe"), foldCase("Café"));
});
