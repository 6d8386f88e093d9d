// The numbers of one campaign that pages list, sort by and filter.

import assert from "node:assert/strict";
import test from "node:test";
import { answersOf, type NumberName, numberOf, surveysOf } from "../../src/campaign/campaign-number.ts";
import { emptyTally, type Tally } from "../../src/campaign/events/tally.ts";
import { metricNames, type Numbers, type ReportedMetrics } from "../../src/campaign/metrics.ts";

const counted = (people: Partial<Tally>, all: Partial<Tally> = {}): Numbers => ({
  tallies: { people: { ...emptyTally(), ...people }, all: { ...emptyTally(), ...all } },
});

const reported = (given: Partial<ReportedMetrics>): Numbers => {
  const unknown = Object.fromEntries(metricNames.map((name) => [name, null])) as ReportedMetrics;
  return { reported: { ...unknown, ...given } };
};

const campaignWith = (numbers: Numbers, surveysCount: number | null = 0) => ({
  campaign: { recipientCount: 40, surveysCount },
  numbers,
});

test("gives the counts and rates of a counted campaign for a traffic", () => {
  const stored = campaignWith(
    counted(
      { uniqueOpens: 10, uniqueClicks: 4, enpsComments: 2, surveyComments: 3 },
      { uniqueOpens: 20, uniqueClicks: 8, enpsComments: 5, surveyComments: 1 },
    ),
  );
  const names: NumberName[] = [
    "recipient_count",
    "unique_opens",
    "unique_clicks",
    "comments_count",
    "openRate",
  ];
  const found = names.map((name) => numberOf(stored, "people", name));
  assert.deepEqual(found, [40, 10, 4, 5, 0.25]);
  const seen = names.map((name) => numberOf(stored, "all", name));
  assert.deepEqual(seen, [40, 20, 8, 6, 0.5]);
});

test("gives the counts of a reported campaign, and null if an import lacks them", () => {
  const numberIn = (given: Partial<ReportedMetrics>, name: NumberName) =>
    numberOf(campaignWith(reported(given)), "people", name);
  assert.equal(numberIn({ unique_opens: 7 }, "unique_opens"), 7);
  assert.equal(numberIn({ unique_opens: 7 }, "unique_clicks"), null);
  assert.equal(numberIn({ enps_comments_count: 2, survey_reactions_comments_count: 3 }, "comments_count"), 5);
  assert.equal(numberIn({ survey_reactions_comments_count: 3 }, "comments_count"), 3);
  assert.equal(numberIn({}, "comments_count"), null);
});

test("adds up ratings and other answers", () => {
  assert.equal(
    answersOf({ numbers: counted({ enpsReactions: 3, surveyReactions: 2 }, { enpsReactions: 9 }) }),
    5,
  );
  assert.equal(answersOf({ numbers: reported({ enps_reactions_count: 3, survey_reactions_count: 2 }) }), 5);
  assert.equal(answersOf({ numbers: reported({ survey_reactions_count: 2 }) }), 2);
  assert.equal(answersOf({ numbers: reported({}) }), null);
});

test("calls a campaign rated from the first rating on, and else says whether it has surveys", () => {
  assert.equal(surveysOf(campaignWith(counted({ enpsReactions: 1 }))), "rated");
  assert.equal(surveysOf(campaignWith(counted({}, { enpsReactions: 1 }))), "none");
  assert.equal(surveysOf(campaignWith(counted({ surveyReactions: 1 }))), "some");
  assert.equal(surveysOf(campaignWith(counted({}), 1)), "some");
  assert.equal(surveysOf(campaignWith(counted({}), null)), "none");
  assert.equal(surveysOf(campaignWith(reported({ enps_reactions_count: 1 }))), "rated");
  const found = surveysOf(campaignWith(reported({ enps_reactions_count: 0, survey_reactions_count: 1 })));
  assert.equal(found, "some");
  assert.equal(surveysOf(campaignWith(reported({}))), "none");
});
