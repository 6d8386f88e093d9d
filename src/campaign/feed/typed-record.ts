// The typed record: a campaign as its feed fields, each with the type of its column. Everything on the way out reads it.

import { dateOfWallTime, isoDay } from "../calendar/calendar-date.ts";
import { zoneOffset } from "../calendar/time-zone.ts";
import { type Campaign, compareTags, type Tag } from "../campaign.ts";
import { deliveryCountsOf, deliveryPartsOf } from "../delivery/delivery-counts.ts";
import { type DeliveryRate, deliveryRateNames, deliveryRates } from "../delivery/delivery-fields.ts";
import { toNullableRecord } from "../email-record.ts";
import { recordedAges } from "../events/ages.ts";
import { tallyAt } from "../events/tally.ts";
import type { TrafficFilter } from "../events/traffic.ts";
import { deriveMetrics, metricsOf, type Numbers, ratio } from "../metrics.ts";
import { shareRange } from "../ranges.ts";
import { ofTraffic } from "../sums.ts";
import { type AsOfField, asOfMetrics, type FeedField, type FeedRecord } from "./feed-fields.ts";

/** Instants are milliseconds since 1970, tags are JSON. */
type Stored<Name extends FeedField> = Name extends "sent_at" | "updated_at"
  ? number
  : Name extends "closed_at"
    ? number | null
    : Name extends "tags"
      ? string
      : FeedRecord[Name];

export type TypedRecord = { [Name in FeedField]: Stored<Name> };

type AsOfValues = Pick<TypedRecord, AsOfField>;

interface RecordSource {
  campaign: Campaign;
  tags: readonly Tag[];
  numbers: Numbers;
  counting: { closedAt: number | null } | null;
  /** The record has the numbers at ages before this instant; null for all. */
  publishAt: number | null;
}

/**
 * Returns the typed record of a campaign. Null replaces an empty text, a number that the import did not give, and a 0 that
 * only says that there was nothing to divide by.
 *
 * @param updatedAt the revision of this change
 */
export function toTypedRecord(
  { campaign, tags, numbers, counting, publishAt }: RecordSource,
  { timeZone, countedTraffic }: { timeZone: string; countedTraffic: TrafficFilter },
  updatedAt: number,
): TypedRecord {
  const isReported = counting === null;
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  const record = toNullableRecord(campaign, tags, metrics);
  const recipientCount = isReported ? campaign.recipientCount : (campaign.recipientCount ?? 0);
  const hasDevices = hasAnyShare(metrics.desktop_open_rate, metrics.mobile_open_rate);
  const { read_time_glanced, read_time_skimmed, read_time_read } = metrics;
  const hasReads = hasAnyShare(read_time_glanced, read_time_skimmed, read_time_read);
  const openRate = quotient(metrics.open_rate, recipientCount);
  const clickRate = quotient(metrics.click_rate, recipientCount);
  const openRange = rangeOf(openRate, metrics.unique_opens, recipientCount);
  const clickRange = rangeOf(clickRate, metrics.unique_clicks, recipientCount);
  const delivery = deliveryFields(numbers, recipientCount, countedTraffic);
  const wall = campaign.sentAt + zoneOffset(campaign.sentAt, timeZone);
  return {
    ...record,
    sent_from: record.sent_from || null,
    organization_team: record.organization_team || null,
    sending_type: record.sending_type || null,
    tracking_type: record.tracking_type || null,
    open_rate: openRate,
    click_rate: clickRate,
    click_per_unique_open_rate: quotient(metrics.click_per_unique_open_rate, metrics.unique_opens),
    desktop_open_rate: hasDevices ? metrics.desktop_open_rate : null,
    mobile_open_rate: hasDevices ? metrics.mobile_open_rate : null,
    tags: JSON.stringify(record.tags),
    recipient_count: recipientCount,
    recipients: record.recipients || null,
    read_time_glanced: hasReads ? read_time_glanced : null,
    read_time_skimmed: hasReads ? read_time_skimmed : null,
    read_time_read: hasReads ? read_time_read : null,
    surveys_count: isReported ? campaign.surveysCount : (campaign.surveysCount ?? 0),
    enps_score_average: quotient(metrics.enps_score_average, metrics.enps_reactions_count),
    sent_on: isoDay(dateOfWallTime(wall)),
    sent_hour: new Date(wall).getUTCHours(),
    tag_names: [...tags]
      .sort(compareTags)
      .map(({ name }) => name)
      .join("; "),
    kind: isReported ? "reported" : "counted",
    closed_at: counting?.closedAt ?? null,
    updated_at: updatedAt,
    ...asOfFields({ campaign, numbers, publishAt }, countedTraffic),
    open_rate_low: openRange.low,
    open_rate_high: openRange.high,
    click_rate_low: clickRange.low,
    click_rate_high: clickRange.high,
    ...delivery,
  };
}

