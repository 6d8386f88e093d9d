// Metrics derived from a tally: rounding, limits and zero denominators.

import assert from "node:assert/strict";
import test from "node:test";
import { type Counts, emptyTally } from "../../src/campaign/events/tally.ts";
import { largestInteger } from "../../src/campaign/fields/field-schema.ts";
import { deriveMetrics, metricNames, metricsOf, type ReportedMetrics } from "../../src/campaign/metrics.ts";

const derive = (tally: Partial<Counts>, recipientCount = 100) =>
  deriveMetrics({ ...emptyTally(), ...tally }, recipientCount);

test("derives every metric from the tally", () => {
  const tally: Counts = {
    uniqueOpens: 25,
    unknownOpens: 0,
    totalOpens: 40,
    desktopOpens: 3,
    mobileOpens: 2,
    uniqueClicks: 10,
    totalClicks: 15,
    glanced: 2,
    skimmed: 3,
    read: 5,
    enpsReactions: 4,
    enpsScores: 33,
    enpsComments: 3,
    enpsPromoters: 2,
    enpsDetractors: 1,
    surveyReactions: 7,
    surveyComments: 6,
    provenPeople: 3,
    peopleCalledMachines: 1,
    provenMachines: 2,
    machinesCaught: 2,
  };
  const metrics = deriveMetrics(tally, 135);
  assert.deepEqual(metrics, {
    open_rate: 0.1852,
    click_rate: 0.0741,
    unique_opens: 25,
    multiple_opens: 15,
    unopened: 110,
    total_opens: 40,
    unique_clicks: 10,
    multiple_clicks: 5,
    total_clicks: 15,
    click_per_unique_open_rate: 40,
    desktop_open_rate: 60,
    mobile_open_rate: 40,
    read_time_glanced: 20,
    read_time_skimmed: 30,
    read_time_read: 50,
    enps_score_average: 8.25,
    enps_reactions_count: 4,
    enps_comments_count: 3,
    survey_reactions_count: 7,
    survey_reactions_comments_count: 6,
  });
  assert.deepEqual(Object.keys(metrics), [...metricNames]);
});

test("gives 0, never -0 or NaN, when a denominator is 0", () => {
  for (const recipientCount of [0, 100]) {
    const metrics = derive({}, recipientCount);
    for (const name of metricNames) {
      assert.ok(
        Object.is(metrics[name], name === "unopened" ? recipientCount : 0),
        `${name}: ${metrics[name]}`,
      );
    }
  }
});

test("limits rates to 1 and unopened to 0 when opens exceed recipients", () => {
  const { open_rate, click_rate, unopened, unique_opens } = derive({ uniqueOpens: 5, uniqueClicks: 4 }, 3);
  assert.deepEqual([open_rate, click_rate, unopened, unique_opens], [1, 1, 0, 5]);
  assert.equal(derive({ uniqueOpens: 5 }, 0).open_rate, 0);
});

test("rounds rates half up to four decimals, exactly, for numbers of any size", () => {
  const rateOf = (uniqueOpens: number, recipients: number) => derive({ uniqueOpens }, recipients).open_rate;
  assert.equal(rateOf(1, 3), 0.3333);
  assert.equal(rateOf(2, 3), 0.6667);
  assert.equal(rateOf(1, 20_000), 0.0001);
  assert.equal(rateOf(1, 20_001), 0);
  assert.equal(rateOf(19_999, 20_000), 1);
  assert.equal(rateOf(29_998, 30_000), 0.9999);
  // As binary fractions, 0.00125 and 0.00135 are above and below their decimal values.
  assert.equal(rateOf(1, 800), 0.0013);
  assert.equal(rateOf(27, 20_000), 0.0014);
  assert.equal(rateOf(largestInteger, largestInteger), 1);
  assert.equal(rateOf((largestInteger - 1) / 2, largestInteger), 0.5);
  assert.equal(rateOf(1, largestInteger), 0);
  // Just below 0.99995. As a double, its dividend would be that of 0.99995.
  const recipients = 450_359_979_999;
  assert.equal(rateOf((19_999 * recipients - 1) / 20_000, recipients), 0.9999);
});

