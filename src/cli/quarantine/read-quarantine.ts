// Prints quarantined events, as a summary or one by one.

import { describeQuarantinedEvent } from "../../counting/events/describe-quarantined-event.ts";
import { readAllQuarantined } from "../../storage/quarantine/quarantine.ts";
import type { QuarantineFilter } from "../../storage/quarantine/quarantine-filter.ts";
import { summarizeQuarantine } from "../../storage/quarantine/quarantine-groups.ts";
import type { Database } from "../../storage/queries/database.ts";
import { type Output, printRows } from "../shell/output.ts";
import { requireOrganization } from "../shell/shell.ts";
import { formatReference } from "./campaign-reference.ts";

const whenEmpty = "There are no quarantined events.";

/** Prints the number of events for each campaign and reason. */
export async function printSummary(
  database: Database,
  output: Output,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<void> {
  const groups = await database.snapshotOf(organizationId, async (scope) => {
    await requireOrganization(scope);
    return summarizeQuarantine(scope, filter);
  });
  const rows = groups.map(({ campaign, reason, events, oldest }) => ({
    campaign: formatReference(output, campaign),
    reason,
    events,
    since: new Date(oldest).toISOString(),
  }));
  printRows(output, rows, whenEmpty);
}

/** Prints every event with its error message. */
export async function printQuarantined(
  database: Database,
  output: Output,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<void> {
  const found = await database.snapshotOf(organizationId, async (scope) => {
    const rows: object[] = [];
    const organization = await requireOrganization(scope);
    for await (const event of readAllQuarantined(scope, filter)) {
      const { id, message } = describeQuarantinedEvent(organization, event);
      const { reason, receivedAt } = event;
      const campaign = formatReference(output, event.campaign);
      rows.push({ campaign, id, reason, since: new Date(receivedAt).toISOString(), message });
    }
    return rows;
  });
  printRows(output, found, whenEmpty);
}
