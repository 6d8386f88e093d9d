// A counted campaign: one whose numbers come from events. The schema of its registration, and its parser.

import { parseIsoSentAt } from "./calendar/sent-at.ts";
import { type Campaign, sendingTypes, type Tag, type TrackingType, trackingTypes } from "./campaign.ts";
import { type DeliveryReport, deliveryReports } from "./events/outcomes.ts";
import {
  countSchema,
  enumSchema,
  largestInteger,
  largestTextLength,
  objectSchema,
  textSchema,
} from "./fields/field-schema.ts";
import { quote } from "./fields/quote.ts";
import { compileObjectCheck, type FieldError } from "./fields/validate-fields.ts";
import { parseTags, type TagReference } from "./parse-tags.ts";
import { maxQuestions, parseQuestions, type SurveyQuestion } from "./survey-question.ts";

export interface CountedCampaign {
  campaign: Campaign & { trackingType: TrackingType };
  /** The sender's own id, unique within the organization. */
  externalId: string | null;
  tags: TagReference[];
  /** What surveys ask; those of other surveys of the campaign stay as they are. */
  questions: SurveyQuestion[];
  /** Who may send events of it, besides the one who registers it; undefined for those that it has. */
  senders: readonly number[] | undefined;
  /** The reports that its sender sends, so that without such an event its count is 0. */
  reports: readonly DeliveryReport[];
}

/** The one that stores no names, because it cannot change after the first event. */
const defaultTrackingType: TrackingType = "Anonymous";

const acceptedSentAt = "an ISO-8601 time, such as 2026-01-31T09:00:00Z";

export const countedCampaignSchema = objectSchema(
  {
    subject: textSchema("Campaign subject.", "The week in brief"),
    sent_at: {
      type: "string",
      description:
        "When the campaign is sent, as ISO-8601. Without an offset it is in the organization's time zone. May be in the future.",
      accepts: acceptedSentAt,
      examples: ["2026-01-31T09:00:00Z"],
    },
    sent_from: textSchema("Sender address.", "news@example.com"),
    team: textSchema("Team name.", "Internal Communications"),
    sending_type: enumSchema(
      sendingTypes,
      "How the campaign is sent: `Immediate` by default. `Timezone` does not support `Overall` tracking.",
    ),
    tracking_type: enumSchema(
      trackingTypes,
      "What the campaign tracks: `Anonymous` by default. It cannot change after the first event is counted.",
    ),
    recipient_count: countSchema("Number of recipients.", 135),
    recipient_groups: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 1_000 },
      description: "Names of the recipient groups.",
      accepts: "a list of names, each of 1 to 1000 characters",
      maxItems: 1_000,
      examples: [["Headquarters", "Sales"]],
    },
    tags: {
      type: "array",
      items: {},
      description: "Tags: names, or `{name, color}`. Tags that do not exist yet are created.",
      accepts: "a list of tags",
      examples: [["Newsletter", { name: "HR", color: "#4E79A7" }]],
    },
    surveys_count: countSchema("Surveys in the campaign: the number of `surveys` by default.", 1),
    surveys: {
      type: "array",
      items: {},
      description: "What the surveys ask: `{survey_id, kind, question}`. The web application shows it.",
      accepts: `a list of up to ${maxQuestions} surveys`,
      maxItems: maxQuestions,
      examples: [[{ survey_id: "s-1", kind: "enps", question: "Would you recommend us?" }]],
    },
    external_id: {
      type: "string",
      description:
        "Your own id for the campaign, unique within the organization. Events can use it as `campaign_id`.",
      minLength: 1,
      maxLength: 200,
      examples: ["weekly-2026-05"],
    },
    senders: {
      type: "array",
      items: { type: "integer", minimum: 1, maximum: largestInteger },
      description:
        "Who may send events, if recipients have no names: numbers of `key list` and `source list`, besides the key of the request.",
      accepts: "a list of numbers of keys and sources",
      maxItems: 100,
      examples: [[3]],
    },
    delivery_reports: {
      type: "array",
      items: enumSchema(deliveryReports, "A type of event."),
      description:
        "The types of delivery events that you send for the campaign. Without such an event its count is then 0 instead of unknown.",
      accepts: `a list of ${deliveryReports.join(", ")}`,
      maxItems: 100,
      examples: [["delivery", "bounce"]],
    },
  },
  {
    optional: [
      ...(["sent_from", "team", "sending_type", "tracking_type", "recipient_groups", "tags"] as const),
      ...(["surveys_count", "surveys", "external_id", "senders", "delivery_reports"] as const),
    ],
  },
);

