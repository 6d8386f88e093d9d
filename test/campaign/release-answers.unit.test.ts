// Which survey results are withheld, and that counts stay.

import assert from "node:assert/strict";
import test from "node:test";
import { campaignRate, sumsOfCampaign } from "../../src/campaign/campaign-rates.ts";
import { emptyTally, type Tally } from "../../src/campaign/events/tally.ts";
import { metricNames, metricsOf, type Numbers, type ReportedMetrics } from "../../src/campaign/metrics.ts";
import { releaseAnswers, releasedSurveys } from "../../src/campaign/release-answers.ts";
import { ofTraffic } from "../../src/campaign/sums.ts";

const nameless = ["Anonymous", "Overall"];
const named = ["Individual", "Something else", null];

const counted = (trackingType: string | null, ratings: number) => {
  const tally: Tally = {
    ...emptyTally(),
    uniqueOpens: 20,
    enpsReactions: ratings,
    enpsScores: 9 * ratings,
    enpsPromoters: ratings,
    enpsDetractors: 0,
    enpsComments: ratings,
    surveyReactions: 3,
  };
  return {
    campaign: { trackingType },
    numbers: { tallies: { people: tally, all: { ...tally } } } as Numbers,
  };
};

const reported = (
  trackingType: string | null,
  enps_reactions_count: number | null,
  enps_score_average: number | null,
) => {
  const none = Object.fromEntries(metricNames.map((name) => [name, null])) as ReportedMetrics;
  const metrics = { ...none, unique_opens: 7, enps_reactions_count, enps_score_average };
  return { campaign: { trackingType }, numbers: { reported: metrics } as Numbers };
};

test("withholds scores, promoters and detractors of fewer ratings than the minimum, and keeps counts", () => {
  for (const type of nameless) {
    for (const [min, ratings] of [
      [5, 1],
      [5, 4],
      [50, 49],
      [2, 1],
    ] as const) {
      const stored = counted(type, ratings);
      const before = structuredClone(stored);
      const tally = {
        ...emptyTally(),
        ...{ uniqueOpens: 20, enpsReactions: ratings, enpsComments: ratings, surveyReactions: 3 },
      };
      assert.deepEqual(releaseAnswers(stored, min).numbers, {
        tallies: { people: tally, all: tally },
        withheldBelow: min,
      });
      assert.deepEqual(stored, before, "the stored campaign stays as it is");
    }
  }
});

test("returns the campaign itself when it has names, enough ratings, or none", () => {
  for (const type of [...nameless, ...named]) {
    for (const ratings of [0, 1, 4, 5, 6]) {
      if (nameless.includes(type ?? "") && ratings > 0 && ratings < 5) continue;
      const stored = counted(type, ratings);
      assert.equal(releaseAnswers(stored, 5), stored);
    }
    const stored = counted(type, 1);
    assert.equal(releaseAnswers(stored, 1), stored);
  }
});

test("withholds the average of an import with fewer ratings, and keeps one whose number is unknown", () => {
  for (const type of nameless) {
    const { numbers } = releaseAnswers(reported(type, 4, 8.5), 5);
    assert.deepEqual(numbers, {
      reported: { ...(reported(type, 4, null).numbers as { reported: ReportedMetrics }).reported },
      withheldBelow: 5,
    });
    const contradictory = releaseAnswers(reported(type, 0, 8.5), 5).numbers;
    assert.equal("reported" in contradictory && contradictory.reported.enps_score_average, null);
    for (const stored of [
      reported(type, 5, 8.5),
      reported(type, null, 8.5),
      reported(type, 0, 0),
      reported(type, 0, null),
    ])
      assert.equal(releaseAnswers(stored, 5), stored);
  }
  for (const type of named) {
    const stored = reported(type, 1, 8.5);
    assert.equal(releaseAnswers(stored, 5), stored);
  }
});

test("a withheld campaign has no average and no index, and enters no sum of ratings", () => {
  for (const stored of [counted("Overall", 4), reported("Anonymous", 4, 8.5)]) {
    const { numbers } = releaseAnswers(stored, 5);
    const campaign = ofTraffic({ campaign: { recipientCount: 20, surveysCount: 1 }, numbers }, "all");
    const { ratings, scores, ratedCampaigns, promoters, indexed, indexedCampaigns, surveyedCampaigns } =
      sumsOfCampaign(campaign);
    const expected = Array(6).fill(0);
    assert.deepEqual([ratings, scores, ratedCampaigns, promoters, indexed, indexedCampaigns], expected);
    assert.equal(surveyedCampaigns, 1, "coverage says that a campaign is missing");
    assert.equal(campaignRate(campaign, "enpsMean"), null);
    assert.equal(campaignRate(campaign, "enpsIndex"), null);
    assert.equal(metricsOf(numbers, 20, "people").enps_score_average, null);
    assert.equal(metricsOf(numbers, 20, "people").enps_reactions_count, 4);
  }
});

const released = (type: string, surveys: Record<string, [answers: number, reactions: number]>, min = 5) => {
  const counts = Object.entries(surveys).map(
    ([survey, [answers, reactions]]) => [survey, { answers, reactions }] as const,
  );
  return [...releasedSurveys({ trackingType: type }, new Map(counts), min)];
};

test("releases a survey with enough scores or texts, or with enough comments and nothing else", () => {
  assert.deepEqual(released("Anonymous", { "pulse a": [5, 5], "pulse b": [4, 4] }), ["pulse a"]);
  assert.deepEqual(released("Overall", { "pulse a": [9, 1], "pulse b": [5, 0], "pulse c": [4, 0] }), [
    "pulse b",
  ]);
  assert.deepEqual(released("Anonymous", { "enps a": [1, 1], "pulse b": [1, 1] }, 1), ["enps a", "pulse b"]);
  assert.deepEqual(released("Individual", { "enps a": [1, 1], "pulse b": [1, 0] }), ["enps a", "pulse b"]);
});

test("withholds all eNPS ratings while one eNPS survey is small", () => {
  assert.deepEqual(released("Anonymous", { "enps a": [5, 5], "enps b": [9, 8] }), ["enps a", "enps b"]);
  assert.deepEqual(released("Anonymous", { "enps a": [50, 50], "enps b": [1, 1], "pulse c": [5, 5] }), [
    "pulse c",
  ]);
  // Comments without a rating are not in the average.
  assert.deepEqual(released("Anonymous", { "enps a": [5, 5], "enps b": [1, 0], "enps c": [6, 0] }), [
    "enps a",
    "enps c",
  ]);
});

test("never lets the ratings of fewer than the minimum be computed from the average and the distributions", () => {
  // Every campaign of up to three eNPS surveys: what is released is a union of known parts, each large enough.
  const min = 3;
  for (let a = 0; a <= 5; a += 1) {
    for (let b = 0; b <= 5; b += 1) {
      for (let c = 0; c <= 5; c += 1) {
        const parts = { "enps a": a, "enps b": b, "enps c": c };
        const given = Object.entries(parts).filter(([, count]) => count > 0);
        const shown = released(
          "Anonymous",
          Object.fromEntries(given.map(([name, count]) => [name, [count, count]])),
          min,
        );
        const total = a + b + c;
        const isAverage = !("withheldBelow" in releaseAnswers(counted("Anonymous", total), min).numbers);
        const known = shown.map((name) => parts[name as keyof typeof parts]);
        assert.ok(known.every((count) => count >= min));
        const rest = total - known.reduce((sum, count) => sum + count, 0);
        assert.ok(!isAverage || rest === 0 || rest >= min, `${a} ${b} ${c}`);
      }
    }
  }
});
