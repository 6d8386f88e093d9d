// Rows of groups: every formula of the metric contract gives their values.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type GroupCounts, groupCountNames } from "../../../src/campaign/audience/group-counts.ts";
import { trafficFilters } from "../../../src/campaign/events/traffic.ts";
import { feedTables } from "../../../src/campaign/feed/feed-tables.ts";
import { type ReleasedGroup, toGroupRow } from "../../../src/campaign/feed/group-row.ts";
import { metricContract } from "../../../src/campaign/feed/metric-contract.ts";
import { shareRange } from "../../../src/campaign/ranges.ts";
import { evaluate } from "../../support/formula.ts";
import { pick } from "../../support/pick.ts";
import { randomCases } from "../../support/random-cases.ts";

/** Each recipient opens and clicks at most once, and rates from 0 to 10. */
const anyGroup = fc
  .tuple(
    fc.integer({ min: 1, max: 100_000 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20 }),
  )
  .chain(([recipients, shares]) =>
    fc.record({
      isListed: fc.boolean(),
      areRatingsReleased: fc.boolean(),
      counts: fc.constant(countsOf(recipients, shares)),
    }),
  )
  .map(
    ({ counts, ...rest }): ReleasedGroup => ({
      ...{ campaignId: 7, attribute: "Site", value: "", ...rest },
      ...counts,
    }),
  );

function countsOf(recipients: number, shares: readonly number[]): GroupCounts {
  const counts = groupCountNames.map((name, index) => [name, Math.round(recipients * (shares[index] ?? 0))]);
  return { ...(Object.fromEntries(counts) as unknown as GroupCounts), recipients };
}

const roundings: Record<string, number> = { "4 decimals": 10_000, "2 decimals": 100 };

test("every formula of the contract gives the value of the row, exactly, or null without a list", () => {
  const computed = metricContract.email_groups.filter(({ formula }) => formula !== null);
  assert.deepEqual(pick(computed, "name"), ["open_rate", "click_rate", "enps_score_average"]);
  const property = fc.property(anyGroup, fc.constantFrom(...trafficFilters), (group, traffic) => {
    const row = toGroupRow(group, traffic);
    assert.deepEqual(Object.keys(row), Object.keys(feedTables.email_groups.fields));
    const known = { ...row, recipient_count: group.recipients, enps_score_sum: group.enpsScores };
    for (const { name, formula, rounding } of computed) {
      const exact = evaluate(formula ?? "", known as unknown as Record<string, number>);
      const isShown = name === "enps_score_average" ? group.enpsScores !== null : group.isListed;
      const parts = BigInt(roundings[rounding?.split(",")[0] ?? ""] ?? 0);
      const rounded = exact && (2n * exact.numerator * parts + exact.denominator) / (2n * exact.denominator);
      assert.equal(
        row[name],
        isShown && rounded !== undefined ? Number(rounded) / Number(parts) : null,
        name,
      );
    }
  });
  fc.assert(property, { numRuns: randomCases(300) });
});

test("counts the traffic of the organization, and ranges are those of its rates", () => {
  const counts = countsOf(40, Array(20).fill(0));
  const group = { ...counts, campaignId: 7, attribute: "Site", value: "Ulm", isListed: true };
  const released = { ...group, peopleOpens: 10, allOpens: 40, allClicks: 4 };
  const ends = (part: number) => {
    const { low, high } = shareRange(part, 40);
    return [low, high].map((end) => Math.round(10_000 * end) / 10_000);
  };
  for (const [traffic, opens, clicks] of [
    ["people", 10, 0],
    ["all", 40, 4],
  ] as const) {
    const row = toGroupRow(released, traffic);
    assert.deepEqual([row.unique_opens, row.unique_clicks], [opens, clicks]);
    assert.deepEqual([row.open_rate_low, row.open_rate_high], ends(opens));
    assert.deepEqual([row.click_rate_low, row.click_rate_high], ends(clicks));
  }
});
