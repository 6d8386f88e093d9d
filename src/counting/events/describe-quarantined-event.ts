// Describes a quarantined event to people: its id, and why it is quarantined.

import { parseEvent } from "../../campaign/events/parse-event.ts";
import { formatErrors } from "../../campaign/validate-fields.ts";
import type { Organization } from "../../storage/organizations.ts";
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
