// The rates of one campaign, from its counts or as they were imported.

import assert from "node:assert/strict";
import test from "node:test";
import { givenRate, rateOfMetric, rateOrGiven } from "../../src/campaign/campaign-rates.ts";
import { type CoveredRateName, coveredRateNames, type RateParts } from "../../src/campaign/sum-rates.ts";

const partsOf = (part: number, whole: number): RateParts => ({
  ...{ part, whole, from: 1, of: 1, recipients: 0, toldApart: 1, squares: 0 },
});

test("divides an imported percentage by 100 when the counts are missing, and takes other rates as they are", () => {
  const cases: [name: CoveredRateName, value: number | null, expected: number | null][] = [
    ["openRate", 0.25, 0.25],
    ["clickRate", 0.5, 0.5],
    ["clickToOpenRate", 25, 0.25],
    ["desktopShare", 75, 0.75],
    ["readShare", 10, 0.1],
    ["enpsMean", 8.5, 8.5],
    ["enpsIndex", 0.5, 0.5],
    ["openRate", null, null],
  ];
  for (const [name, value, expected] of cases) {
    assert.equal(rateOrGiven(name, partsOf(0, 0), value), expected, name);
  }
});

test("prefers the rate of the counts, but an average of scores as it was imported", () => {
  assert.equal(rateOrGiven("openRate", partsOf(1, 4), 0.3), 0.25);
  assert.equal(rateOrGiven("openRate", partsOf(0, 4), 0.3), 0);
  assert.equal(rateOrGiven("enpsMean", partsOf(17, 2), 8.4), 8.4);
  assert.equal(rateOrGiven("enpsMean", partsOf(17, 2), null), 8.5);
});

test("names the rate of a metric, and the metric of a rate", () => {
  const rates = coveredRateNames.filter((name) => givenRate(name) !== undefined);
  assert.deepEqual(
    rates.map((name) => givenRate(name)?.metric),
    [
      ...["open_rate", "click_rate", "click_per_unique_open_rate", "desktop_open_rate", "mobile_open_rate"],
      ...["read_time_glanced", "read_time_skimmed", "read_time_read", "enps_score_average"],
    ],
  );
  for (const name of rates) assert.equal(rateOfMetric(givenRate(name)?.metric ?? "unique_opens"), name);
  assert.equal(rateOfMetric("unique_opens"), undefined);
  assert.deepEqual(givenRate("mobileShare"), { metric: "mobile_open_rate", divisor: 100 });
  assert.equal(givenRate("enpsIndex"), undefined);
});
