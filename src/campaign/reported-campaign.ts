// A reported campaign: one whose numbers came finished. What is taken from the 31 fields of an import, and what is
// refused, follows from the schema of the email record.

import { parseIsoSentAt, parseSentAt } from "./calendar/sent-at.ts";
import type { Campaign } from "./campaign.ts";
import { type EmailRecordField, emailRecordSchema } from "./email-record.ts";
import { describeAccepted, type FieldSchema } from "./field-schema.ts";
import { metricNames, type ReportedMetrics } from "./metrics.ts";
import { readTags, type TagReference } from "./named-tags.ts";
import { quote } from "./quote.ts";
import { compileFieldChecks, type FieldError } from "./validate-fields.ts";

export interface ReportedCampaign {
  campaign: Campaign;
  tags: TagReference[];
  metrics: ReportedMetrics;
}

export interface ReadReportedResult {
  /** Undefined if there are errors. */
  reported?: ReportedCampaign;
  errors: FieldError[];
  /** Fields that the record does not know and that were left out. */
  unknownFields: string[];
  /** Fields without a value. */
  nullFields: EmailRecordField[];
  /** Rates above 1: kept, but probably percentages. */
  ratesAboveOne: EmailRecordField[];
}

const required = new Set<EmailRecordField>(["id", "subject", "sent_at"]);

const checks = compileFieldChecks(emailRecordSchema);

/**
 * Reads one record of an import. Generous where that loses nothing: a missing value is kept as null, types outside
 * the observed ones are kept, unknown fields are left out and named. Numbers are kept exactly as given.
 *
 * @param input the record, as parsed from JSON (a CSV row is turned into the same shape first)
 * @param timeZone of the organization, for `sent_at` without an offset
 */
export function readReportedCampaign(input: unknown, timeZone: string): ReadReportedResult {
  const reading: ReadReportedResult = { errors: [], unknownFields: [], nullFields: [], ratesAboveOne: [] };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    reading.errors.push({
      field: "record",
      problem: `${quote(input)} is not an object with the fields of a campaign`,
    });
    return reading;
  }
  const given = input as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  for (const { name: field, schema, passes } of checks) {
    const name = field as EmailRecordField;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required.has(name)) {
        reading.errors.push({ field: name, problem: `is missing; it must be ${wanted(name, schema)}` });
      }
      reading.nullFields.push(name);
      values[name] = null;
    } else if (name === "sent_at") {
      values[name] = readSentAt(value, timeZone, reading);
    } else if (name === "tags") {
      const { tags, errors } = readTags(value);
      reading.errors.push(...errors);
      values[name] = tags;
    } else {
      if (!passes(value)) {
        reading.errors.push({ field: name, problem: `${quote(value)} is not ${wanted(name, schema)}` });
      }
      if ((name === "open_rate" || name === "click_rate") && typeof value === "number" && value > 1) {
        reading.ratesAboveOne.push(name);
      }
      values[name] = value;
    }
  }
  reading.unknownFields = Object.keys(given).filter(
    (name) => !Object.hasOwn(emailRecordSchema.properties, name),
  );
  if (reading.errors.length === 0) reading.reported = toReportedCampaign(values);
  return reading;
}

function toReportedCampaign(values: Record<string, unknown>): ReportedCampaign {
  const metrics = Object.fromEntries(metricNames.map((name) => [name, values[name]])) as ReportedMetrics;
  const campaign = {
    id: values.id,
    subject: values.subject,
    sentAt: values.sent_at,
    sentFrom: values.sent_from,
    team: values.organization_team,
    sendingType: values.sending_type,
    trackingType: values.tracking_type,
    recipientCount: values.recipient_count,
    recipients: values.recipients,
    surveysCount: values.surveys_count,
  } as Campaign;
  return { campaign, metrics, tags: (values.tags ?? []) as TagReference[] };
}

/** The years 1 to 9999: others have no ISO-8601 text of the usual shape, and an export could not name them. */
const earliestSentAt = Date.parse("0001-01-01T00:00:00.000Z");
const latestSentAt = Date.parse("9999-12-31T23:59:59.999Z");

function readSentAt(value: unknown, timeZone: string, reading: ReadReportedResult): number | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  const at = parseSentAt(text, timeZone) ?? parseIsoSentAt(text, timeZone);
  if (at === undefined || at < earliestSentAt || at > latestSentAt) {
    reading.errors.push({ field: "sent_at", problem: `${quote(value)} is not ${sentAtForms}` });
  }
  return at;
}

const sentAtForms = "a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z";

function wanted(name: EmailRecordField, schema: FieldSchema): string {
  return name === "sent_at" ? sentAtForms : describeAccepted(schema);
}
