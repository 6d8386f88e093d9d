// The feed record: an example, and for random campaigns the only ways in which it differs from the email record.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { dateAt } from "../../../src/campaign/calendar/calendar-date.ts";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { formatSentAt } from "../../../src/campaign/calendar/sent-at.ts";
import { zoneOffset } from "../../../src/campaign/calendar/time-zone.ts";
import type { Campaign } from "../../../src/campaign/campaign.ts";
import { renderRecord } from "../../../src/campaign/email-record.ts";
import { emailRecordFieldNames } from "../../../src/campaign/email-record-schema.ts";
import { type Counts, emptyTally, tallyNames } from "../../../src/campaign/events/tally.ts";
import { feedFieldNames, feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import { feedTypes } from "../../../src/campaign/feed/feed-types.ts";
import { toFeedRecord, toTypedRecord } from "../../../src/campaign/feed/typed-record.ts";
import {
  type MetricName,
  metricNames,
  type Numbers,
  type ReportedMetrics,
} from "../../../src/campaign/metrics.ts";
import { type RecordField, recordFields } from "../../../src/campaign/record-fields.ts";
import { anyInstant, anyZone } from "../../support/any-instant.ts";
import { randomCases } from "../../support/random-cases.ts";
import { slowShareRange } from "../../support/slow-ranges.ts";

interface Stored {
  campaign: Campaign;
  tags: { id: number; name: string; color: string }[];
  numbers: Numbers;
  timeZone: string;
  closedAt: number | null;
}

const updatedAt = Date.UTC(2026, 5, 15, 12, 0, 0, 123);

function recordsOf({ campaign, tags, numbers, timeZone, closedAt }: Stored) {
  const counting = "reported" in numbers ? null : { closedAt };
  const stored = { campaign, tags, numbers, counting, publishAt: publishAtOf(campaign) };
  const organization = { timeZone, countedTraffic: "people" } as const;
  const feed = toFeedRecord(toTypedRecord(stored, organization, updatedAt));
  return { email: JSON.parse(renderRecord(stored, organization)), feed };
}

/** The next of the recorded ages. */
const publishAtOf = ({ sentAt }: Campaign) =>
  [24, 72, 168].map((hours) => sentAt + hours * hourMs).find((at) => at > updatedAt) ?? null;

const empty: Campaign = {
  id: 7,
  subject: "",
  sentAt: Date.UTC(2024, 0, 1, 4, 59, 59, 999),
  sentFrom: null,
  team: null,
  sendingType: "",
  trackingType: null,
  recipientCount: 0,
  recipients: null,
  surveysCount: 0,
};

test("shows a counted campaign without recipients with nulls for rates, not with zeros", () => {
  const tallies = { people: emptyTally(), all: emptyTally() };
  const { feed } = recordsOf({
    campaign: empty,
    tags: [
      { id: 1, name: "News", color: "#4E79A7" },
      { id: 2, name: "HR", color: "#F28E2B" },
    ],
    numbers: { tallies },
    timeZone: "America/New_York",
    closedAt: Date.UTC(2024, 2, 31),
  });
  assert.equal(
    JSON.stringify(feed),
    '{"id":7,"subject":"","sent_at":"2024-01-01T04:59:59.999Z","sent_from":null,"organization_team":null,' +
      '"sending_type":null,"tracking_type":null,"open_rate":null,"click_rate":null,"unique_opens":0,' +
      '"multiple_opens":0,"unopened":0,"total_opens":0,"unique_clicks":0,"multiple_clicks":0,"total_clicks":0,' +
      '"click_per_unique_open_rate":null,"desktop_open_rate":null,"mobile_open_rate":null,' +
      '"tags":[{"name":"HR","color":"#F28E2B"},{"name":"News","color":"#4E79A7"}],"recipient_count":0,' +
      '"recipients":null,"read_time_glanced":null,"read_time_skimmed":null,"read_time_read":null,' +
      '"surveys_count":0,"enps_score_average":null,"enps_reactions_count":0,"enps_comments_count":0,' +
      '"survey_reactions_count":0,"survey_reactions_comments_count":0,"sent_on":"2023-12-31","sent_hour":23,' +
      '"tag_names":"HR; News","kind":"counted","closed_at":"2024-03-31T00:00:00.000Z",' +
      '"updated_at":"2026-06-15T12:00:00.123Z",' +
      '"unique_opens_24h":0,"open_rate_24h":null,"unique_clicks_24h":0,"click_rate_24h":null,' +
      '"unique_opens_72h":0,"open_rate_72h":null,"unique_clicks_72h":0,"click_rate_72h":null,' +
      '"unique_opens_7d":0,"open_rate_7d":null,"unique_clicks_7d":0,"click_rate_7d":null,' +
      '"open_rate_low":null,"open_rate_high":null,"click_rate_low":null,"click_rate_high":null,' +
      '"sent":null,"delivered":null,"bounced":null,"bounced_hard":null,"bounced_soft":null,"suppressed":null,' +
      '"unsubscribed":null,"complained":null,"delivery_rate":null,"bounce_rate":null,"unsubscribe_rate":null,' +
      '"complaint_rate":null,"open_rate_of_delivered":null,"open_rate_of_delivered_low":null,' +
      '"open_rate_of_delivered_high":null}',
  );
});

const reportedOf = (metrics: Partial<ReportedMetrics>, campaign: Partial<Campaign> = {}) => {
  const none = Object.fromEntries(metricNames.map((name) => [name, null]));
  const reported = { ...none, ...metrics } as ReportedMetrics;
  const stored = { campaign: { ...empty, ...campaign }, tags: [], numbers: { reported } };
  return recordsOf({ ...stored, timeZone: "UTC", closedAt: null }).feed;
};

test("keeps a reported 0 that means 0, and shows one that means nothing as null", () => {
  const counts = { unique_opens: 0, enps_reactions_count: 0 };
  const rates = { open_rate: 0, click_per_unique_open_rate: 0, enps_score_average: 0 };
  const shares = { desktop_open_rate: 0, mobile_open_rate: 0 };
  const shown = (metrics: Partial<ReportedMetrics>, recipientCount: number | null) => {
    const feed = reportedOf(metrics, { recipientCount });
    return Object.keys(rates).map((name) => feed[name as keyof typeof rates]);
  };
  assert.deepEqual(shown({ ...rates, ...counts }, 0), [null, null, null]);
  assert.deepEqual(shown({ ...rates, unique_opens: 5, enps_reactions_count: 1 }, 9), [0, 0, 0]);
  assert.deepEqual(shown(rates, null), [0, 0, 0], "the counts are not known");
  const odd = { open_rate: 0.5, click_per_unique_open_rate: 40, enps_score_average: 8 };
  assert.deepEqual(shown({ ...odd, ...counts }, 0), [0.5, 40, 8], "given numbers need not fit together");
  assert.deepEqual(reportedOf(shares).desktop_open_rate, null);
  assert.deepEqual(reportedOf({ ...shares, mobile_open_rate: 100 }).desktop_open_rate, 0);
  assert.deepEqual(reportedOf({}, { surveysCount: null, recipientCount: null }).recipient_count, null);
});

const text = fc.constantFrom(null, "", "Staff, and more", 'a "quote"\n', "日本");
const count = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(9), fc.nat());
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });

