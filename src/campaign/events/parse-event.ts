// Validates an incoming event and converts it to an Event.

import { parseIsoTimestamp } from "../calendar/iso-timestamp.ts";
import { quote } from "../fields/quote.ts";
import {
  compileFastCheck,
  compileFieldChecks,
  type FieldError,
  isObject,
  validateFields,
} from "../fields/validate-fields.ts";
import { type CampaignReference, type Event, type EventType, eventTypes, type SurveyKind } from "./event.ts";
import {
  acceptedTime,
  campaignReferenceObjectSchema,
  commonEventSchema,
  type EventFieldName,
  eventSchemas,
} from "./event-schema.ts";
import { outcomeOf } from "./outcomes.ts";
import type { Device } from "./traffic.ts";

/** An event as sent; the values are not validated yet. */
type EventInput = { [Name in EventFieldName]?: unknown };

const checks = Object.fromEntries(
  eventTypes.map((type) => [type, compileFieldChecks(eventSchemas[type])]),
) as Record<EventType, ReturnType<typeof compileFieldChecks>>;
const fastChecks = Object.fromEntries(
  eventTypes.map((type) => [type, compileFastCheck(eventSchemas[type])]),
) as Record<EventType, ReturnType<typeof compileFastCheck>>;
const commonChecks = compileFieldChecks(commonEventSchema);
const [checkReference] = compileFieldChecks(campaignReferenceObjectSchema);

/**
 * Parses one event, or reports all fields that are wrong. Ignores fields that the type does not have; `null` counts as
 * missing.
 */
export function parseEvent(input: unknown): Event | { errors: FieldError[] } {
  if (!isObject(input)) {
    return { errors: [{ field: "event", problem: `${quote(input)} is not an object` }] };
  }
  const fields = input as EventInput;
  const type = eventTypes.find((each) => each === fields.type);
  if (type === undefined) return { errors: validateFields(commonChecks, fields as Record<string, unknown>) };
  const at = typeof fields.at === "string" ? parseIsoTimestamp(fields.at) : undefined;
  const instant = at?.kind === "instant" ? at.at : undefined;
  const recipient = typeof fields.recipient === "string" ? normalizeRecipient(fields.recipient) : "";
  const errors = validateEvent(type, fields, recipient, instant);
  if (errors.length > 0 || instant === undefined) return { errors };
  return toEvent(type, fields, recipient, instant);
}

function validateEvent(
  type: EventType,
  fields: EventInput,
  recipient: string,
  instant: number | undefined,
): FieldError[] {
  const errors = fastChecks[type](fields as Record<string, unknown>)
    ? []
    : validateFields(checks[type], fields as Record<string, unknown>);
  if (instant === undefined && typeof fields.at === "string") {
    errors.push({ field: "at", problem: `${quote(fields.at)} is not ${acceptedTime}` });
  }
  if (recipient === "" && typeof fields.recipient === "string" && fields.recipient !== "") {
    errors.push({ field: "recipient", problem: `${quote(fields.recipient)} is blank` });
  }
  if (type === "survey" && errors.length === 0) errors.push(...validateAnswer(fields));
  return errors;
}

/** @param fields valid */
function toEvent(type: EventType, fields: EventInput, recipient: string, at: number): Event {
  const base = {
    id: fields.id as string,
    campaign: fields.campaign_id as CampaignReference,
    recipient,
    at,
    userAgent: nonBlank(fields.user_agent),
    ip: nonBlank(fields.ip),
    device: (fields.device ?? undefined) as Device | undefined,
    isMachine: fields.machine === true,
    isHead: fields.head === true,
  };
  if (type === "click") return { ...base, type, url: fields.url as string, isHidden: fields.hidden === true };
  if (type === "read") return { ...base, type, seconds: fields.seconds as number };
  if (type === "open") return { ...base, type };
  if (type !== "survey") {
    // Devices of readers are no recipients: with Overall tracking, too, an outcome belongs to an address.
    const outcome = outcomeOf(type, nonBlank(fields.bounce));
    return { ...base, userAgent: undefined, ip: undefined, type, outcome };
  }
  return {
    ...base,
    type,
    surveyId: fields.survey_id as string,
    kind: fields.kind as SurveyKind,
    reaction: (fields.score ?? nonBlank(fields.answer)) as number | string | undefined,
    comment: nonBlank(fields.comment),
  };
}

/** No accepted recipient (500 characters) is longer in lower case, in UTF-16 units. */
const maxRecipientLength = 3_000;

/**
 * The identity of a recipient: the email address or opaque id, trimmed, lower case, Unicode NFC. Of a mailbox with a name
 * (RFC 5322, 3.4), `Ann <ann@example.com>`, it is the address.
 */
export function normalizeRecipient(recipient: string): string {
  const mailbox = /<\s*([^<>\s]+@[^<>\s]+)\s*>\s*$/.exec(recipient.slice(0, maxRecipientLength));
  const trimmed = (mailbox?.[1] ?? recipient).trim().toLowerCase();
  // Validation rejects a longer one anyway, and normalizing it could take seconds.
  return trimmed.length > maxRecipientLength ? trimmed : trimmed.normalize("NFC");
}

/** Starts the names of forgotten recipients. No sender can name one: {@link normalizeRecipient} removes the space. */
export const forgottenMark = " forgotten:";

/** Whether a recipient is counted, and never listed or named. */
export function isForgotten(name: string): boolean {
  return name.startsWith(forgottenMark);
}

/** The campaign of an event that is otherwise invalid, so that it can be quarantined with that campaign. */
export function parseCampaignReference(input: unknown): CampaignReference | undefined {
  const reference = (input as EventInput | null)?.campaign_id;
  return checkReference?.passes(reference) ? (reference as CampaignReference) : undefined;
}

function validateAnswer({ kind, score, answer, comment }: EventInput): FieldError[] {
  const has = (value: unknown) => typeof value === "number" || nonBlank(value) !== undefined;
  if (has(answer) && (kind === "enps" || has(score))) {
    const reason = kind === "enps" ? "an eNPS survey has a score instead" : "the event already has a score";
    return [{ field: "answer", problem: `${quote(answer)} is not allowed; ${reason}` }];
  }
  if (has(score) || has(answer) || nonBlank(comment) !== undefined) return [];
  const required = kind === "enps" ? "score or comment" : "score, answer or comment";
  return [{ field: "score", problem: `is missing; a survey answer has ${required}` }];
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
