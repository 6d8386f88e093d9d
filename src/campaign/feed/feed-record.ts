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
  const isReported = reportedMetrics !== null;
  const metrics = isReported ? givenMetrics(record, reportedMetrics) : record;
  const recipientCount = isReported ? source.recipientCount : record.recipient_count;
  const { date, hour } = readSentAt(record.sent_at);
  const { desktop_open_rate, mobile_open_rate } = metrics;
  const { read_time_glanced, read_time_skimmed, read_time_read } = metrics;
  const hasDevices = hasAnyShare(desktop_open_rate, mobile_open_rate);
  const hasReads = hasAnyShare(read_time_glanced, read_time_skimmed, read_time_read);
  // In the order of the table of fields. A literal takes a fraction of the time of a spread.
  return {
    id: record.id,
    subject: record.subject,
    sent_at: formatInstant(sentAt),
    sent_from: record.sent_from || null,
    organization_team: record.organization_team || null,
    sending_type: record.sending_type || null,
    tracking_type: record.tracking_type || null,
    open_rate: quotient(metrics.open_rate, recipientCount),
    click_rate: quotient(metrics.click_rate, recipientCount),
    unique_opens: metrics.unique_opens,
    multiple_opens: metrics.multiple_opens,
    unopened: metrics.unopened,
    total_opens: metrics.total_opens,
    unique_clicks: metrics.unique_clicks,
    multiple_clicks: metrics.multiple_clicks,
    total_clicks: metrics.total_clicks,
    click_per_unique_open_rate: quotient(metrics.click_per_unique_open_rate, metrics.unique_opens),
    desktop_open_rate: hasDevices ? desktop_open_rate : null,
    mobile_open_rate: hasDevices ? mobile_open_rate : null,
    tags: record.tags,
    recipient_count: recipientCount,
    recipients: record.recipients || null,
    read_time_glanced: hasReads ? read_time_glanced : null,
    read_time_skimmed: hasReads ? read_time_skimmed : null,
    read_time_read: hasReads ? read_time_read : null,
    surveys_count: isReported ? source.surveysCount : record.surveys_count,
    enps_score_average: quotient(metrics.enps_score_average, metrics.enps_reactions_count),
    enps_reactions_count: metrics.enps_reactions_count,
    enps_comments_count: metrics.enps_comments_count,
    survey_reactions_count: metrics.survey_reactions_count,
    survey_reactions_comments_count: metrics.survey_reactions_comments_count,
    sent_on: date,
    sent_hour: hour,
    tag_names: record.tags.map(({ name }) => name).join("; "),
    kind: isReported ? "reported" : "counted",
    closed_at: closedAt === null ? null : formatInstant(closedAt),
    updated_at: formatInstant(updatedAt),
  };
}

/** The metrics of a reported campaign, with null for those that the import did not give. */
function givenMetrics(record: EmailRecord, reportedMetrics: string): ReportedMetrics {
  // Most imports give all of them. The record has those, and parsing takes as long as everything else here.
  return reportedMetrics.includes("null") ? (JSON.parse(reportedMetrics) as ReportedMetrics) : record;
}

const hasAnyShare = (...shares: (number | null)[]) => shares.some(Boolean);

/** Null if the value is 0 because there is nothing to divide by. A reported value other than 0 stays as given. */
function quotient(value: number | null, denominator: number | null): number | null {
  return value === 0 && denominator === 0 ? null : value;
}

function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
