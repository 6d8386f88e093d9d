// The ids of campaigns: senders choose them, imports generate them, and a counter of the organization gives out the others.

import { sql } from "kysely";
import { summarizeQuarantine } from "../quarantine/quarantine-groups.ts";
import type { Scope } from "../queries/scope.ts";

/** Ids from here to 15 digits, which Excel does not round, are generated. Those that senders choose are smaller in practice. */
export const smallestGeneratedId = 1e14;

/** An id that no campaign has had, and that no quarantined event names: those wait for the campaign of a sender. */
export async function nextCampaignId(scope: Scope): Promise<number> {
  const { rows } = await sql<{ last_campaign_id: number }>`
    update organizations set last_campaign_id = last_campaign_id + 1
    where "id" = ${scope.organizationId} returning last_campaign_id`.execute(scope);
  const id = rows[0]?.last_campaign_id as number;
  const waiting = await summarizeQuarantine(scope, { campaigns: [id] });
  return waiting.length === 0 ? id : nextCampaignId(scope);
}

/** Records that campaigns have these ids, so that the counter never gives them out. */
export async function raiseLastCampaignId(scope: Scope, ids: readonly number[]): Promise<void> {
  const largest = Math.max(...ids.filter((id) => id < smallestGeneratedId));
  if (largest < 1) return;
  await sql`update organizations set last_campaign_id = ${largest}
    where "id" = ${scope.organizationId} and last_campaign_id < ${largest}`.execute(scope);
}
