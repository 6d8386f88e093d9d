// What pages select of each campaign from the table `sums`: the values and rates that they sort, rank and compare by.

import { type RawBuilder, sql } from "kysely";
import type { CountName } from "../../campaign/campaign-number.ts";
import { givenRate } from "../../campaign/campaign-rates.ts";
import {
  type CoveredRateName,
  type RatePartName,
  ratePartNames,
  type Summands,
  termsOf,
} from "../../campaign/sum-rates.ts";
import { type SummandName, snakeCase } from "../../campaign/sums.ts";
import type { EmailKey } from "../campaigns/emails.ts";
import type { Scope } from "../queries/scope.ts";
import { emailOfSums, type SumsFilter, sumsCondition } from "./sums-filter.ts";

/** A campaign with a value of it. */
export interface CampaignValue<Value> extends EmailKey {
  value: Value;
}

const valueColumns = {
  team: "sums.team",
  kind: "sums.kind",
  subject: "emails.subject",
  recipients: "emails.recipients",
  sender: "emails.sent_from",
};

/** What pages can read of each campaign besides rates. */
type ValueColumn = CountName | keyof typeof valueColumns;

/** A value of each campaign, newest first. */
export async function findValues<Value extends string | number | null>(
  scope: Scope,
  filter: SumsFilter,
  name: ValueColumn,
): Promise<CampaignValue<Value>[]> {
  const column = name in valueColumns ? valueColumns[name as keyof typeof valueColumns] : `sums.${name}`;
  const { rows } = await sql<CampaignValue<Value>>`
    select sums.campaign_id as id, sums.sent_at as "sentAt", ${sql.ref(column)} as value
    from sums ${column.startsWith("emails.") ? emailOfSums() : sql``}
    where ${sumsCondition(scope, filter)}
    order by sums.sent_at desc, sums.campaign_id desc`.execute(scope);
  return rows;
}

/** A campaign with what a rate of it, or of it and others, comes from. */
export interface CampaignRates extends EmailKey {
  team: string | null;
  /** The parts of one rate after another, in the order of `partNames` (see {@link findRates}). */
  parts: number[];
  /** The value of each rate in an imported record; null if it comes from its parts, or is unknown. */
  given: (number | null)[];
}

/**
 * The rates of each campaign, newest first.
 *
 * @param partNames the parts to read: of one campaign, a part and its whole say all
 */
export async function findRates(
  scope: Scope,
  filter: SumsFilter,
  names: readonly CoveredRateName[],
  partNames: readonly RatePartName[] = ratePartNames,
): Promise<CampaignRates[]> {
  const parts = names.flatMap((name) => partNames.map((part) => addedTerms(termsOf(name)[part])));
  const given = names.map(givenMetric);
  const named = [...parts, ...given].map((value, index) => sql`${value} as ${sql.ref(`v${index}`)}`);
  const [partColumns, givenColumns] = [parts, given].map((values, from) =>
    values.map((_, index) => `v${from * parts.length + index}`),
  ) as [string[], string[]];
  const { rows } = await sql<Omit<CampaignRates, "parts" | "given"> & Record<string, number | null>>`
    select sums.campaign_id as id, sums.sent_at as "sentAt", sums.team as team, ${sql.join(named)}
    from sums where ${sumsCondition(scope, filter)}
    order by sums.sent_at desc, sums.campaign_id desc`.execute(scope);
  return rows.map((row) => ({
    id: row.id,
    sentAt: row.sentAt,
    team: row.team,
    parts: partColumns.map((column) => row[column] ?? 0),
    given: givenColumns.map((column) => row[column] ?? null),
  }));
}

/** What one campaign adds to a part of a rate. */
export function addedTerms(terms: Summands): RawBuilder<unknown> {
  const products = Object.entries(terms).map(([name, factor]) => {
    const column = sql.ref(`sums.${snakeCase(name as SummandName)}`);
    return factor === 1 ? column : sql`${sql.lit(factor)} * ${column}`;
  });
  return products.length === 0 ? sql`0` : sql.join(products, sql` + `);
}

/** Read only where the rate may not come from sums. */
function givenMetric(name: CoveredRateName): RawBuilder<unknown> {
  const given = givenRate(name);
  if (!given) return sql`null`;
  const { whole } = termsOf(name);
  const isNeeded = name === "enpsMean" ? sql`` : sql`and ${addedTerms(whole)} = 0`;
  return sql`case when sums.kind = 'reported' and sums.settled_campaigns = 1 ${isNeeded} then (
    select ${sql.ref(`emails.${given.metric}`)} from emails where emails.organization_id = sums.organization_id
      and emails.sent_at = sums.sent_at and emails.id = sums.campaign_id) end`;
}
