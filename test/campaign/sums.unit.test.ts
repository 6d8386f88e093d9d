// Sums over several campaigns, compared with plain definitions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryRateNames } from "../../src/campaign/delivery/delivery-fields.ts";
import { outcomeNames } from "../../src/campaign/events/outcomes.ts";
import { emptyTally, type Tally, tallyNames } from "../../src/campaign/events/tally.ts";
import { metricNames, metricsOf, type Numbers, type ReportedMetrics } from "../../src/campaign/metrics.ts";
import {
  areComparable,
  type CoveredRateName,
  coveredRateNames,
  coveredRateOf,
  ratePartsOf,
} from "../../src/campaign/sum-rates.ts";
import { addCampaign, addSums, emptySums, ofTraffic, type Sums } from "../../src/campaign/sums.ts";
import { Random } from "../support/histories.ts";

const tally = (given: Record<string, unknown>): Tally => ({ ...emptyTally(), ...given });
interface Summed {
  recipientCount: number | null;
  surveysCount: number | null;
  numbers: Numbers;
}
const counted = (recipientCount: number | null, given: Record<string, unknown>, all = given) => ({
  recipientCount,
  surveysCount: 0,
  numbers: { tallies: { people: tally(given), all: tally(all) } },
});
const reported = (recipientCount: number | null, given: Partial<ReportedMetrics>) => {
  const none = Object.fromEntries(metricNames.map((name) => [name, null])) as ReportedMetrics;
  return { recipientCount, surveysCount: 0, numbers: { reported: { ...none, ...given } } };
};
const sumsOf = (campaigns: readonly Summed[], traffic: "people" | "all" = "people") => {
  const sums = emptySums();
  for (const campaign of campaigns) {
    addCampaign(sums, ofTraffic({ campaign, numbers: campaign.numbers }, traffic));
  }
  return sums;
};

/** A rate whatever its coverage. */
const rateOf = (name: CoveredRateName) => (sums: Sums) => {
  const { part, whole } = ratePartsOf(sums, name);
  return whole > 0 ? part / whole : null;
};
const [openRateOf, clickRateOf] = [rateOf("openRate"), rateOf("clickRate")];
const [enpsMeanOf, enpsIndexOf] = [rateOf("enpsMean"), rateOf("enpsIndex")];

test("weights rates by recipients, without campaigns that lack opens or recipients", () => {
  const sums = sumsOf([
    counted(1_000, { uniqueOpens: 100, uniqueClicks: 10 }),
    reported(100, { unique_opens: 100, open_rate: 1 }),
    reported(null, { unique_opens: 50, unique_clicks: 50 }),
    reported(900, { open_rate: 0.9 }),
    reported(0, { unique_opens: 0, unique_clicks: 0 }),
  ]);
  assert.equal(openRateOf(sums), 200 / 1_100);
  assert.equal(clickRateOf(sums), 10 / 1_000);
  assert.equal(sums.recipients, 2_000);
  assert.equal(sums.campaigns, 5);
});

test("gives no rate without recipients, and at most 1 when there are more devices than recipients", () => {
  assert.equal(openRateOf(emptySums()), null);
  assert.equal(clickRateOf(sumsOf([reported(0, { unique_clicks: 3 })])), null);
  assert.equal(openRateOf(sumsOf([counted(10, { uniqueOpens: 12 })])), 1);
});

test("limits opens to the recipients of each campaign, as its record does", () => {
  const few = counted(1, { uniqueOpens: 3, uniqueClicks: 2 });
  assert.equal(openRateOf(sumsOf([few, counted(3, {})])), 0.25);
  assert.equal(clickRateOf(sumsOf([few, counted(3, {})])), 0.25);
  for (let seed = 1; seed <= 100; seed++) {
    const random = new Random(seed);
    const campaigns = Array.from({ length: random.between(1, 10) }, () =>
      counted(random.between(0, 200), {
        uniqueOpens: random.between(0, 300),
        uniqueClicks: random.between(0, 300),
      }),
    );
    const recipients = campaigns.reduce((sum, each) => sum + (each.recipientCount ?? 0), 0);
    for (const [rate, of] of [
      ["open_rate", openRateOf],
      ["click_rate", clickRateOf],
    ] as const) {
      const reached = campaigns.reduce((sum, { numbers, recipientCount }) => {
        const record = metricsOf(numbers, recipientCount, "people");
        return sum + (record[rate] ?? 0) * (recipientCount ?? 0);
      }, 0);
      // A record has four decimals.
      const difference = (of(sumsOf(campaigns)) ?? 0) - (recipients && reached / recipients);
      assert.ok(Math.abs(difference) < 0.000_051, `seed ${seed}, ${rate}: ${difference}`);
    }
  }
});

