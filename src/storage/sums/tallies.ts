// Tallies of counted campaigns.

import { sql } from "kysely";
import type { Tallies } from "../../campaign/events/tally.ts";
import { inputRowsForUpdate, isAnyOf, weekdayOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";
import { countedOf, emailOfSums, type SumsFilter, sumsCondition } from "./sums-filter.ts";

interface SavedTallies {
  id: number;
  tallies: Tallies;
  publishAt: number | null;
  sourceId: string | null;
  senders: object;
}

/** Saves the tallies of campaigns, where their events came from, and when they are published next. The caller publishes them. */
export async function saveTallies(scope: Scope, campaigns: readonly SavedTallies[]): Promise<void> {
  // Lists the ids twice: without statistics for a new organization, PostgreSQL would read all of its campaigns.
  const ids = campaigns.map(({ id }) => id);
  const rows = campaigns.map(({ id, tallies, publishAt, sourceId, senders }) => [
    ...[id, tallies, publishAt, sourceId, senders],
  ]);
  const input = inputRowsForUpdate(
    scope,
    {
      ...({ id: "integer", tallies: "json", publish_at: "integer" } as const),
      ...({ source_id: "text", senders: "json" } as const),
    },
    rows,
  );
  await sql`
    update campaigns set tallies = input.tallies, publish_at = input.publish_at, source_id = input.source_id,
      senders = input.senders
    from ${input} where campaigns.organization_id = ${scope.organizationId} and campaigns.id = input.id
      and ${isAnyOf(scope, "campaigns.id", ids)}`.execute(scope);
}

/** Marks a campaign as closed, with its final tallies. Its record stays. */
export async function saveClosedCampaign(
  scope: Scope,
  { id, tallies, closedAt }: { id: number; tallies: Tallies; closedAt: number },
): Promise<void> {
  const closed = { tallies: JSON.stringify(tallies), ledger_id: null, closed_at: closedAt };
  await scope.updateRows("campaigns", { id }, closed);
}

/** Who sent a campaign, when in the organization's time zone, and what it counts. */
interface SentTallies {
  id: number;
  team: string | null;
  /** The day of the week, from 0 (Monday) to 6. */
  weekday: number;
  hour: number;
  recipients: number;
  tallies: Tallies;
}

/** The newest counted campaigns with recipients that are not still counting. */
export async function findSentTallies(
  scope: Scope,
  filter: SumsFilter,
  limit: number,
): Promise<SentTallies[]> {
  const condition = sumsCondition(scope, countedOf(filter));
  const { rows } = await sql<Omit<SentTallies, "tallies"> & { tallies: string }>`
    select sums.campaign_id as id, sums.team as team, ${weekdayOf(scope, "emails.sent_on")} as weekday,
      emails.sent_hour as hour, sums.recipient_count as recipients, campaigns.tallies as tallies
    from sums ${emailOfSums()}
      join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    where ${condition} and sums.settled_counted = 1 and sums.recipient_count > 0 and campaigns.tallies is not null
    order by sums.sent_at desc, sums.campaign_id desc limit ${limit}`.execute(scope);
  return rows.map(({ tallies, ...sent }) => ({ ...sent, tallies: JSON.parse(tallies) }));
}