const campaign: fc.Arbitrary<Campaign> = fc.record({
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  subject: fc.string(),
  sentAt: fc.oneof(anyInstant, fc.integer({ min: -62135596800000, max: 253402300799999 })),
  sentFrom: text,
  team: text,
  sendingType: text,
  trackingType: text,
  recipientCount: count,
  recipients: text,
  surveysCount: count,
});
const tags = fc
  .uniqueArray(fc.constantFrom("HR", "News", "a;b", "Ä"))
  .map((names) => names.map((name, index) => ({ id: index + 1, name, color: "#4E79A7" })));
const reportedMetric = (name: MetricName) =>
  optional(
    recordFields[name].unit === "count"
      ? count
      : fc.oneof(count, fc.double({ min: 0, max: 100, noNaN: true })),
  );
const reported = fc.record(
  Object.fromEntries(metricNames.map((name) => [name, reportedMetric(name)])) as Record<
    MetricName,
    fc.Arbitrary<number | null>
  >,
);
const tally = fc.record(
  Object.fromEntries(tallyNames.map((name) => [name, count])) as Record<keyof Counts, fc.Arbitrary<number>>,
);
const spans = fc.array(fc.nat(1_000), {
  minLength: emptyTally().opensByAge.length,
  maxLength: emptyTally().opensByAge.length,
});
const timeAndTags = { tags, timeZone: anyZone };
const anyStored: fc.Arbitrary<Stored> = fc.oneof(
  fc.record({
    ...timeAndTags,
    campaign,
    numbers: fc.tuple(tally, spans, spans).map(([counts, opensByAge, clicksByAge]) => ({
      tallies: { people: { ...counts, opensByAge, clicksByAge, outcomes: {} }, all: emptyTally() },
    })),
    closedAt: optional(anyInstant),
  }),
  fc.record({
    ...timeAndTags,
    campaign: fc
      .tuple(campaign, optional(count), optional(count))
      .map(([sent, recipientCount, surveysCount]) => ({ ...sent, recipientCount, surveysCount })),
    numbers: reported.map((metrics) => ({ reported: metrics })),
    closedAt: fc.constant(null),
  }),
);

