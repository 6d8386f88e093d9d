// The table `campaigns`, as far as its numbers go: without texts and records, for sums over many campaigns.

import { sql } from "kysely";
import type { Numbers, ReportedMetrics } from "../campaign/metrics.ts";
import type { Tallies } from "../campaign/tally.ts";
import type { Queries } from "./database.ts";
import { givenRows, lookedUp } from "./differences.ts";
import { teamKey } from "./teams.ts";

export interface CampaignNumbers {
  id: number;
  sentAt: number;
  /** As {@link listTeams} has it. */
  team: string | null;
  recipientCount: number | null;
  numbers: Numbers;
}

interface Row {
  id: number;
  sent_at: number;
  team: string | null;
  recipient_count: number | null;
  reported_metrics: string;
  tallies: string | null;
}

/** Of these campaigns, as far as there are any, in no particular order. */
export async function findCampaignNumbers(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<CampaignNumbers[]> {
  const given = givenRows(
    queries,
    { id: "integer" },
    ids.map((id) => [id]),
  );
  const condition = sql`campaigns.organization_id = ${organizationId} and campaigns.id = given.id`;
  const { rows } = await sql<Row>`
    select campaigns.id, sent_at, ${teamKey} as team, recipient_count, reported_metrics, tallies
    ${lookedUp(queries, given, "campaigns", condition)}`.execute(queries);
  return rows.map((row) => ({
    id: row.id,
    sentAt: row.sent_at,
    team: row.team,
    recipientCount: row.recipient_count,
    numbers:
      row.tallies === null
        ? { reported: JSON.parse(row.reported_metrics) as ReportedMetrics }
        : { counted: JSON.parse(row.tallies) as Tallies },
  }));
}
