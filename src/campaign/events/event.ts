// What a recipient did, as whoever saw it tells it: an open, a click, a reading or a survey answer.

import { parseIsoTimestamp } from "../calendar/iso-timestamp.ts";
import {
  enumSchema,
  type FieldSchema,
  largestInteger,
  type ObjectSchema,
  objectSchema,
} from "../field-schema.ts";
import { quote } from "../quote.ts";
import { compileFastCheck, compileFieldChecks, type FieldError, validateFields } from "../validate-fields.ts";
import { type Device, devices } from "./traffic.ts";

export const eventTypes = ["open", "click", "read", "survey"] as const;
export const surveyKinds = ["enps", "pulse"] as const;
export type SurveyKind = (typeof surveyKinds)[number];

/** The campaign that an event belongs to: its number, or the text that its sender calls it by. */
export type CampaignReference = number | string;

interface EventBase {
  /** Unique within the campaign: the same id again is the same event again. */
  id: string;
  campaign: CampaignReference;
  /** An address or an opaque id: trimmed, lower case, Unicode NFC. */
  recipient: string;
  /** Instant in whole milliseconds since 1970. */
  at: number;
  userAgent?: string | undefined;
  ip?: string | undefined;
  device?: Device | undefined;
  /** The provider says that no person was at work. */
  isMachine: boolean;
  /** It was a HEAD request. */
  isHead: boolean;
}

export type Event = EventBase &
  (
    | { type: "open" }
    | { type: "click"; url: string; isHidden: boolean }
    | { type: "read"; seconds: number }
    | {
        type: "survey";
        surveyId: string;
        kind: SurveyKind;
        /** A rating from 0 to 10, or the answer that was chosen. */
        reaction?: number | string | undefined;
        comment?: string | undefined;
      }
  );

export type EventType = Event["type"];

const shortText = (description: string, example: string): FieldSchema => ({
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
  description: "The number of the campaign, or its `external_id` as text.",
  accepts: "the number of a campaign, or its external_id as text of 1 to 200 characters",
  examples: [1],
};

const acceptedTime = "an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z";

/** Every field of an event, in the order of the documentation. */
const fields = {
  id: shortText("Unique within the campaign. The same id again is the same event again.", "e-1"),
  campaign_id: campaignReferenceSchema,
  recipient: shortText("The address of the recipient, or an opaque id.", "ann@example.com"),
  type: enumSchema(eventTypes, "What the recipient did."),
  at: {
    type: "string",
    description: "When, as ISO-8601 with `Z` or an offset.",
    accepts: acceptedTime,
    examples: ["2026-01-31T09:00:00Z"],
  },
  url: {
    type: "string",
    description:
      "Of a click: the address of the link. Of the recipient a hash of it is kept, of the campaign the address without query and fragment.",
    minLength: 1,
    maxLength: 8_192,
    examples: ["https://example.com/news"],
  },
  hidden: {
    type: "boolean",
    description: "Of a click: the link is one that no person sees. Who follows it is a scanner.",
    examples: [false],
  },
  seconds: {
    type: "number",
    description: "Of a reading: how long it took. 0 is not measured.",
    minimum: 0,
    examples: [12.5],
  },
  survey_id: shortText("Of a survey answer: which survey of the campaign.", "s-1"),
  kind: enumSchema(
    surveyKinds,
    "Of a survey answer: `enps` asks for a rating from 0 to 10; `pulse` is any other.",
  ),
  score: {
    type: "integer",
    description: "Of a survey answer: the rating.",
    minimum: 0,
    maximum: 10,
    examples: [9],
  },
  answer: {
    type: "string",
    description: "Of a survey answer of the kind `pulse`: the answer, in place of a rating.",
    minLength: 1,
    maxLength: 1_000,
    examples: ["Yes"],
  },
  comment: {
    type: "string",
    description: "Of a survey answer: words. Blank text is none.",
    maxLength: 10_000,
    examples: ["More of this, please"],
  },
  user_agent: {
    type: "string",
    description: "The program at work. It is judged on arrival and never stored.",
    maxLength: 8_192,
    examples: ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"],
  },
  ip: {
    type: "string",
    description: "Where from. It is used on arrival, to tell devices apart, and never stored.",
    maxLength: 100,
    examples: ["192.0.2.1"],
  },
  device: enumSchema(
    devices,
    "The kind of device, where it is known. It goes before what `user_agent` names.",
  ),
  machine: {
    type: "boolean",
    description: "True where the provider says that no person was at work.",
    examples: [true],
  },
  head: {
    type: "boolean",
    description: "True where it was a HEAD request: a program looked where an address leads.",
    examples: [false],
  },
} satisfies Record<string, FieldSchema>;

type FieldName = keyof typeof fields;

const fieldsOfAll = ["id", "campaign_id", "recipient", "type", "at"] as const;
const optionalOfAll = ["user_agent", "ip", "device", "machine", "head"] as const;
const fieldsOfType: Record<EventType, { required: readonly FieldName[]; optional: readonly FieldName[] }> = {
  open: { required: [], optional: [] },
  click: { required: ["url"], optional: ["hidden"] },
  read: { required: ["seconds"], optional: [] },
  survey: { required: ["survey_id", "kind"], optional: ["score", "answer", "comment"] },
};

/** The fields of an event that may be kept until its campaign comes: without where from, and by which program. */
export const quarantinedFieldNames = (Object.keys(fields) as FieldName[]).filter(
  (name) => name !== "ip" && name !== "user_agent",
);

/** The schema of each type of event. */
export const eventSchemas = Object.fromEntries(
  eventTypes.map((type) => {
    const optional = [...fieldsOfType[type].optional, ...optionalOfAll];
    return [
      type,
      objectSchema(pick([...fieldsOfAll, ...fieldsOfType[type].required, ...optional]), { optional }),
    ];
  }),
) as Record<EventType, ObjectSchema>;

/** Some of the fields, in their order. */
function pick(names: readonly FieldName[]): Record<string, FieldSchema> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name as FieldName)));
}