const check = compileObjectCheck(countedCampaignSchema);

/**
 * Parses a registration, or reports all fields that are wrong. Subject, time and number of recipients are required, and no
 * other field is allowed.
 *
 * @param timeZone of the organization, for `sent_at` without an offset
 */
export function parseCountedCampaign(
  id: number,
  input: unknown,
  timeZone: string,
): CountedCampaign | { errors: FieldError[] } {
  const { fields, errors: fieldErrors } = check(input);
  if (!fields) return { errors: fieldErrors };
  const {
    tags,
    errors: tagErrors,
    unknownFields,
  } = Array.isArray(fields.tags) ? parseTags(fields.tags) : noTags;
  const { questions, errors: questionErrors } = parseQuestions(
    Array.isArray(fields.surveys) ? fields.surveys : [],
  );
  const recipients = joinNames(fields.recipient_groups);
  const sentAt =
    typeof fields.sent_at === "string" ? parseIsoSentAt(fields.sent_at.trim(), timeZone) : undefined;
  const errors = [
    ...fieldErrors,
    ...tagErrors,
    ...unknownFields.map((name) => ({
      field: quote(name).slice(1, -1),
      problem: "is unknown; the fields of a tag are name, color",
    })),
    ...questionErrors,
    ...validateCombinations(fields, recipients, sentAt),
  ];
  if (errors.length > 0 || sentAt === undefined) return { errors };
  const campaign = toCampaign(id, fields, { sentAt, recipients, surveys: questions.length });
  const {
    external_id: externalId,
    senders,
    delivery_reports,
  } = fields as {
    external_id?: string;
    senders?: number[];
    delivery_reports?: DeliveryReport[];
  };
  const reports = delivery_reports ?? [];
  return {
    campaign,
    tags,
    questions,
    externalId: externalId ?? null,
    senders: senders ?? undefined,
    reports,
  };
}

const groupSeparator = ", ";

/** Leaves out elements that are not text: `join` throws for an object whose `toString` is not a function. */
function joinNames(names: unknown): string {
  return Array.isArray(names) ? names.filter((name) => typeof name === "string").join(groupSeparator) : "";
}

/** @param fields valid */
function toCampaign(
  id: number,
  fields: Record<string, unknown>,
  { sentAt, recipients, surveys }: { sentAt: number; recipients: string; surveys: number },
): CountedCampaign["campaign"] {
  return {
    id,
    subject: fields.subject,
    sentAt,
    sentFrom: fields.sent_from ?? null,
    team: fields.team ?? null,
    sendingType: fields.sending_type ?? "Immediate",
    trackingType: fields.tracking_type ?? defaultTrackingType,
    recipientCount: fields.recipient_count,
    recipients,
    surveysCount: fields.surveys_count ?? surveys,
  } as CountedCampaign["campaign"];
}

/** The registration of a campaign, as {@link parseCountedCampaign} reads it; its questions stay without being named. */
export function toRegistration(
  campaign: Campaign,
  tags: readonly Tag[],
  externalId: string | null,
): Record<string, unknown> {
  return {
    subject: campaign.subject,
    sent_at: new Date(campaign.sentAt).toISOString(),
    sent_from: campaign.sentFrom,
    team: campaign.team,
    sending_type: campaign.sendingType,
    tracking_type: campaign.trackingType,
    recipient_count: campaign.recipientCount,
    recipient_groups: campaign.recipients ? campaign.recipients.split(groupSeparator) : [],
    tags: tags.map(({ name, color }) => ({ name, color })),
    surveys_count: campaign.surveysCount,
    external_id: externalId,
  };
}

const noTags: ReturnType<typeof parseTags> = { tags: [], errors: [], unknownFields: [] };

/** The rules that the schema does not express. */
function validateCombinations(
  fields: Record<string, unknown>,
  recipients: string,
  sentAt: number | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (sentAt === undefined && typeof fields.sent_at === "string") {
    errors.push({ field: "sent_at", problem: `${quote(fields.sent_at)} is not ${acceptedSentAt}` });
  }
  if (fields.sending_type === "Timezone" && fields.tracking_type === "Overall") {
    errors.push({
      field: "tracking_type",
      problem: '"Overall" is not possible with the sending_type "Timezone"; use Individual or Anonymous',
    });
  }
  if (recipients.length > largestTextLength) {
    const problem = `is a list of ${recipients.length} characters in total; the maximum is ${largestTextLength}`;
    errors.push({ field: "recipient_groups", problem });
  }
  return errors;
}
