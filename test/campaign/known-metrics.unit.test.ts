// When a 0 of an imported campaign only says that there was nothing to divide by.

import assert from "node:assert/strict";
import test from "node:test";
import { knownMetric } from "../../src/campaign/known-metrics.ts";
import type { MetricName, ReportedMetrics } from "../../src/campaign/metrics.ts";

const known = (name: MetricName, metrics: Partial<ReportedMetrics>, recipientCount: number | null = 10) =>
  knownMetric(name, { [name]: 0, ...metrics }, recipientCount);

test("takes a value other than 0 as given, and a missing one as null", () => {
  assert.equal(known("open_rate", { open_rate: 0.5 }, 0), 0.5);
  assert.equal(knownMetric("open_rate", {}, 10), null);
  assert.equal(known("unique_opens", {}), 0);
  assert.equal(known("total_opens", {}, 0), 0);
});

test("gives null for a rate of 0 of no recipients", () => {
  for (const name of ["open_rate", "click_rate"] as const) {
    assert.equal(known(name, {}, 0), null, name);
    assert.equal(known(name, {}, 1), 0, name);
    assert.equal(known(name, {}, null), 0, name);
  }
});

test("gives null for a rate of 0 if what it divides is 0, and not if that is unknown", () => {
  const divided: [MetricName, MetricName][] = [
    ["click_per_unique_open_rate", "unique_opens"],
    ["enps_score_average", "enps_reactions_count"],
  ];
  for (const [rate, count] of divided) {
    assert.equal(known(rate, { [count]: 0 }), null, rate);
    assert.equal(known(rate, { [count]: 1 }), 0, rate);
    assert.equal(known(rate, {}), 0, rate);
  }
});

test("gives null for a share of 0 if all shares of the whole are 0 or unknown", () => {
  const wholes: MetricName[][] = [
    ["desktop_open_rate", "mobile_open_rate"],
    ["read_time_glanced", "read_time_skimmed", "read_time_read"],
  ];
  for (const shares of wholes) {
    for (const share of shares) {
      assert.equal(known(share, {}), null, share);
      assert.equal(known(share, Object.fromEntries(shares.map((name) => [name, 0]))), null, share);
      for (const other of shares) if (other !== share) assert.equal(known(share, { [other]: 100 }), 0, other);
    }
  }
});
