// What pages select from the table `sums`: totals, totals by a value or a period, and which campaigns there are.

import { type RawBuilder, sql } from "kysely";
import { type CountName, countNames, type KindOfNumbers } from "../../campaign/campaign-number.ts";
import { type ProofName, proofNames } from "../../campaign/events/tally.ts";
import { type Spread, spreadNames } from "../../campaign/ranges.ts";
import type { SpreadSums, Spreads } from "../../campaign/rate-ranges.ts";
import { type CoveredRateName, termsOf } from "../../campaign/sum-rates.ts";
import { type SumColumns, snakeCase, summandColumns } from "../../campaign/sums.ts";
import { inputRows, joinByKey } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";
import { addedTerms } from "./find-values.ts";
import { toSums } from "./sums.ts";
import { type SumsFilter, sumsCondition } from "./sums-filter.ts";

/** Floating point, because sums of very large imported integers would overflow. Exact up to 2^53. */
const added = (expression: RawBuilder<unknown>) => sql`sum(cast(${expression} as double precision))`;

export const summed = sql.join([
  sql`count(*) as campaigns`,
  ...summandColumns.map(
    ([, column]) => sql`coalesce(${added(sql.ref(`sums.${column}`))}, 0) as ${sql.ref(column)}`,
  ),
]);

export type SummedRow = SumColumns & { campaigns: number };

/** The sums of {@link spreadOf} for each rate. */
export function summedSpreads(names: readonly CoveredRateName[]): RawBuilder<unknown> {
  const columns = names.flatMap((name) => {
    const terms = termsOf(name);
    const [part, whole] = [addedTerms(terms.part), addedTerms(terms.whole)];
    // The first factor makes the product floating point: the square of a large integer would overflow.
    const [floatPart, floatWhole] = [part, whole].map((each) => sql`cast(${each} as double precision)`);
    const products: Record<keyof Spread, RawBuilder<unknown>> = {
      partSquares: sql`${floatPart} * (${part})`,
      products: sql`${floatPart} * (${whole})`,
      wholeSquares: sql`${floatWhole} * (${whole})`,
      wholeCubes: sql`${floatWhole} * (${whole}) * (${whole})`,
    };
    return spreadNames.map((each) => sql`, sum(${products[each]}) as ${sql.ref(`${name}_${each}`)}`);
  });
  return sql.join(columns, sql``);
}

export function toSpreadSums(row: SummedRow, names: readonly CoveredRateName[]): SpreadSums {
  const values = row as unknown as Record<string, number | null>;
  const spreads = names.map((name) => [
    name,
    Object.fromEntries(spreadNames.map((each) => [each, values[`${name}_${each}`] ?? 0])),
  ]);
  return { ...toSums(row), spreads: Object.fromEntries(spreads) as Spreads };
}

/** When the first and the last of several campaigns were sent; null without campaigns. */
export interface SentSpan {
  firstSentAt: number | null;
  lastSentAt: number | null;
}

const sentSpan = sql`min(sums.sent_at) as "firstSentAt", max(sums.sent_at) as "lastSentAt"`;

export async function findSentSpan(scope: Scope, filter: SumsFilter): Promise<SentSpan> {
  const { rows } = await sql<SentSpan>`
    select ${sentSpan} from sums where ${sumsCondition(scope, filter)}`.execute(scope);
  return rows[0] as SentSpan;
}

export interface CampaignTotals extends SentSpan {
  /** The sums of the campaigns, with the spreads of the rates that were asked for. */
  sums: SpreadSums;
  /** Null if no campaign has the number. */
  counts: Record<CountName, number | null>;
}

const summedCounts = sql.join(
  countNames.map((name) => sql`${added(sql.ref(`sums.${name}`))} as ${sql.ref(name)}`),
);

/** @param ranged the rates whose ranges are shown */
export async function findTotals(
  scope: Scope,
  filter: SumsFilter,
  ranged: readonly CoveredRateName[] = [],
): Promise<CampaignTotals> {
  const { rows } = await sql<SummedRow & SentSpan & Record<CountName, number | null>>`
    select ${sentSpan}, ${summed}, ${summedCounts}
      ${summedSpreads(ranged)}
    from sums where ${sumsCondition(scope, filter)}`.execute(scope);
  const row = rows[0] as (typeof rows)[number];
  return {
    sums: toSpreadSums(row, ranged),
    counts: Object.fromEntries(countNames.map((name) => [name, row[name]])) as CampaignTotals["counts"],
    firstSentAt: row.firstSentAt,
    lastSentAt: row.lastSentAt,
  };
}

/**
 * The sums of consecutive periods. They have the bounds of the filter: with two lower bounds, SQLite may search by the wrong
 * one, and read all campaigns for each period.
 *
 * @param starts of each period, and the end of the last; ascending. @param ranged the rates whose ranges are shown
 */
