// The typed record: a campaign as its feed fields, each with the type of its column. Everything on the way out reads it.

import { dateOfWallTime, isoDay } from "../calendar/calendar-date.ts";
import { zoneOffset } from "../calendar/time-zone.ts";
import type { Campaign, Tag } from "../campaign.ts";
import { deliveryCountsOf, deliveryPartsOf } from "../delivery/delivery-counts.ts";
import { type DeliveryRate, deliveryRateNames, deliveryRates } from "../delivery/delivery-fields.ts";
import { shownTags, toNullableRecord } from "../email-record.ts";
import { recordedAges } from "../events/ages.ts";
import { tallyAt } from "../events/tally.ts";
import type { TrafficFilter } from "../events/traffic.ts";
import { knownMetric } from "../known-metrics.ts";
import { deriveMetrics, type MetricName, metricNames, metricsOf, type Numbers, ratio } from "../metrics.ts";
import { shareRange } from "../ranges.ts";
import { ofTraffic, type SummedCampaign } from "../sums.ts";
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
  const recipientCount = isReported ? campaign.recipientCount : (campaign.recipientCount ?? 0);
  const known = metricNames.map((name) => [name, knownMetric(name, metrics, recipientCount)]);
  const record = toNullableRecord(
    campaign,
    tags,
    Object.fromEntries(known) as Record<MetricName, number | null>,
  );
  const openRange = rangeOf(record.open_rate, metrics.unique_opens, recipientCount);
  const clickRange = rangeOf(record.click_rate, metrics.unique_clicks, recipientCount);
  const delivery = deliveryFields(ofTraffic({ campaign, numbers }, countedTraffic));
  const wall = campaign.sentAt + zoneOffset(campaign.sentAt, timeZone);
  return {
    ...record,
    sent_from: record.sent_from || null,
    organization_team: record.organization_team || null,
    sending_type: record.sending_type || null,
    tracking_type: record.tracking_type || null,
    recipient_count: recipientCount,
    recipients: record.recipients || null,
    surveys_count: isReported ? campaign.surveysCount : (campaign.surveysCount ?? 0),
    sent_on: isoDay(dateOfWallTime(wall)),
    sent_hour: new Date(wall).getUTCHours(),
    ...tagFields(tags),
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

/** The fields of a typed record that tell its tags. `tags` is the text that its JSON has, too. */
export function tagFields(tags: readonly Tag[]): Pick<TypedRecord, "tags" | "tag_names"> {
  const shown = shownTags(tags);
  return { tags: JSON.stringify(shown), tag_names: shown.map(({ name }) => name).join("; ") };
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
    return asOfMetrics.map((name) => [
      `${name}_${suffix}`,
      knownMetric(name, metrics ?? {}, recipientCount ?? 0),
    ]);
  });
  return Object.fromEntries(values) as AsOfValues;
}

function deliveryFields({ numbers, recipientCount }: SummedCampaign) {
  const parts = deliveryPartsOf(numbers, recipientCount);
  const rates = Object.fromEntries(
    deliveryRateNames.map((name) => {
      const known = parts[name];
      const decimals = deliveryRates[name].rounding === "6 decimals" ? 1_000_000 : 10_000;
      return [name, known ? ratio(known.part, known.whole, decimals) : null];
    }),
  ) as Record<DeliveryRate, number | null>;
  const opened = parts.open_rate_of_delivered;
  const range = rangeOf(rates.open_rate_of_delivered, opened?.part ?? null, opened?.whole ?? null);
  return {
    ...deliveryCountsOf(numbers, recipientCount),
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
