// A counted campaign: one whose numbers come from events. What its sender tells of it, field by field.

import { parseIsoSentAt } from "./calendar/sent-at.ts";
import { type Campaign, sendingTypes, type TrackingType, trackingTypes } from "./campaign.ts";
import { countSchema, enumSchema, largestTextLength, objectSchema, textSchema } from "./field-schema.ts";
import { readTags, type TagReference } from "./named-tags.ts";
import { quote } from "./quote.ts";
import { compileFieldChecks, type FieldError, validateFields } from "./validate-fields.ts";

export interface CountedCampaign {
  campaign: Campaign & { trackingType: TrackingType };
  /** The sender's own name for it, unique in the organization. */
  externalId: string | null;
  tags: TagReference[];
}

const acceptedSentAt = "an ISO-8601 time, such as 2026-01-31T09:00:00Z";

export const countedCampaignSchema = objectSchema(
  {
    subject: textSchema("Campaign subject.", "The week in brief"),
    sent_at: {
      type: "string",
      description:
        "When it is sent, as ISO-8601; without an offset, in the organization's time zone. May lie ahead.",
      accepts: acceptedSentAt,
      examples: ["2026-01-31T09:00:00Z"],
    },
    sent_from: textSchema("Sender address.", "news@example.com"),
    team: textSchema("Team name.", "Internal Communications"),
    sending_type: enumSchema(sendingTypes, "How it is sent. `Timezone` cannot be tracked as `Overall`."),
    tracking_type: enumSchema(trackingTypes, "What is tracked. It stays, once events have been counted."),
    recipient_count: countSchema("Recipients that it goes to.", 135),
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
      description: "Tags: names, or `{name, color}`. A tag that the organization does not have yet is made.",
      accepts: "a list of tags",
      examples: [["Newsletter", { name: "HR", color: "#4E79A7" }]],
    },
    surveys_count: countSchema("Surveys in the campaign.", 1),
    external_id: {
      type: "string",
      description:
        "Your own name for it, unique in the organization. Events may name it in place of the number.",
      minLength: 1,
      maxLength: 200,
      examples: ["weekly-2026-05"],
    },
  },
  { optional: ["external_id"] },
);

const checks = compileFieldChecks(countedCampaignSchema);

/**
 * Reads what a sender tells of a campaign. Every field but `external_id` has to be there, and no other may be.
 *
 * @param timeZone of the organization, for `sent_at` without an offset
 */
export function readCountedCampaign(
  id: number,
  input: unknown,
  timeZone: string,
): CountedCampaign | { errors: FieldError[] } {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return {
      errors: [{ field: "body", problem: `${quote(input)} is not an object with the fields of a campaign` }],
    };
  }
  const given = input as Record<string, unknown>;
  const errors = validateFields(checks, given);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(countedCampaignSchema.properties, name)) continue;
    const known = Object.keys(countedCampaignSchema.properties).join(", ");
    errors.push({
      field: quote(name).slice(1, -1),
      problem: `is not a field of a campaign; it has ${known}`,
    });
  }
  const { tags, errors: tagErrors } = Array.isArray(given.tags) ? readTags(given.tags) : noTags;
  errors.push(...tagErrors);
  const sentAt =
    typeof given.sent_at === "string" ? parseIsoSentAt(given.sent_at.trim(), timeZone) : undefined;
  if (sentAt === undefined && typeof given.sent_at === "string") {
    errors.push({ field: "sent_at", problem: `${quote(given.sent_at)} is not ${acceptedSentAt}` });
  }
  if (given.sending_type === "Timezone" && given.tracking_type === "Overall") {
    errors.push({
      field: "tracking_type",
      problem: '"Overall" is not possible with the sending_type "Timezone"; use Individual or Anonymous',
    });
  }
  const recipients = Array.isArray(given.recipient_groups) ? given.recipient_groups.join(", ") : "";
  if (recipients.length > largestTextLength) {
    const problem = `is a list of ${recipients.length} characters in all; up to ${largestTextLength} are accepted`;
    errors.push({ field: "recipient_groups", problem });
  }
  if (errors.length > 0 || sentAt === undefined) return { errors };
  const campaign = {
    id,
    subject: given.subject,
    sentAt,
    sentFrom: given.sent_from,
    team: given.team,
    sendingType: given.sending_type,
    trackingType: given.tracking_type,
    recipientCount: given.recipient_count,
    recipients,
    surveysCount: given.surveys_count,
  } as CountedCampaign["campaign"];
  return { campaign, tags, externalId: (given.external_id as string | undefined) ?? null };
}

const noTags: ReturnType<typeof readTags> = { tags: [], errors: [] };