export async function findSumsByPeriod(
  scope: Scope,
  filter: SumsFilter,
  starts: readonly number[],
  ranged: readonly CoveredRateName[] = [],
): Promise<Map<number, SpreadSums>> {
  const { sentFrom = -Infinity, sentUntil = Infinity, ...others } = filter;
  const periods = starts.slice(0, -1).map((start, period) => {
    return [period, Math.max(start, sentFrom), Math.min(starts[period + 1] ?? start, sentUntil)];
  });
  const input = inputRows(scope, { period: "integer", starts_at: "integer", ends_at: "integer" }, periods);
  const isIn = sql`${sumsCondition(scope, others)}
    and sums.sent_at >= input.starts_at and sums.sent_at < input.ends_at`;
  const { rows } = await sql<SummedRow & { period: number }>`
    select input.period as period, ${summed} ${summedSpreads(ranged)} ${joinByKey(scope, input, "sums", isIn)}
    group by input.period`.execute(scope);
  return new Map(rows.map((row) => [Number(row.period), toSpreadSums(row, ranged)]));
}

/**
 * The campaigns with comments of readers that can be read, newest first, and the number of answers that they are among.
 *
 * @param what `answers` for those with answers, also without comments
 */
export async function findCommented(
  scope: Scope,
  filter: Omit<SumsFilter, "traffic" | "kinds">,
  what: "comments" | "answers" = "comments",
): Promise<{ id: number; answers: number }[]> {
  const counted: SumsFilter = { ...filter, traffic: "people", kinds: ["counted"] };
  const { rows } = await sql<{ id: number; answers: number }>`
    select sums.campaign_id as id, sums.comments_count + sums.answers as answers from sums
    where ${sumsCondition(scope, counted)} and ${sql.ref(what === "comments" ? "sums.comments_count" : "sums.answers")} > 0
    order by sums.sent_at desc, sums.campaign_id desc`.execute(scope);
  return rows;
}

/** The numbers of comments of readers, by the kind of their campaigns. */
export async function countComments(
  scope: Scope,
  filter: SumsFilter,
): Promise<Partial<Record<KindOfNumbers, number>>> {
  const { rows } = await sql<{ kind: KindOfNumbers; comments: number | null }>`
    select sums.kind as kind, ${added(sql`sums.comments_count`)} as comments from sums
    where ${sumsCondition(scope, { ...filter, traffic: "people" })}
    group by sums.kind`.execute(scope);
  return Object.fromEntries(rows.map(({ kind, comments }) => [kind, comments ?? 0]));
}

/** The newest campaigns, newest first. */
export async function findNewestIds(scope: Scope, filter: SumsFilter, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select sums.campaign_id as id from sums where ${sumsCondition(scope, filter)}
    order by sums.sent_at desc, sums.campaign_id desc limit ${limit}`.execute(scope);
  return rows.map(({ id }) => id);
}

export type ProofSums = Record<ProofName | "campaigns", number>;

/** What recipients whose nature is proven say of the filter, and how many campaigns it is of. */
export async function findProofs(scope: Scope, filter: SumsFilter): Promise<ProofSums> {
  const sums = proofNames.map(
    (name) => sql`coalesce(${added(sql.ref(`sums.${snakeCase(name)}`))}, 0) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<ProofSums>`
    select count(*) as campaigns, ${sql.join(sums)}
    from sums where ${sumsCondition(scope, filter)}`.execute(scope);
  return rows[0] as ProofSums;
}

/** When the last campaign was sent, and whether the service counted any; undefined without campaigns. */
export async function findSent(
  scope: Scope,
): Promise<{ lastSentAt: number; hasCounted: boolean } | undefined> {
  const { rows } = await sql<{ lastSentAt: number | null; counted: number | null }>`
    select max(sent_at) as "lastSentAt", max(counted_campaigns) as counted from sums
    where organization_id = ${scope.organizationId} and traffic = 'people'`.execute(scope);
  const { lastSentAt = null, counted } = rows[0] ?? {};
  return lastSentAt === null ? undefined : { lastSentAt, hasCounted: counted === 1 };
}

/** The different values of the campaigns of an organization. */
interface KnownValues {
  teams: string[];
  sendingTypes: string[];
  /** Lists of recipient groups, as given. */
  recipients: string[];
}

export async function findKnownValues(scope: Scope): Promise<KnownValues> {
  return {
    teams: await valuesOf(scope, "sums", "team"),
    sendingTypes: await valuesOf(scope, "sums", "sending_type"),
    recipients: await valuesOf(scope, "emails", "recipients"),
  };
}

/** From whom campaigns were sent. */
export const findSenders = (scope: Scope): Promise<string[]> => valuesOf(scope, "emails", "sent_from");

async function valuesOf(scope: Scope, table: "sums" | "emails", column: string): Promise<string[]> {
  const isOnce = table === "sums" ? sql`and traffic = 'people'` : sql``;
  const { rows } = await sql<{ value: string }>`
    select distinct ${sql.ref(column)} as value from ${sql.table(table)}
    where organization_id = ${scope.organizationId} ${isOnce} and ${sql.ref(column)} <> ''`.execute(scope);
  return rows.map(({ value }) => value);
}
