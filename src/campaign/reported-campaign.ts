// A reported campaign: one whose numbers are imported. Its import has the fields of the email record, and its validation
// follows from that schema.

import { parseSentAt } from "./calendar/exported-time.ts";
import { parseIsoSentAt } from "./calendar/sent-at.ts";
import type { Campaign } from "./campaign.ts";
import { type DeliveryCount, deliveryCountNames, deliveryCounts } from "./delivery/delivery-fields.ts";
import { campaignFields } from "./email-record.ts";
import { emailRecordSchema } from "./email-record-schema.ts";
import { countSchema, describeAccepted, type FieldSchema, objectSchema } from "./fields/field-schema.ts";
import { quote } from "./fields/quote.ts";
import { compileFieldChecks, type FieldCheck, type FieldError, isObject } from "./fields/validate-fields.ts";
import { metricNames, type ReportedMetrics } from "./metrics.ts";
import { parseTags, type TagReference } from "./parse-tags.ts";
import { type RecordField, recordFields } from "./record-fields.ts";

/** The tool that a file comes from, or `file`, and the id that the campaign has there. */
export interface Origin {
  tool: string;
  id: string;
}

export interface ReportedCampaign {
  campaign: Campaign;
  tags: TagReference[];
  metrics: ReportedMetrics;
  /** The fields that its file has no column for; none by default. */
  absent?: readonly ImportField[];
  origin?: Origin | undefined;
}

interface ParsedReportedCampaign {
  /** Undefined if there are errors. */
  reported?: ReportedCampaign;
  errors: FieldError[];
  /** Ignored fields that records do not have. */
  unknownFields: string[];
  /** Fields without a value. */
  nullFields: ImportField[];
  /** Fractions above 1 and percentages above 100: stored, but probably not what they should be. */
  tooLargeRates: ImportField[];
}

/** The fields of the email record, and counts of deliveries that v1 does not have. */
export const importFields = { ...recordFields, ...deliveryCounts };
export type ImportField = keyof typeof importFields;
export const importFieldNames = Object.keys(importFields) as ImportField[];

const importSchema = objectSchema({
  ...emailRecordSchema.properties,
  ...(Object.fromEntries(
    Object.entries(deliveryCounts).map(([name, { description, example }]) => [
      name,
      countSchema(description, example),
    ]),
  ) as Record<DeliveryCount, FieldSchema>),
});

const isDelivery = (name: ImportField): name is DeliveryCount => Object.hasOwn(deliveryCounts, name);

const required = new Set<ImportField>(["id", "subject", "sent_at"]);

const checks = compileFieldChecks(importSchema);

/**
 * Parses one record of an import. It is lenient where no data is lost: missing values become null, and unknown sending
 * and tracking types are stored. Numbers are stored exactly as given.
 *
 * @param input parsed from JSON, or a CSV row in the same form
 * @param timeZone of the organization, for `sent_at` without an offset
 */
export function parseReportedCampaign(input: unknown, timeZone: string): ParsedReportedCampaign {
  const result: ParsedReportedCampaign = { errors: [], unknownFields: [], nullFields: [], tooLargeRates: [] };
  if (!isObject(input)) {
    result.errors.push({
      field: "record",
      problem: `${quote(input)} is not an object with the fields of a campaign`,
    });
    return result;
  }
  const values: Record<string, unknown> = {};
  for (const check of checks) {
    const value = Object.hasOwn(input, check.name) ? input[check.name] : undefined;
    values[check.name] = parseField(check, value ?? null, timeZone, result);
  }
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(importFields, name));
  result.unknownFields.push(...unknown);
  const absent = result.nullFields.filter((name) => !Object.hasOwn(input, name));
  if (result.errors.length === 0) {
    result.reported = { ...toReportedCampaign(values), ...(absent.length > 0 && { absent }) };
  }
  return result;
}

/** The value to store. Adds errors and notes to the result. */
function parseField(
  { name: field, schema, passes }: FieldCheck,
  value: unknown,
  timeZone: string,
  result: ParsedReportedCampaign,
): unknown {
  const name = field as ImportField;
  if (value === null) {
    if (required.has(name)) {
      result.errors.push({ field: name, problem: `is missing; it must be ${describeField(name, schema)}` });
    }
    // Most files lack these.
    if (!isDelivery(name)) result.nullFields.push(name);
    return null;
  }
  if (name === "sent_at") return parseFieldSentAt(value, timeZone, result);
  if (name === "tags") {
    const { tags, errors, unknownFields } = parseTags(value);
    result.errors.push(...errors);
    result.unknownFields.push(...unknownFields);
    return tags;
  }
  if (!passes(value)) {
    result.errors.push({ field: name, problem: `${quote(value)} is not ${describeField(name, schema)}` });
  }
  const largest = largestRate(name);
  if (largest !== undefined && typeof value === "number" && value > largest) result.tooLargeRates.push(name);
  return value;
}

/**
 * More people than recipients, as `5,210 unique opens, but only 4,436 recipients`. With *Overall* tracking they are devices, so
 * that it is possible.
 */
export function impossibleCounts({ campaign, metrics }: ReportedCampaign): string[] {
  const { recipientCount, trackingType } = campaign;
  if (recipientCount === null || trackingType === "Overall") return [];
  const written = (count: number) => count.toLocaleString("en-US");
  const recipients = `${written(recipientCount)} ${recipientCount === 1 ? "recipient" : "recipients"}`;
  return (["unique_opens", "unique_clicks"] as const).flatMap((name) => {
    const count = metrics[name] ?? 0;
    if (count <= recipientCount) return [];
    return `${written(count)} ${name.replace("_", " ")}, but only ${recipients}`;
  });
}

/** Undefined for fields that are not rates. */
export function largestRate(name: ImportField): number | undefined {
  const { unit }: RecordField = importFields[name];
  if (unit === "fraction") return 1;
  return unit === "percent" ? 100 : undefined;
}

function toReportedCampaign(values: Record<string, unknown>): ReportedCampaign {
  const metrics = Object.fromEntries(metricNames.map((name) => [name, values[name]])) as ReportedMetrics;
  for (const name of deliveryCountNames) {
    if (values[name] !== null) metrics[name] = values[name] as number;
  }
  const fields = Object.entries(campaignFields).map(([name, field]) => [field, values[name]]);
  return { campaign: Object.fromEntries(fields), metrics, tags: (values.tags ?? []) as TagReference[] };
}

/** Years 1 to 9999: other years need a special form in ISO-8601 that an export does not write. */
const earliestSentAt = Date.parse("0001-01-01T00:00:00.000Z");
const latestSentAt = Date.parse("9999-12-31T23:59:59.999Z");

function parseFieldSentAt(
  value: unknown,
  timeZone: string,
  result: ParsedReportedCampaign,
): number | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  const at = parseSentAt(text, timeZone) ?? parseIsoSentAt(text, timeZone);
  if (at === undefined || at < earliestSentAt || at > latestSentAt) {
    result.errors.push({ field: "sent_at", problem: `${quote(value)} is not ${acceptedSentAt}` });
  }
  return at;
}

const acceptedSentAt = "a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z";

function describeField(name: ImportField, schema: FieldSchema): string {
  return name === "sent_at" ? acceptedSentAt : describeAccepted(schema);
}