test("says from how many of the campaigns each rate comes", () => {
  const withSurvey = (campaign: Summed) => ({ ...campaign, surveysCount: 1 });
  const sums = sumsOf([
    counted(10, { uniqueOpens: 4, uniqueClicks: 1, desktopOpens: 2, read: 1 }),
    withSurvey(counted(10, { enpsReactions: 2, enpsScores: 18, enpsPromoters: 2 })),
    withSurvey(counted(10, { surveyReactions: 3 })),
    withSurvey(counted(0, {})),
    reported(10, { unique_opens: 0, desktop_open_rate: 50, bounced: 1 }),
    reported(null, { unique_opens: 2, unique_clicks: 1, desktop_open_rate: 50, mobile_open_rate: 50 }),
    reported(9, { enps_score_average: 8, enps_reactions_count: 5, read_time_read: 100 }),
  ]);
  const covered = (of: Sums) =>
    Object.fromEntries(
      coveredRateNames.map((name) => {
        const { rate, from, of: all } = coveredRateOf(of, name);
        return [name, [rate, from, all]];
      }),
    );
  assert.deepEqual(covered(sums), {
    openRate: [4 / 40, 4, 7],
    clickRate: [1 / 30, 3, 7],
    clickToOpenRate: [2 / 6, 2, 7],
    desktopShare: [3 / 4, 2, 7],
    mobileShare: [1 / 4, 2, 7],
    glancedShare: [0, 1, 7],
    skimmedShare: [0, 1, 7],
    readShare: [1, 1, 7],
    enpsMean: [(18 + 40) / 7, 2, 3],
    // A campaign with a survey and no answer may have asked for a score; one with other answers did not.
    enpsIndex: [100, 1, 3],
    ...Object.fromEntries(deliveryRateNames.map((name) => [name, [null, 0, 7]])),
    bounce_rate: [1 / 10, 1, 7],
  });
  assert.deepEqual(covered(emptySums()).openRate, [null, 0, 0]);
});

test("compares rates of all activity only if half of the campaigns on both sides were counted", () => {
  const own = counted(10, { uniqueOpens: 1 });
  // Whatever the traffic is, what became of messages is known.
  const isDelivery = (name: CoveredRateName) => deliveryRateNames.some((each) => each === name);
  const imported = reported(10, { unique_opens: 1 });
  const sides = {
    counted: sumsOf([own]),
    half: sumsOf([own, imported]),
    few: sumsOf([own, imported, imported]),
  };
  const compare = (one: Sums, other: Sums, name: CoveredRateName, traffic: "people" | "all") =>
    areComparable(one, other, { name, traffic });
  for (const name of coveredRateNames) {
    assert.ok(compare(sides.counted, sides.half, name, "all"), name);
    assert.ok(compare(sides.few, sides.few, name, "people"), name);
    // Reads and survey answers are always human.
    const isHuman = /Share$/.test(name) ? !/^(desktop|mobile)/.test(name) : name.startsWith("enps");
    if (isDelivery(name) && name !== "open_rate_of_delivered") continue;
    assert.equal(compare(sides.counted, sides.few, name, "all"), isHuman, name);
    assert.equal(compare(sides.few, sides.counted, name, "all"), isHuman, name);
  }
});

test("counts campaigns with surveys, without answers to them, and those of which that is not known", () => {
  const answered = (enps: number | null, other: number | null) =>
    reported(10, { enps_reactions_count: enps, survey_reactions_count: other, enps_score_average: 5 });
  const cases: [surveysCount: number | null, campaign: Summed, counts: [number, number, number]][] = [
    [0, counted(10, {}), [0, 0, 0]],
    [1, counted(10, {}), [1, 1, 0]],
    [1, counted(10, { enpsReactions: 1 }), [1, 0, 0]],
    [1, counted(10, { surveyReactions: 1 }), [0, 0, 0]],
    [null, answered(null, null), [0, 0, 1]],
    [null, answered(0, 0), [0, 0, 1]],
    [null, answered(2, null), [1, 0, 0]],
    [null, answered(null, 2), [0, 0, 0]],
    [1, answered(null, 0), [1, 0, 0]],
    [1, answered(0, 0), [1, 1, 0]],
  ];
  for (const [surveysCount, campaign, counts] of cases) {
    const sums = sumsOf([{ ...campaign, surveysCount }]);
    const found = [sums.surveyedCampaigns, sums.unansweredCampaigns, sums.maybeSurveyedCampaigns];
    assert.deepEqual(found, counts, JSON.stringify([surveysCount, campaign]));
  }
});

test("adds the tally of the traffic that the organization counts", () => {
  const campaigns = [counted(10, { uniqueOpens: 2 }, { uniqueOpens: 5 })];
  assert.equal(openRateOf(sumsOf(campaigns)), 0.2);
  assert.equal(openRateOf(sumsOf(campaigns, "all")), 0.5);
});

