// Reads quarantined events for printing, as a summary or one by one.

import { describeQuarantinedEvent } from "../../counting/events/describe-quarantined-event.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { readAllQuarantined } from "../../storage/quarantine/quarantine.ts";
import type { QuarantineFilter } from "../../storage/quarantine/quarantine-filter.ts";
import { summarizeQuarantine } from "../../storage/quarantine/quarantine-groups.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { Output } from "../shell/output.ts";
import { formatReference } from "./campaign-reference.ts";

/** Returns the number of events for each campaign and reason. */
export async function readSummary(
  scope: Scope,
  _organization: Organization,
  filter: QuarantineFilter,
  output: Output,
): Promise<object[]> {
  return (await summarizeQuarantine(scope, filter)).map(({ campaign, reason, events, oldest }) => ({
    campaign: formatReference(output, campaign),
    reason,
    events,
    since: new Date(oldest).toISOString(),
  }));
}

/** Returns every event with its error message. */
export async function readEach(
  scope: Scope,
  organization: Organization,
  filter: QuarantineFilter,
  output: Output,
): Promise<object[]> {
  const rows: object[] = [];
  for await (const event of readAllQuarantined(scope, filter)) {
    const { id, message } = describeQuarantinedEvent(organization, event);
    const { reason, receivedAt } = event;
    const campaign = formatReference(output, event.campaign);
    rows.push({ campaign, id, reason, since: new Date(receivedAt).toISOString(), message });
  }
  return rows;
}