/** The numbers of a counted campaign at the ages that it has reached. */
function asOfFields(
  {
    campaign: { sentAt, recipientCount },
    numbers,
    publishAt,
  }: Pick<RecordSource, "campaign" | "numbers" | "publishAt">,
  traffic: TrafficFilter,
): AsOfValues {
  const values = Object.entries(recordedAges).flatMap(([suffix, age]) => {
    const known = "tallies" in numbers && (publishAt === null || sentAt + age < publishAt);
    const metrics = known ? deriveMetrics(tallyAt(numbers.tallies[traffic], age), recipientCount ?? 0) : null;
    return asOfMetrics.map((name) => {
      const value = metrics?.[name] ?? null;
      const isRate = name === "open_rate" || name === "click_rate";
      return [`${name}_${suffix}`, isRate ? quotient(value, recipientCount ?? 0) : value];
    });
  });
  return Object.fromEntries(values) as AsOfValues;
}

function deliveryFields(numbers: Numbers, recipientCount: number | null, traffic: TrafficFilter) {
  const ofOne = ofTraffic(numbers, traffic);
  const parts = deliveryRateNames.map(
    (name) => [name, deliveryPartsOf(ofOne, recipientCount, name)] as const,
  );
  const rates = Object.fromEntries(
    parts.map(([name, known]) => {
      const decimals = deliveryRates[name].rounding === "6 decimals" ? 1_000_000 : 10_000;
      return [name, known && ratio(known.part, known.whole, decimals)];
    }),
  ) as Record<DeliveryRate, number | null>;
  const [, opened] = parts.at(-1) ?? [];
  const range = rangeOf(rates.open_rate_of_delivered, opened?.part ?? null, opened?.whole ?? null);
  return {
    ...deliveryCountsOf(ofOne, recipientCount),
    ...rates,
    open_rate_of_delivered_low: range.low,
    open_rate_of_delivered_high: range.high,
  };
}

/** The range of a rate to 4 decimals. Nulls if the rate, or a count that it comes from, is not known, or they contradict. */
export function rangeOf(rate: number | null, count: number | null, recipientCount: number | null) {
  if (rate === null || count === null || !recipientCount) return { low: null, high: null };
  const range = shareRange(Math.min(count, recipientCount), recipientCount);
  const [low, high] = [range.low, range.high].map((end) => Math.round(10_000 * end) / 10_000) as [
    number,
    number,
  ];
  // An import may give a rate that its counts do not.
  return low <= rate && rate <= high ? { low, high } : { low: null, high: null };
}

const hasAnyShare = (...shares: (number | null)[]) => shares.some(Boolean);

/** Returns null if the value is 0 because there is nothing to divide by. A reported value other than 0 stays as given. */
function quotient(value: number | null, denominator: number | null): number | null {
  return value === 0 && denominator === 0 ? null : value;
}

/** Returns the feed record of a typed record: its values as JSON has them. */
export function toFeedRecord(typed: TypedRecord): FeedRecord {
  const { sent_at, closed_at, updated_at } = typed;
  return {
    ...typed,
    sent_at: formatInstant(sent_at),
    tags: JSON.parse(typed.tags),
    closed_at: closed_at === null ? null : formatInstant(closed_at),
    updated_at: formatInstant(updated_at),
  };
}

function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
