// Reach: which different people opened at least one of some campaigns, and which opened none.

import { type RawBuilder, sql } from "kysely";
import { forgottenMark } from "../../campaign/events/parse-event.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";
import { type SumsFilter, sumsCondition } from "../sums/sums-filter.ts";

/**
 * The ledgers of campaigns with names, a list of recipients and kept events, newest first, until they have this many
 * recipients. Campaigns that are still counting are left out.
 *
 * @returns `of`: how many campaigns match, also of those without names or list
 */
export async function findReachedLedgers(
  scope: Scope,
  filter: SumsFilter,
  maxRecipients: number,
): Promise<{ ledgerIds: number[]; of: number }> {
  const { rows } = await sql<{ ledgerId: number | null; listed: number | null }>`
    select case when sums.tracking_type = 'Individual' then campaigns.ledger_id end as "ledgerId", campaigns.listed as listed
    from sums
    join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    where ${sumsCondition(scope, { ...filter, isSettled: true })}
    order by sums.sent_at desc, sums.campaign_id desc`.execute(scope);
  let recipients = 0;
  const ledgerIds: number[] = [];
  for (const { ledgerId, listed } of rows) {
    if (ledgerId === null || !listed) continue;
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

/** Forgotten recipients are left out: they have another name in each campaign. So are those known only from outcomes. */
function recipientsOf(scope: Scope, { ledgerIds }: ReachQuery): RawBuilder<unknown> {
  return sql`recipients where organization_id = ${scope.organizationId}
    and ${isAnyOf(scope, "ledger_id", ledgerIds)} and opened >= 0
    and substr(name, 1, ${sql.lit(forgottenMark.length)}) <> ${forgottenMark}`;
}

/** The least value of `opened` with which a recipient counts as a reader (see {@link Opened}). */
const openedFrom = ({ traffic }: ReachQuery) => sql.lit(traffic === "people" ? 2 : 1);

export interface Reach {
  /** The number of different recipients. */
  people: number;
  /** How many of them opened at least one of the campaigns. */
  readers: number;
}

/** A recipient of several campaigns counts once. */
export async function findReach(scope: Scope, query: ReachQuery): Promise<Reach> {
  const { rows } = await sql<{ people: number; readers: number | null }>`
    select count(*) as people, sum(case when opened >= ${openedFrom(query)} then 1 else 0 end) as readers
    from (select max(opened) as opened from ${recipientsOf(scope, query)} group by name) as people`.execute(
    scope,
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
  scope: Scope,
  query: ReachQuery,
  { after, limit }: { after: string; limit: number },
): Promise<NonReader[]> {
  const { rows } = await sql<NonReader>`
    select name, count(*) as campaigns from ${recipientsOf(scope, query)} and name > ${after}
    group by name having max(opened) < ${openedFrom(query)} order by name limit ${limit}`.execute(scope);
  return rows.map(({ name, campaigns }) => ({ name, campaigns: Number(campaigns) }));
}
