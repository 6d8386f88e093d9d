// Describes a quarantined event to people: its id, and why it is quarantined.

import { type EventFieldName, eventFields } from "../../campaign/events/event-schema.ts";
import { parseEvent } from "../../campaign/events/parse-event.ts";
import { describeAccepted } from "../../campaign/fields/field-schema.ts";
import { formatErrors } from "../../campaign/fields/validate-fields.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { QuarantinedEvent } from "../../storage/quarantine/quarantine.ts";
import { problems } from "./problems.ts";
import { decryptContent } from "./quarantined-content.ts";

/** @returns `id` is null if the event has none */
export function describeQuarantinedEvent(
  organization: Organization,
  { reason, content }: QuarantinedEvent,
): { id: unknown; message: string } {
  const { input, error } = decryptContent(organization.secret, content);
  const id = input?.id ?? null;
  const read = parseEvent(input);
  if (reason !== "unreadable" || !("errors" in read)) return { id, message: problems[reason].meaning };
  return { id, message: error ?? formatErrors(read.errors) };
}

/**
 * The fields that make an event unreadable, and what each accepts. Without their values: these may name the recipient, also
 * of a campaign with Anonymous tracking.
 */
export function findUnreadableFields(
  organization: Organization,
  { content }: QuarantinedEvent,
): { field: EventFieldName; accepted: string }[] {
  const { input } = decryptContent(organization.secret, content);
  const read = parseEvent(input);
  const names = "errors" in read ? new Set(read.errors.map(({ field }) => field)) : new Set<string>();
  return (Object.keys(eventFields) as EventFieldName[])
    .filter((name) => names.has(name))
    .map((field) => ({ field, accepted: describeAccepted(eventFields[field]) }));
}