const checks = Object.fromEntries(
  eventTypes.map((type) => [type, compileFieldChecks(eventSchemas[type])]),
) as Record<EventType, ReturnType<typeof compileFieldChecks>>;
const fastChecks = Object.fromEntries(
  eventTypes.map((type) => [type, compileFastCheck(eventSchemas[type])]),
) as Record<EventType, ReturnType<typeof compileFastCheck>>;
/** Of an event whose type cannot be told. */
const commonChecks = compileFieldChecks(objectSchema(pick(fieldsOfAll)));

/** The names of the fields that hold what the fields of {@link Event} hold. */
type Given = { [Name in FieldName]?: unknown };

/**
 * Reads one event. Fields that its type does not have are left out; `null` is no value.
 *
 * @returns the event, or what is wrong with each field
 */
export function readEvent(input: unknown): Event | { errors: FieldError[] } {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return { errors: [{ field: "event", problem: `${quote(input)} is not an object` }] };
  }
  const given = input as Given;
  const type = eventTypes.find((each) => each === given.type);
  if (type === undefined) return { errors: validateFields(commonChecks, given as Record<string, unknown>) };
  const errors = fastChecks[type](given as Record<string, unknown>)
    ? []
    : validateFields(checks[type], given as Record<string, unknown>);
  const at = typeof given.at === "string" ? parseIsoTimestamp(given.at) : undefined;
  if (at?.kind !== "instant" && typeof given.at === "string") {
    errors.push({ field: "at", problem: `${quote(given.at)} is not ${acceptedTime}` });
  }
  const recipient = typeof given.recipient === "string" ? normalizeRecipient(given.recipient) : "";
  if (recipient === "" && typeof given.recipient === "string" && given.recipient !== "") {
    errors.push({ field: "recipient", problem: `${quote(given.recipient)} is blank` });
  }
  if (type === "survey" && errors.length === 0) errors.push(...validateAnswer(given));
  if (errors.length > 0 || at?.kind !== "instant") return { errors };
  const base = {
    id: given.id as string,
    campaign: given.campaign_id as CampaignReference,
    recipient,
    at: at.at,
    userAgent: textOrNone(given.user_agent),
    ip: textOrNone(given.ip),
    device: (given.device ?? undefined) as Device | undefined,
    isMachine: given.machine === true,
    isHead: given.head === true,
  };
  if (type === "click") return { ...base, type, url: given.url as string, isHidden: given.hidden === true };
  if (type === "read") return { ...base, type, seconds: given.seconds as number };
  if (type === "open") return { ...base, type };
  return {
    ...base,
    type,
    surveyId: given.survey_id as string,
    kind: given.kind as SurveyKind,
    reaction: (given.score ?? textOrNone(given.answer)) as number | string | undefined,
    comment: textOrNone(given.comment),
  };
}

/** In UTF-16 units; lower case may be longer than what was sent. */
const recipientLengthMax = 3_000;

/** Who a recipient is: the address or opaque id as sent, trimmed, lower case, Unicode NFC. */
export function normalizeRecipient(recipient: string): string {
  const trimmed = recipient.trim().toLowerCase();
  // A longer one is refused, and to normalize it could take seconds.
  return trimmed.length > recipientLengthMax ? trimmed : trimmed.normalize("NFC");
}

/** A campaign may be told before all of an event can be read: for whom it is to be set aside. */
export function readCampaignReference(input: unknown): CampaignReference | undefined {
  const reference = (input as Given | null)?.campaign_id;
  return checkReference?.passes(reference) ? (reference as CampaignReference) : undefined;
}

const [checkReference] = compileFieldChecks(objectSchema(pick(["campaign_id"])));

function validateAnswer({ kind, score, answer, comment }: Given): FieldError[] {
  const has = (value: unknown) => typeof value === "number" || textOrNone(value) !== undefined;
  if (has(answer) && (kind === "enps" || has(score))) {
    const instead = kind === "enps" ? "an eNPS survey is answered by a score" : "there is a score already";
    return [{ field: "answer", problem: `${quote(answer)} cannot be taken; ${instead}` }];
  }
  if (has(score) || has(answer) || textOrNone(comment) !== undefined) return [];
  const wanted = kind === "enps" ? "score or comment" : "score, answer or comment";
  return [{ field: "score", problem: `is missing; a survey answer has ${wanted}` }];
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
