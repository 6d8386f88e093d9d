// The table `campaign_hours`: opens and clicks of counted campaigns by quarter hour and verdict. A batch is added to the
// last part of its campaign until that is full: a row per quarter hour would cost more than all other writes of an event.

import { sql } from "kysely";
import type { HourCounts } from "../../campaign/events/hour-counts.ts";
import { inputRows, joinByKey } from "../queries/dialect-differences.ts";
import { insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

/** A part is rewritten with each batch until it has this many characters. */
const fullPartLength = 1_000;

interface HoursPart {
  part: number;
  /** The encoded {@link HourCounts}. */
  counts: string;
}

const firstPart: Readonly<HoursPart> = { part: 1, counts: "{}" };

/**
 * Adds counts to campaigns. The caller has locked the organization.
 *
 * @param changes one per campaign; their `hours` are modified
 */
export async function addToHours(
  scope: Scope,
  changes: readonly { campaignId: number; hours: HourCounts }[],
): Promise<void> {
  // Sorts by key, so that each page of the index is visited once.
  const changed = changes.filter(({ hours }) => !hours.isEmpty()).sort((a, b) => a.campaignId - b.campaignId);
  if (changed.length === 0) return;
  const ids = changed.map(({ campaignId }) => campaignId);
  const lastParts = await findLastParts(scope, ids);
  const rows = changed.map(({ campaignId, hours }) => {
    const last = lastParts.get(campaignId) ?? firstPart;
    if (last.counts.length >= fullPartLength) return [campaignId, last.part + 1, hours.encode()];
    hours.addEncoded(last.counts);
    return [campaignId, last.part, hours.encode()];
  });
  const kinds = { campaign_id: "integer", part: "integer", counts: "text" } as const;
  await insertRows(scope, { into: "campaign_hours", kinds, rows });
}

/** The last part of each campaign that has any. */
async function findLastParts(scope: Scope, campaignIds: readonly number[]): Promise<Map<number, HoursPart>> {
  const input = inputRows(
    scope,
    { campaign_id: "integer" },
    campaignIds.map((id) => [id]),
  );
  const isLast = sql`campaign_hours.organization_id = ${scope.organizationId}
    and campaign_hours.campaign_id = input.campaign_id
    and campaign_hours.part = (
      select max(others.part) from campaign_hours as others
      where others.organization_id = ${scope.organizationId} and others.campaign_id = input.campaign_id)`;
  const { rows } = await sql<HoursPart & { id: number }>`
    select campaign_hours.campaign_id as id, campaign_hours.part, campaign_hours.counts
    ${joinByKey(scope, input, "campaign_hours", isLast)}`.execute(scope);
  return new Map(rows.map(({ id, part, counts }) => [id, { part, counts }]));
}

/** The encoded parts of campaigns, in no particular order. */
export async function findHourPartsOfCampaigns(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<{ campaignId: number; counts: string }[]> {
  return scope
    .from("campaign_hours", { campaign_id: campaignIds })
    .select(["campaign_id as campaignId", "counts"])
    .execute();
}
