// Reach: which different people opened at least one of some campaigns, and which opened none.

import { type RawBuilder, sql } from "kysely";
import { forgottenMark } from "../../campaign/events/parse-event.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Queries } from "../queries/database.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import { type SumsFilter, sumsCondition } from "../sums/sums-filter.ts";

/**
 * The ledgers of campaigns with names, a list of recipients and kept events, newest first, until they have this many
 * recipients. Campaigns that are still counting are left out.
 *
 * @returns `of`: how many such campaigns match
 */
export async function findReachedLedgers(
  queries: Queries,
  organizationId: number,
  filter: SumsFilter,
  maxRecipients: number,
): Promise<{ ledgerIds: number[]; of: number }> {
  const { rows } = await sql<{ ledgerId: number; listed: number }>`
    select campaigns.ledger_id as "ledgerId", campaigns.listed as listed from sums
    join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    where ${sumsCondition(queries, organizationId, filter)} and sums.settled_campaigns = 1
      and sums.tracking_type = 'Individual' and campaigns.ledger_id is not null and campaigns.listed > 0
    order by sums.sent_at desc, sums.campaign_id desc`.execute(queries);
  let recipients = 0;
  const ledgerIds: number[] = [];
  for (const { ledgerId, listed } of rows) {
    recipients += listed;
    if (recipients > maxRecipients && ledgerIds.length > 0) break;
    ledgerIds.push(ledgerId);
  }
  return { ledgerIds, of: rows.length };
}

export interface ReachQuery {
  ledgerIds: readonly number[];
  traffic: TrafficFilter;
}

/** Forgotten recipients are left out: they have another name in each campaign. */
function recipientsOf(
  queries: Queries,
  organizationId: number,
  { ledgerIds }: ReachQuery,
): RawBuilder<unknown> {
  return sql`recipients where organization_id = ${organizationId}
    and ${isAnyOf(queries, "ledger_id", "integer", ledgerIds)}
    and substr(name, 1, ${sql.lit(forgottenMark.length)}) <> ${forgottenMark}`;
}

/** From which value of `opened` on a recipient opened. */
const openedFrom = ({ traffic }: ReachQuery) => sql.lit(traffic === "people" ? 2 : 1);

/** The number of different recipients, and how many of them opened at least one of the campaigns. */
export async function findReach(
  queries: Queries,
  organizationId: number,
  query: ReachQuery,
): Promise<{ people: number; readers: number }> {
  const { rows } = await sql<{ people: number; readers: number | null }>`
    select count(*) as people, sum(case when opened >= ${openedFrom(query)} then 1 else 0 end) as readers
    from (select max(opened) as opened from ${recipientsOf(queries, organizationId, query)} group by name) as people`.execute(
    queries,
  );
  return { people: Number(rows[0]?.people ?? 0), readers: Number(rows[0]?.readers ?? 0) };
}

export interface NonReader {
  name: string;
  /** How many of the campaigns the recipient got. */
  campaigns: number;
}

/** The recipients who did not open any of the campaigns, by name. @param page.after the last name before the page */
export async function findNonReaders(
  queries: Queries,
  organizationId: number,
  query: ReachQuery,
  { after, limit }: { after: string; limit: number },
): Promise<NonReader[]> {
  const { rows } = await sql<NonReader>`
    select name, count(*) as campaigns from ${recipientsOf(queries, organizationId, query)} and name > ${after}
    group by name having max(opened) < ${openedFrom(query)} order by name limit ${limit}`.execute(queries);
  return rows.map(({ name, campaigns }) => ({ name, campaigns: Number(campaigns) }));
}