test("gives the nearest rate of four decimals for up to 300 recipients", () => {
  for (let recipients = 1; recipients <= 300; recipients++) {
    for (let opens = 0; opens <= recipients; opens++) {
      const rate = derive({ uniqueOpens: opens }, recipients).open_rate;
      const parts = Math.round(rate * 10_000);
      assert.equal(rate, parts / 10_000);
      const twice = 2 * (opens * 10_000 - parts * recipients);
      assert.ok(-recipients <= twice && twice < recipients, `${opens} of ${recipients}: ${rate}`);
    }
  }
});

test("rounds click percentages half up to whole numbers", () => {
  const percentOf = (uniqueClicks: number, uniqueOpens: number) =>
    derive({ uniqueClicks, uniqueOpens }).click_per_unique_open_rate;
  const parts = [percentOf(1, 8), percentOf(1, 200), percentOf(1, 201), percentOf(2, 3)];
  assert.deepEqual([...parts, percentOf(7, 7), percentOf(0, 7)], [13, 1, 0, 67, 100, 0]);
});

test("rounds the average half up to two decimals", () => {
  const averageOf = (enpsScores: number, enpsReactions: number) =>
    derive({ enpsScores, enpsReactions }).enps_score_average;
  const thirds = [averageOf(25, 3), averageOf(26, 3), averageOf(30, 3)];
  assert.deepEqual(thirds, [8.33, 8.67, 10]);
  assert.deepEqual([averageOf(65, 8), averageOf(1, 200), averageOf(1, 201)], [8.13, 0.01, 0]);
});

test("rounds shares so that they sum to 100, each within 1 of its exact value, with ties to the first", () => {
  const devices = (desktopOpens: number, mobileOpens: number) => {
    const { desktop_open_rate, mobile_open_rate } = derive({ desktopOpens, mobileOpens });
    return [desktop_open_rate, mobile_open_rate];
  };
  assert.deepEqual(devices(1, 7), [13, 87]);
  assert.deepEqual(devices(7, 1), [88, 12]);
  assert.deepEqual(devices(1, 1), [50, 50]);
  assert.deepEqual(devices(1, 999), [0, 100]);
  const readings = (glanced: number, skimmed: number, read: number) => {
    const { read_time_glanced, read_time_skimmed, read_time_read } = derive({ glanced, skimmed, read });
    return [read_time_glanced, read_time_skimmed, read_time_read];
  };
  assert.deepEqual(readings(1, 1, 1), [34, 33, 33]);
  assert.deepEqual(readings(2, 2, 2), [34, 33, 33]);
  assert.deepEqual(readings(1, 5, 0), [17, 83, 0]);
  assert.deepEqual(readings(1, 3, 4), [13, 37, 50]);
  assert.deepEqual(readings(0, 1, 5), [0, 17, 83]);
  assert.deepEqual(readings(largestInteger, largestInteger, largestInteger), [34, 33, 33]);
  for (let glanced = 0; glanced <= 12; glanced++) {
    for (let skimmed = 0; skimmed <= 12; skimmed++) {
      for (let read = 0; read <= 12; read++) {
        const total = glanced + skimmed + read;
        if (total === 0) continue;
        const shares = readings(glanced, skimmed, read);
        const found = shares.reduce((sum, share) => sum + share, 0);
        assert.equal(found, 100);
        for (const [index, count] of [glanced, skimmed, read].entries()) {
          const share = shares[index] ?? -1;
          assert.ok(Number.isInteger(share) && Math.abs(share - (100 * count) / total) < 1);
        }
      }
    }
  }
});

test("shows the metrics of a reported campaign as given, for either traffic filter", () => {
  const reported = Object.fromEntries(metricNames.map((name) => [name, 0.123456789])) as ReportedMetrics;
  assert.equal(metricsOf({ reported }, 1, "people"), reported);
  assert.equal(metricsOf({ reported }, 1, "all"), reported);
});

test("shows the metrics of a counted campaign for the traffic that the organization counts", () => {
  const tallies = { people: { ...emptyTally(), uniqueOpens: 1 }, all: { ...emptyTally(), uniqueOpens: 2 } };
  assert.equal(metricsOf({ tallies }, 4, "people").open_rate, 0.25);
  assert.equal(metricsOf({ tallies }, 4, "all").open_rate, 0.5);
  assert.equal(metricsOf({ tallies }, null, "all").open_rate, 0);
});