/** The numbers that are null in the feed record, by the definitions in the documentation. */
function unknownNumbers({ campaign, numbers }: Stored): Set<string> {
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const { recipientCount: recipients, surveysCount } = campaign;
  if ("tallies" in numbers) {
    const { people: counted } = numbers.tallies;
    const isDefined: [number | null, ...string[]][] = [
      [recipients, "open_rate", "click_rate"],
      [counted.uniqueOpens, "click_per_unique_open_rate"],
      [counted.desktopOpens + counted.mobileOpens, ...devices],
      [counted.glanced + counted.skimmed + counted.read, ...reads],
      [counted.enpsReactions, "enps_score_average"],
    ];
    return new Set(isDefined.flatMap(([denominator, ...names]) => (denominator === 0 ? names : [])));
  }
  const given = { ...numbers.reported, recipient_count: recipients, surveys_count: surveysCount };
  const isZero = (name: MetricName, denominator: number | null) => given[name] === 0 && denominator === 0;
  const meaningless = [
    ...(["open_rate", "click_rate"] as const).filter((name) => isZero(name, recipients)),
    ...(["click_per_unique_open_rate"] as const).filter((name) => isZero(name, given.unique_opens)),
    ...devices.filter((name) => isZero(name, sum(devices.map((each) => given[each])))),
    ...reads.filter((name) => isZero(name, sum(reads.map((each) => given[each])))),
    ...(["enps_score_average"] as const).filter((name) => isZero(name, given.enps_reactions_count)),
  ];
  return new Set([
    ...Object.entries(given).flatMap(([name, value]) => (value === null ? name : [])),
    ...meaningless,
  ]);
}

const devices = ["desktop_open_rate", "mobile_open_rate"] as const;
const reads = ["read_time_glanced", "read_time_skimmed", "read_time_read"] as const;

/** The values that each type of field may have. */
const fits: Record<keyof typeof feedTypes, (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  instant: (value) => new Date(String(value)).toISOString() === value,
  date: (value) => /^\d{4,5}-\d{2}-\d{2}$/.test(String(value)),
  tags: Array.isArray,
};

/** The numbers at the ages that the campaign has reached; null before that, and of imports. */
function numbersAtAges({
  campaign: { sentAt, recipientCount },
  numbers,
}: Stored): Record<string, number | null> {
  const fields: Record<string, number | null> = {};
  for (const [suffix, hours, spans] of [
    ["24h", 24, 11],
    ["72h", 72, 14],
    ["7d", 168, 17],
  ] as const) {
    const isKnown = "tallies" in numbers && sentAt + hours * hourMs <= Date.parse("2026-06-15T12:00:00.123Z");
    for (const [count, rate, list] of [
      ["unique_opens", "open_rate", "opensByAge"],
      ["unique_clicks", "click_rate", "clicksByAge"],
    ] as const) {
      const sum = isKnown
        ? numbers.tallies.people[list].slice(0, spans).reduce((total, each) => total + each, 0)
        : null;
      fields[`${count}_${suffix}`] = sum;
      const halves = 2 * (recipientCount ?? 0);
      fields[`${rate}_${suffix}`] =
        sum === null || halves === 0
          ? null
          : Math.min(Math.floor((20_000 * sum + halves / 2) / halves) / 10_000, 1);
    }
  }
  return fields;
}

const rangeOf = (name: string, rate: number | null, count: number | null, recipientCount: number | null) => {
  const isKnown = rate !== null && count !== null && recipientCount;
  const range = isKnown
    ? slowShareRange(Math.min(count, recipientCount), recipientCount)
    : { low: 2, high: -1 };
  const [low, high] = [range.low, range.high].map((end) => Math.round(10_000 * end) / 10_000) as [
    number,
    number,
  ];
  const isWithin = rate !== null && low <= rate && rate <= high;
  return { [`${name}_low`]: isWithin ? low : null, [`${name}_high`]: isWithin ? high : null };
};