test("adds devices and reads of counted campaigns exactly, and of reported ones by unique opens", () => {
  const sums = sumsOf([
    counted(10, { desktopOpens: 3, mobileOpens: 1, glanced: 1, skimmed: 0, read: 1 }),
    reported(10, {
      unique_opens: 6,
      desktop_open_rate: 50,
      mobile_open_rate: 50,
      read_time_glanced: 0,
      read_time_skimmed: 100,
      read_time_read: 0,
    }),
    reported(10, { desktop_open_rate: 100, mobile_open_rate: 0 }),
  ]);
  const shares = (of: Sums) =>
    (["desktopShare", "mobileShare", "glancedShare", "skimmedShare", "readShare"] as const).map(
      (name) => coveredRateOf(of, name).rate,
    );
  assert.deepEqual(shares(sums), [0.6, 0.4, 1 / 8, 6 / 8, 1 / 8]);
  assert.deepEqual(shares(emptySums()), [null, null, null, null, null]);
});

test("leaves out devices and reads of which only some shares were imported", () => {
  const known = { unique_opens: 10, desktop_open_rate: 60, read_time_read: 30 };
  const sums = sumsOf([reported(20, known), reported(20, { ...known, mobile_open_rate: 40 })]);
  assert.deepEqual([sums.desktop, sums.mobile, sums.deviceCampaigns], [600, 400, 1]);
  assert.deepEqual([sums.glanced, sums.skimmed, sums.read, sums.readCampaigns], [0, 0, 0, 0]);
});

test("weights each share of a reported campaign by its unique opens", () => {
  const reads = { read_time_glanced: 50, read_time_skimmed: 20, read_time_read: 30 };
  const sums = sumsOf([
    reported(20, { unique_opens: 10, desktop_open_rate: 60, mobile_open_rate: 40, ...reads }),
  ]);
  assert.deepEqual([sums.desktop, sums.mobile, sums.deviceCampaigns], [600, 400, 1]);
  assert.deepEqual([sums.glanced, sums.skimmed, sums.read, sums.readCampaigns], [500, 200, 300, 1]);
});

test("counts no campaign for the shares of no opens", () => {
  const shares = { desktop_open_rate: 60, mobile_open_rate: 40 };
  const reads = { read_time_glanced: 50, read_time_skimmed: 25, read_time_read: 25 };
  const sums = sumsOf([
    reported(20, { unique_opens: 0, ...shares, ...reads }),
    reported(20, { ...shares, ...reads }),
  ]);
  assert.deepEqual([sums.deviceCampaigns, sums.readCampaigns], [0, 0]);
});

test("squares what each recipient adds to a rate: nothing or one, and eNPS points", () => {
  const sums = sumsOf([
    counted(100, {
      ...{
        uniqueOpens: 50,
        uniqueClicks: 20,
        desktopOpens: 30,
        mobileOpens: 10,
        glanced: 5,
        skimmed: 6,
        read: 7,
      },
      ...{ enpsReactions: 10, enpsScores: 70, enpsPromoters: 5, enpsDetractors: 2 },
      outcomes: { ...Object.fromEntries(outcomeNames.map((name) => [name, 1])), delivered: 95 },
    }),
  ]);
  for (const name of coveredRateNames.filter((each) => !each.startsWith("enps"))) {
    const { squares, part } = ratePartsOf(sums, name);
    assert.ok(part > 0, name);
    assert.equal(squares, part, name);
  }
  assert.equal(ratePartsOf(sums, "enpsIndex").squares, 7 * 100 ** 2);
  assert.equal(ratePartsOf(sums, "enpsMean").squares, 0);
});

test("weights the eNPS mean by scores, and takes the index from counted campaigns only", () => {
  const sums = sumsOf([
    counted(10, { enpsReactions: 4, enpsScores: 32, enpsPromoters: 3, enpsDetractors: 1 }),
    counted(10, { enpsReactions: 2, enpsScores: 4, enpsPromoters: 0, enpsDetractors: 2 }),
    reported(10, { enps_score_average: 10, enps_reactions_count: 4 }),
    reported(10, { enps_score_average: 10 }),
    reported(10, { enps_reactions_count: 5 }),
  ]);
  assert.equal(enpsMeanOf(sums), 76 / 10);
  assert.equal(enpsIndexOf(sums), 0);
  assert.equal(enpsMeanOf(emptySums()), null);
});

test("gives an eNPS index from -100 to 100, and none without scores", () => {
  const cases: [ratings: number, promoters: number, detractors: number, index: number | null][] = [
    [0, 0, 0, null],
    [1, 1, 0, 100],
    [1, 0, 1, -100],
    [2, 0, 0, 0],
    [2, 1, 1, 0],
    [4, 3, 0, 75],
    [300, 0, 1, -1 / 3],
  ];
  for (const [enpsReactions, enpsPromoters, enpsDetractors, index] of cases) {
    assert.equal(enpsIndexOf(sumsOf([counted(10, { enpsReactions, enpsPromoters, enpsDetractors })])), index);
  }
});

