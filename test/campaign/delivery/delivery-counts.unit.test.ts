// What became of the messages of a campaign, as its feed record has it: examples, and random counts against the contract.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { deliveryCountNames, deliveryRateNames } from "../../../src/campaign/delivery/delivery-fields.ts";
import { type OutcomeCounts, outcomeNames } from "../../../src/campaign/events/outcomes.ts";
import { emptyTally } from "../../../src/campaign/events/tally.ts";
import { feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import { formulaOf } from "../../../src/campaign/feed/metric-contract.ts";
import { toTypedRecord } from "../../../src/campaign/feed/typed-record.ts";
import { metricNames, type Numbers, type ReportedMetrics } from "../../../src/campaign/metrics.ts";
import { plainDeliveryRates } from "../../support/delivery-oracle.ts";
import { evaluate } from "../../support/formula.ts";
import { randomCases } from "../../support/random-cases.ts";

const ranges = ["open_rate_of_delivered_low", "open_rate_of_delivered_high"] as const;
const fields = [...deliveryCountNames, ...deliveryRateNames, ...ranges];

function recordOf(numbers: Numbers, recipientCount: number | null) {
  const texts = { subject: "", sentFrom: null, team: null, sendingType: null, trackingType: null };
  const campaign = { id: 1, sentAt: 0, recipientCount, recipients: null, surveysCount: 0, ...texts };
  const counting = "reported" in numbers ? null : { closedAt: null };
  const stored = { campaign, tags: [], numbers, counting, publishAt: null };
  return toTypedRecord(stored, { timeZone: "UTC", countedTraffic: "people" }, 0);
}

function shown(numbers: Numbers, recipientCount: number | null) {
  const record = recordOf(numbers, recipientCount);
  return Object.fromEntries(fields.flatMap((name) => (record[name] === null ? [] : [[name, record[name]]])));
}

const counted = (outcomes: OutcomeCounts, recipientCount: number, uniqueOpens = 0) => {
  const tally = { ...emptyTally(), outcomes, uniqueOpens };
  return shown({ tallies: { people: tally, all: tally } }, recipientCount);
};

const reported = (given: Partial<ReportedMetrics>, recipientCount: number) => {
  const none = Object.fromEntries(metricNames.map((name) => [name, null])) as ReportedMetrics;
  return shown({ reported: { ...none, ...given } }, recipientCount);
};

const bounces = { bounced_hard: 0, bounced_soft: 0, suppressed: 0 };

test("has nulls if nothing is reported", () => {
  assert.deepEqual(counted({}, 100, 50), {});
  assert.deepEqual(reported({ unique_opens: 50 }, 100), {});
});

test("derives the rates of a campaign from its outcomes", () => {
  const outcomes = { delivered: 98, bounced_hard: 1, bounced_soft: 0, suppressed: 1 };
  assert.deepEqual(counted(outcomes, 100, 49), {
    ...outcomes,
    sent: 99,
    bounced: 1,
    delivery_rate: 0.9899,
    bounce_rate: 0.0101,
    open_rate_of_delivered: 0.5,
    open_rate_of_delivered_low: 0.4029,
    open_rate_of_delivered_high: 0.5971,
  });
});

test("has zero bounces if bounces are reported and none came, and no deliveries from that", () => {
  assert.deepEqual(counted(bounces, 100, 50), { ...bounces, sent: 100, bounced: 0, bounce_rate: 0 });
});

test("has no rate of delivered messages until 95 % of the recipients have an outcome", () => {
  assert.deepEqual(counted({ delivered: 60 }, 100), { sent: 100, delivered: 60 });
  assert.deepEqual(counted({ delivered: 94 }, 100).delivery_rate, undefined);
  assert.deepEqual(counted({ delivered: 95 }, 100).delivery_rate, 0.95);
  assert.deepEqual(counted({ delivered: 94, ...bounces, suppressed: 1 }, 100).delivery_rate, 0.9495);
});

test("has no rate of nothing", () => {
  const outcomes = { delivered: 0, ...bounces, bounced_hard: 1, unsubscribed: 1 };
  assert.deepEqual(counted(outcomes, 1), {
    ...outcomes,
    sent: 1,
    bounced: 1,
    delivery_rate: 0,
    bounce_rate: 1,
  });
});

test("takes the numbers of Mailchimp and Klaviyo as they are", () => {
  const mailchimp = { sent: 110, delivered: 108, bounced_soft: 1, bounced_hard: 1 };
  assert.deepEqual(reported({ ...mailchimp, unique_opens: 30 }, 108), {
    ...mailchimp,
    bounced: 2,
    delivery_rate: 0.9818,
    bounce_rate: 0.0182,
    open_rate_of_delivered: 0.2778,
    open_rate_of_delivered_low: 0.2021,
    open_rate_of_delivered_high: 0.3688,
  });
  const klaviyo = { sent: 121_401, delivered: 121_108, bounced: 293, complained: 16 };
  assert.deepEqual(reported(klaviyo, 121_108), {
    ...klaviyo,
    delivery_rate: 0.9976,
    bounce_rate: 0.0024,
    complaint_rate: 0.000132,
  });
});

const count = fc.oneof(fc.nat(3), fc.nat(200), fc.nat());
const some = <Name extends string>(names: readonly Name[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>, {
    requiredKeys: [],
  });

test("gives random counts the rates of the contract, from 0 to 1", () => {
  const anyNumbers = fc.oneof(
    fc.tuple(some(outcomeNames), count).map(([outcomes, uniqueOpens]): Numbers => {
      const tally = { ...emptyTally(), outcomes, uniqueOpens };
      return { tallies: { people: tally, all: emptyTally() } };
    }),
    fc
      .tuple(some(deliveryCountNames), fc.option(count))
      .map(([given, unique_opens]) => ({ reported: { ...given, unique_opens } as ReportedMetrics })),
  );
  const property = fc.property(anyNumbers, count, (numbers, recipientCount) => {
    const record = recordOf(numbers, recipientCount);
    const plain = plainDeliveryRates(numbers, recipientCount, "people");
    for (const name of deliveryRateNames) {
      const value = record[name];
      assert.equal(value === null, plain[name] === null, name);
      if (value === null) continue;
      assert.ok(value >= 0 && value <= 1 && Math.abs(value - Number(plain[name])) < 0.0001, name);
      const values = Object.fromEntries(Object.entries(record).map(([key, each]) => [key, Number(each)]));
      const exact = evaluate(formulaOf(feedFields[name]) ?? "", values);
      const parts = name === "complaint_rate" ? 1_000_000n : 10_000n;
      const rounded = exact && (2n * exact.numerator * parts + exact.denominator) / (2n * exact.denominator);
      assert.equal(value, Number(rounded) / Number(parts), name);
    }
  });
  fc.assert(property, { numRuns: randomCases(500) });
});
