// The only maker of feed records. It starts from the rendered record, which has everything but instants and nulls.

import { readSentAt } from "../calendar/sent-at.ts";
import type { EmailRecord } from "../email-record.ts";
import type { ReportedMetrics } from "../metrics.ts";
import type { FeedRecord } from "./feed-fields.ts";

/** The stored parts of a campaign. Instants are in milliseconds since 1970. */
export interface FeedSource {
  /** The rendered record, under the render version of the organization. */
  record: string;
  sentAt: number;
  recipientCount: number | null;
  surveysCount: number | null;
  /** JSON of the metrics of a reported campaign as given; null if the campaign is counted. */
  reportedMetrics: string | null;
  closedAt: number | null;
  /** When the record last changed. */
  updatedAt: number;
}

/**
 * The feed record of a campaign. It differs from the email record in these ways only: `sent_at` is an instant in UTC, there
 * are six more fields, and null replaces an empty text, a number that the import did not give, and a 0 that only says that
 * there was nothing to divide by.
 */
export function toFeedRecord(source: FeedSource): FeedRecord {
  const { sentAt, reportedMetrics, closedAt, updatedAt } = source;
  const record = JSON.parse(source.record) as EmailRecord;
  const numbers = reportedMetrics === null ? record : givenNumbers(source, reportedMetrics);
  const { date, hour } = readSentAt(record.sent_at);
  const { desktop_open_rate, mobile_open_rate } = numbers;
  const { read_time_glanced, read_time_skimmed, read_time_read } = numbers;
  const hasDevices = hasAnyShare(desktop_open_rate, mobile_open_rate);
  const hasReads = hasAnyShare(read_time_glanced, read_time_skimmed, read_time_read);
  // Later properties replace the values of earlier ones, but keep their position: the order of fields stays.
  return {
    ...record,
    ...numbers,
    sent_at: formatInstant(sentAt),
    sent_from: record.sent_from || null,
    organization_team: record.organization_team || null,
    sending_type: record.sending_type || null,
    tracking_type: record.tracking_type || null,
    recipients: record.recipients || null,
    open_rate: quotient(numbers.open_rate, numbers.recipient_count),
    click_rate: quotient(numbers.click_rate, numbers.recipient_count),
    click_per_unique_open_rate: quotient(numbers.click_per_unique_open_rate, numbers.unique_opens),
    desktop_open_rate: hasDevices ? desktop_open_rate : null,
    mobile_open_rate: hasDevices ? mobile_open_rate : null,
    read_time_glanced: hasReads ? read_time_glanced : null,
    read_time_skimmed: hasReads ? read_time_skimmed : null,
    read_time_read: hasReads ? read_time_read : null,
    enps_score_average: quotient(numbers.enps_score_average, numbers.enps_reactions_count),
    sent_on: date,
    sent_hour: hour,
    tag_names: record.tags.map(({ name }) => name).join("; "),
    kind: reportedMetrics === null ? "counted" : "reported",
    closed_at: closedAt === null ? null : formatInstant(closedAt),
    updated_at: formatInstant(updatedAt),
  };
}

type GivenNumbers = ReportedMetrics & Record<"recipient_count" | "surveys_count", number | null>;

function givenNumbers({ recipientCount, surveysCount }: FeedSource, reportedMetrics: string): GivenNumbers {
  const metrics = JSON.parse(reportedMetrics) as ReportedMetrics;
  return { ...metrics, recipient_count: recipientCount, surveys_count: surveysCount };
}

const hasAnyShare = (...shares: (number | null)[]) => shares.some(Boolean);

/** Null if the value is 0 because there is nothing to divide by. A reported value other than 0 stays as given. */
function quotient(value: number | null, denominator: number | null): number | null {
  return value === 0 && denominator === 0 ? null : value;
}

function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