/** Any value may be missing. */
function randomCampaign(random: Random): Summed {
  const recipientCount = random.chance(10) ? null : random.between(0, 500);
  if (random.chance(50)) {
    const number = () => random.between(0, 300);
    const given = Object.fromEntries(tallyNames.map((name) => [name, number()]));
    return counted(recipientCount, { ...given, enpsPromoters: number(), enpsDetractors: number() }, {});
  }
  const given = metricNames.map((name) => [name, random.chance(20) ? null : random.between(0, 100)]);
  return reported(recipientCount, Object.fromEntries(given) as ReportedMetrics);
}

test("gives the same result for any grouping of campaigns as the plain definitions", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const campaigns = Array.from({ length: random.between(0, 30) }, () => randomCampaign(random));
    const sums = emptySums();
    for (let start = 0; start < campaigns.length; ) {
      const length = random.between(1, 7);
      addSums(sums, sumsOf(campaigns.slice(start, start + length)));
      start += length;
    }
    const plain = campaigns.map(({ recipientCount, numbers }) => {
      if ("tallies" in numbers) {
        const { people } = numbers.tallies;
        return {
          recipientCount,
          opens: people.uniqueOpens,
          desktop: people.desktopOpens,
          mobile: people.mobileOpens,
          ratings: people.enpsReactions,
          scores: people.enpsScores,
        };
      }
      const { reported: metrics } = numbers;
      const opens = metrics.unique_opens;
      const { desktop_open_rate: desktop, mobile_open_rate: mobile } = metrics;
      const hasDevices = desktop !== null && mobile !== null;
      const part = (percentage: number | null) => (hasDevices ? ((percentage ?? 0) / 100) * (opens ?? 0) : 0);
      const mean = metrics.enps_score_average;
      const ratings = mean === null ? 0 : (metrics.enps_reactions_count ?? 0);
      return {
        recipientCount,
        opens,
        desktop: part(desktop),
        mobile: part(mobile),
        ratings,
        scores: (mean ?? 0) * ratings,
      };
    });
    const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
    const both = plain.filter(({ recipientCount, opens }) => recipientCount !== null && opens !== null);
    const recipients = total(both.map(({ recipientCount }) => recipientCount ?? 0));
    const near = (found: number | null, wanted: number | null, what: string) =>
      assert.ok(
        found === wanted || (found !== null && wanted !== null && Math.abs(found - wanted) < 1e-9),
        `seed ${seed}, ${what}: got ${found}, expected ${wanted}`,
      );
    const openRate = recipients
      ? total(both.map((each) => Math.min(each.opens ?? 0, each.recipientCount ?? 0))) / recipients
      : null;
    near(openRateOf(sums), openRate, "open rate");
    const from = both.filter(({ recipientCount }) => recipientCount !== 0).length;
    assert.deepEqual(coveredRateOf(sums, "openRate").from, from);
    const desktop = total(plain.map((each) => each.desktop));
    const known = desktop + total(plain.map((each) => each.mobile));
    near(sums.desktop + sums.mobile, 100 * known, "opens with a device");
    near(sums.desktop, 100 * desktop, "desktop opens");
    const ratings = total(plain.map((each) => each.ratings));
    near(enpsMeanOf(sums), ratings ? total(plain.map(({ scores }) => scores)) / ratings : null, "eNPS");
    assert.equal(sums.campaigns, campaigns.length);
  }
});

test("leaves out imported numbers that are too large to add up", () => {
  const huge = reported(10, {
    ...{ desktop_open_rate: 1e308, mobile_open_rate: 1e308, unique_opens: Number.MAX_SAFE_INTEGER },
    ...{ read_time_glanced: 1e308, read_time_skimmed: 0, read_time_read: 1e308 },
    ...{ enps_score_average: 1e308, enps_reactions_count: 1_000 },
  });
  const fine = reported(10, { desktop_open_rate: 60, mobile_open_rate: 40, unique_opens: 10 });
  const shareOf = (...campaigns: Summed[]) => coveredRateOf(sumsOf(campaigns), "desktopShare").rate;
  assert.deepEqual([shareOf(huge), shareOf(huge, fine)], [null, 0.6]);
  assert.ok(Object.values(sumsOf([huge, huge])).every(Number.isFinite));
  // Each can be added, and together they cannot.
  const large = reported(10, { desktop_open_rate: 1e307, mobile_open_rate: 0, unique_opens: 10 });
  assert.equal(shareOf(large, large), null);
});