test("gives the ranges of rates, and null where the rate or its counts are not known", () => {
  const shown = (metrics: Partial<ReportedMetrics>, recipientCount: number | null) => {
    const { open_rate_low, open_rate_high } = reportedOf(metrics, { recipientCount });
    return [open_rate_low, open_rate_high];
  };
  assert.deepEqual(shown({ open_rate: 0.6, unique_opens: 6 }, 10), [0.3127, 0.8318]);
  assert.deepEqual(shown({ open_rate: 0.6, unique_opens: 600 }, 1_000), [0.5693, 0.6299]);
  assert.deepEqual(shown({ open_rate: 1, unique_opens: 12 }, 10), [0.7225, 1], "more opened than received");
  assert.deepEqual(shown({ open_rate: 0, unique_opens: 0 }, 10), [0, 0.2775]);
  assert.deepEqual(shown({ unique_opens: 6 }, 10), [null, null], "the rate is not known");
  assert.deepEqual(shown({ open_rate: 0.6 }, 10), [null, null], "the opens are not known");
  assert.deepEqual(
    shown({ open_rate: 0.9, unique_opens: 50 }, 100),
    [null, null],
    "the counts contradict it",
  );
  assert.deepEqual(shown({ open_rate: 0.6, unique_opens: 6 }, null), [null, null]);
  assert.deepEqual(shown({ open_rate: 0.6, unique_opens: 6 }, 0), [null, null]);
});

/** Tested with its rates in delivery.unit.test.ts. */
const ofDelivery = feedFieldNames.filter((name) => (feedFields[name] as RecordField).since === 3);

test("differs from the email record of random campaigns by instants, nulls and the fields of feeds only", () => {
  const property = fc.property(anyStored, (stored) => {
    const { email, feed } = recordsOf(stored);
    const { campaign, timeZone, tags, numbers, closedAt } = stored;
    const unknown = unknownNumbers(stored);
    const expected = Object.fromEntries(
      emailRecordFieldNames.map((name) => {
        const { type } = recordFields[name];
        const isMissing =
          unknown.has(name) || (type === "string" && name !== "subject" && email[name] === "");
        return [name, isMissing ? null : email[name]];
      }),
    );
    const wall = campaign.sentAt + zoneOffset(campaign.sentAt, timeZone);
    const { year, month, day } = dateAt(campaign.sentAt, timeZone);
    const digits = (value: number, length: number) => String(value).padStart(length, "0");
    assert.deepEqual(feed, {
      ...expected,
      sent_at: new Date(campaign.sentAt).toISOString(),
      sent_on: `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`,
      sent_hour: new Date(Math.floor(wall / hourMs) * hourMs).getUTCHours(),
      tag_names: tags
        .map(({ name }) => name)
        .sort()
        .join("; "),
      kind: "reported" in numbers ? "reported" : "counted",
      closed_at: closedAt === null ? null : new Date(closedAt).toISOString(),
      updated_at: "2026-06-15T12:00:00.123Z",
      ...numbersAtAges(stored),
      ...rangeOf("open_rate", feed.open_rate, feed.unique_opens, feed.recipient_count),
      ...rangeOf("click_rate", feed.click_rate, feed.unique_clicks, feed.recipient_count),
      ...Object.fromEntries(ofDelivery.map((name) => [name, null])),
    });
    assert.equal(formatSentAt(Date.parse(feed.sent_at), timeZone), email.sent_at);
    for (const name of feedFieldNames) {
      const { type, ...field } = feedFields[name];
      if (feed[name] === null) assert.ok("nullMeans" in field, `${name} has no meaning of null`);
      else assert.ok(fits[type](feed[name]), `${name}: ${JSON.stringify(feed[name])} is no ${type}`);
    }
  });
  fc.assert(property, { numRuns: randomCases(1_000) });
});

test("has the fields of the email record, then those of feeds, in the order of the table", () => {
  const atAge = (suffix: string) =>
    ["unique_opens", "open_rate", "unique_clicks", "click_rate"].map((name) => `${name}_${suffix}`);
  const added = ["sent_on", "sent_hour", "tag_names", "kind", "closed_at", "updated_at"];
  added.push(...atAge("24h"), ...atAge("72h"), ...atAge("7d"));
  const ranges = ["open_rate_low", "open_rate_high", "click_rate_low", "click_rate_high"];
  assert.deepEqual(feedFieldNames, [...emailRecordFieldNames, ...added, ...ranges, ...ofDelivery]);
  assert.deepEqual(Object.keys(reportedOf({})), feedFieldNames);
});

test("gives every field a type in OData and in Parquet", () => {
  const typesOf = (name: keyof typeof feedFields) => feedTypes[feedFields[name].type];
  assert.deepEqual(typesOf("id"), { edm: "Edm.Int64", parquet: "INT64" });
  assert.deepEqual(typesOf("open_rate"), { edm: "Edm.Double", parquet: "DOUBLE" });
  assert.deepEqual(typesOf("subject"), { edm: "Edm.String", parquet: "STRING" });
  assert.deepEqual(typesOf("sent_at"), { edm: "Edm.DateTimeOffset", parquet: "TIMESTAMP(MILLIS, UTC)" });
  assert.deepEqual(typesOf("sent_on"), { edm: "Edm.Date", parquet: "DATE" });
});
