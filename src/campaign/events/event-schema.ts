// The schemas of incoming events: one table of fields, and which of them each type of event has.

import {
  enumSchema,
  type FieldSchema,
  largestInteger,
  type ObjectSchema,
  objectSchema,
} from "../fields/field-schema.ts";
import { type EventType, eventTypes, surveyKinds } from "./event.ts";
import { bounceTypes } from "./outcomes.ts";
import { devices } from "./traffic.ts";

export const acceptedTime = "an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z";

/** The longest user agent, in UTF-16 units. */
export const maxUserAgentLength = 8_192;

const shortTextSchema = (description: string, example: string): FieldSchema => ({
  type: "string",
  description,
  minLength: 1,
  maxLength: 500,
  examples: [example],
});

const campaignReferenceSchema: FieldSchema = {
  anyOf: [
    { type: "integer", minimum: 1, maximum: largestInteger },
    { type: "string", minLength: 1, maxLength: 200 },
  ],
  description: "Number of the campaign, or its `external_id` as text.",
  accepts: "the number of a campaign, or its external_id as text of 1 to 200 characters",
  examples: [1],
};

/** All fields, in the order of the docs. */
const fields = {
  id: shortTextSchema(
    "Unique within the campaign. An event with the same id is a duplicate and counts once.",
    "e-1",
  ),
  campaign_id: campaignReferenceSchema,
  recipient: shortTextSchema("Email address of the recipient, or an opaque id.", "ann@example.com"),
  type: enumSchema(eventTypes, "What the recipient did, or what became of the message."),
  at: {
    type: "string",
    description: "When it happened, as ISO-8601 with `Z` or an offset.",
    accepts: acceptedTime,
    examples: ["2026-01-31T09:00:00Z"],
  },
  url: {
    type: "string",
    description:
      "URL of the clicked link. A hash of it is stored for the recipient, and the URL without query and fragment for the campaign.",
    minLength: 1,
    maxLength: 8_192,
    examples: ["https://example.com/news"],
  },
  hidden: {
    type: "boolean",
    description: "True if people cannot see the link, so that only scanners follow it.",
    examples: [false],
  },
  seconds: {
    type: "number",
    description: "Reading time in seconds; 0 means not measured.",
    minimum: 0,
    examples: [12.5],
  },
  survey_id: shortTextSchema("Identifies the survey within the campaign.", "s-1"),
  kind: enumSchema(
    surveyKinds,
    "Kind of the survey: `enps` asks for an employee Net Promoter Score from 0 to 10; `pulse` is any other survey.",
  ),
  score: {
    type: "integer",
    description: "Score that the recipient chose.",
    minimum: 0,
    maximum: 10,
    examples: [9],
  },
  answer: {
    type: "string",
    description: "Answer that the recipient chose, instead of a score. Only for the kind `pulse`.",
    minLength: 1,
    maxLength: 1_000,
    examples: ["Yes"],
  },
  comment: {
    type: "string",
    description: "Comment that the recipient wrote. Blank text counts as no comment.",
    maxLength: 10_000,
    examples: ["More of this, please"],
  },
  bounce: enumSchema(
    bounceTypes,
    "Why the message did not arrive: `hard`, the address cannot receive; `soft`, only this message; `suppressed`, it was not sent, because the address is on a suppression list.",
  ),
  user_agent: {
    type: "string",
    description: "User agent of the reader. Classified on arrival, never stored.",
    maxLength: maxUserAgentLength,
    examples: ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"],
  },
  ip: {
    type: "string",
    description:
      "IP address of the reader. Used on arrival to tell devices apart and to recognize scanners, never stored.",
    maxLength: 100,
    examples: ["192.0.2.1"],
  },
  device: enumSchema(devices, "Kind of device, if known. Takes precedence over `user_agent`."),
  machine: {
    type: "boolean",
    description: "True if the provider reports the event as automated.",
    examples: [true],
  },
  head: {
    type: "boolean",
    description: "True for a HEAD request, which checks where a link leads without loading it.",
    examples: [false],
  },
} satisfies Record<string, FieldSchema>;

export type EventFieldName = keyof typeof fields;
export const eventFields: Readonly<Record<EventFieldName, FieldSchema>> = fields;

const commonFields = ["id", "campaign_id", "recipient", "type", "at"] as const;
const commonOptionalFields = ["user_agent", "ip", "device", "machine", "head"] as const;
const fieldsByType: Partial<
  Record<EventType, { required: readonly EventFieldName[]; optional?: readonly EventFieldName[] }>
> = {
  click: { required: ["url"], optional: ["hidden"] },
  read: { required: ["seconds"] },
  survey: { required: ["survey_id", "kind"], optional: ["score", "answer", "comment"] },
  bounce: { required: ["bounce"] },
};

export const eventSchemas = Object.fromEntries(
  eventTypes.map((type) => {
    const { required = [], optional: ownOptional = [] } = fieldsByType[type] ?? {};
    const optional = [...ownOptional, ...commonOptionalFields];
    return [type, objectSchema(pickFields([...commonFields, ...required, ...optional]), { optional })];
  }),
) as Record<EventType, ObjectSchema>;

/** The names of values that an event of the type has no use for, such as misspelled ones. */
export function unusedFields(type: EventType, input: object): string[] {
  const { properties } = eventSchemas[type];
  return Object.entries(input).flatMap(([name, value]) =>
    (value ?? null) === null || Object.hasOwn(properties, name) ? [] : [name],
  );
}

/** The fields of events whose type is missing or unknown. */
export const commonEventSchema = objectSchema(pickFields(commonFields));

export const campaignReferenceObjectSchema = objectSchema(pickFields(["campaign_id"]));

/** The fields that quarantine stores: all but the evidence that is never stored. */
export const quarantinedFieldNames = (Object.keys(fields) as EventFieldName[]).filter(
  (name) => name !== "ip" && name !== "user_agent",
);

/** Some of the fields, in the order of the table. */
function pickFields(names: readonly EventFieldName[]): Record<string, FieldSchema> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => names.includes(name as EventFieldName)),
  );
}
