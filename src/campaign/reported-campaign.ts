// A reported campaign: one whose numbers came finished. What is taken from the 31 fields of an import, and what is
// refused, follows from the schema of the email record.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Campaign } from "./campaign.ts";
import { type EmailRecordField, emailRecordSchema, largestInteger, tagFields } from "./email-record.ts";
import { metricNames, type ReportedMetrics } from "./metrics.ts";
import { parseIsoSentAt, parseSentAt } from "./timestamps.ts";

/** A tag as an import names it: the organization's tag of that name, or a new one. */
export interface NamedTag {
  name: string;
  color: string | null;
}

export interface ReportedCampaign {
  campaign: Campaign;
  tags: NamedTag[];
  metrics: ReportedMetrics;
}

/** What is wrong with one field: its input, and what is accepted. */
export interface Fault {
  field: string;
  problem: string;
}

export interface Reading {
  /** Undefined when there is a fault. */
  reported?: ReportedCampaign;
  faults: Fault[];
  /** Fields that the record does not know and that were left out. */
  unknownFields: string[];
  /** Fields without a value. */
  nullFields: EmailRecordField[];
  /** Rates above 1: kept, but probably percentages. */
  ratesAboveOne: EmailRecordField[];
}

const required = new Set<EmailRecordField>(["id", "subject", "sent_at"]);

const checks = Object.entries(emailRecordSchema.properties).map(([name, schema]) => ({
  name: name as EmailRecordField,
  schema: schema as TSchema,
  check: Compile(schema as TSchema),
}));
const checkTagName = Compile(tagFields.name);
const checkTagColor = Compile(tagFields.color);

/**
 * Reads one record of an import. Generous where that loses nothing: a missing value is kept as null, types outside
 * the observed ones are kept, unknown fields are left out and named. Numbers are kept exactly as given.
 *
 * @param input the record, as parsed from JSON (a CSV row is turned into the same shape first)
 * @param timeZone of the organization, for `sent_at` without an offset
 */
export function readReportedCampaign(input: unknown, timeZone: string): Reading {
  const reading: Reading = { faults: [], unknownFields: [], nullFields: [], ratesAboveOne: [] };
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    reading.faults.push({
      field: "record",
      problem: `${quote(input)} is not an object with the fields of a campaign`,
    });
    return reading;
  }
  const given = input as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  for (const { name, schema, check } of checks) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required.has(name)) {
        reading.faults.push({ field: name, problem: `is missing; it must be ${accepted(name, schema)}` });
      }
      reading.nullFields.push(name);
      values[name] = null;
    } else if (name === "sent_at") {
      values[name] = readSentAt(value, timeZone, reading);
    } else if (name === "tags") {
      values[name] = readTags(value, reading);
    } else {
      if (!check.Check(value) || !isStorable(value)) {
        reading.faults.push({ field: name, problem: `${quote(value)} is not ${accepted(name, schema)}` });
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
  if (reading.faults.length === 0) reading.reported = toReportedCampaign(values);
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
  return { campaign, metrics, tags: (values.tags ?? []) as NamedTag[] };
}

/** The years 1 to 9999: others have no ISO-8601 text of the usual shape, and an export could not name them. */
const earliestSentAt = Date.parse("0001-01-01T00:00:00.000Z");
const latestSentAt = Date.parse("9999-12-31T23:59:59.999Z");

function readSentAt(value: unknown, timeZone: string, reading: Reading): number | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  const at = parseSentAt(text, timeZone) ?? parseIsoSentAt(text, timeZone);
  if (at === undefined || at < earliestSentAt || at > latestSentAt) {
    const problem = `${quote(value)} is not ${accepted("sent_at", emailRecordSchema.properties.sent_at)}`;
    reading.faults.push({ field: "sent_at", problem });
  }
  return at;
}

function readTags(value: unknown, reading: Reading): NamedTag[] {
  const tags = new Map<string, NamedTag>();
  const refuse = (input: unknown, wanted: string) =>
    reading.faults.push({ field: "tags", problem: `${quote(input)} is not ${wanted}` });
  if (!Array.isArray(value)) {
    refuse(value, "a list of tags");
    return [];
  }
  for (const entry of value as unknown[]) {
    const { name, color = null } =
      typeof entry === "string" ? { name: entry } : ((entry ?? {}) as { name?: unknown; color?: unknown });
    const trimmed = typeof name === "string" ? name.trim() : name;
    if (!checkTagName.Check(trimmed) || !isStorable(trimmed)) {
      refuse(entry, "a tag with a name of 1 to 200 characters");
    } else if (color !== null && !checkTagColor.Check(color)) {
      refuse(color, `a color of the form #RRGGBB, for the tag ${quote(trimmed)}`);
    } else if (!tags.has(trimmed as string)) {
      tags.set(trimmed as string, { name: trimmed as string, color: color as string | null });
    }
  }
  return [...tags.values()];
}

/** Databases keep no NUL, and UTF-8 has no half of a surrogate pair: such text would not come back as given. */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
}

/** What a field accepts, in words, from its schema. */
function accepted(name: EmailRecordField, schema: TSchema): string {
  const { type, minimum, maxLength } = schema as { type?: string; minimum?: number; maxLength?: number };
  if (name === "sent_at")
    return "a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z";
  if (type === "integer") return `a whole number from ${minimum} to ${largestInteger}`;
  if (type === "number") return minimum === undefined ? "a finite number" : `a number of at least ${minimum}`;
  return `text of at most ${maxLength} characters, without NUL and half characters`;
}

/** An input in a message: as JSON, cut at 100 characters. */
export function quote(input: unknown): string {
  const text = typeof input === "number" ? String(input) : (JSON.stringify(input) ?? String(input));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
