// The table `quarantine`: events that cannot be counted, or not yet, encrypted until their campaign comes.

import { sql } from "kysely";
import type { CampaignReference } from "../campaign/events/event.ts";
import { chunks, type Queries } from "./database.ts";
import { isAnyOf } from "./dialect-differences.ts";
import type { QuarantineReason } from "./tables.ts";

export interface QuarantinedEvent {
  /** Undefined where it cannot be told. */
  campaign: CampaignReference | undefined;
  /** Hash of its campaign and its id, in hex. */
  eventHash: string;
  reason: QuarantineReason;
  receivedAt: number;
  content: Buffer;
}

/** Where an event stands in the order of arrival. */
export type QuarantinePosition = Pick<QuarantinedEvent, "receivedAt" | "eventHash">;

export interface QuarantineFilter {
  /** For any of these, under which name whatever. */
  campaigns?: readonly CampaignReference[] | undefined;
  reason?: QuarantineReason | undefined;
  receivedBefore?: number | undefined;
}

/**
 * Sets events aside. One that waits already stays as it is, unless it could not be read and now can: then the
 * mended one takes its place.
 */
export async function saveQuarantined(
  queries: Queries,
  organizationId: number,
  events: readonly QuarantinedEvent[],
): Promise<void> {
  for (const some of chunks(eachOnce(events))) {
    await queries
      .insertInto("quarantine")
      .values(
        some.map(({ campaign, eventHash, reason, receivedAt, content }) => ({
          organization_id: organizationId,
          campaign_reference: toText(campaign),
          event_hash: eventHash,
          reason,
          received_at: receivedAt,
          content,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["organization_id", "event_hash"])
          .doUpdateSet((set) => ({
            reason: set.ref("excluded.reason"),
            received_at: set.ref("excluded.received_at"),
            content: set.ref("excluded.content"),
          }))
          .where("quarantine.reason", "=", "unreadable"),
      )
      .execute();
  }
}

/** By the same rule among those that come together. */
function eachOnce(events: readonly QuarantinedEvent[]): QuarantinedEvent[] {
  const kept = new Map<string, QuarantinedEvent>();
  for (const each of events) {
    if ((kept.get(each.eventHash)?.reason ?? "unreadable") === "unreadable") kept.set(each.eventHash, each);
  }
  return [...kept.values()];
}

export async function countQuarantined(
  queries: Queries,
  organizationId: number,
  filter: QuarantineFilter = {},
): Promise<number> {
  const { total } = await filtered(queries, organizationId, filter)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function hasQuarantined(queries: Queries, organizationId: number): Promise<boolean> {
  const first = await queries
    .selectFrom("quarantine")
    .select("event_hash")
    .where("organization_id", "=", organizationId)
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
}

/** Which of these events wait, as hashes. */
export async function findQuarantined(
  queries: Queries,
  organizationId: number,
  events: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ eventHash: string }>`
    select event_hash as "eventHash" from quarantine
    where organization_id = ${organizationId} and ${isAnyOf(queries, "event_hash", "text", events)}`.execute(
    queries,
  );
  return new Set(rows.map(({ eventHash }) => eventHash));
}

/** Organizations of which events came before a time and still wait. */
export async function findOrganizationsWithExpired(
  queries: Queries,
  receivedBefore: number,
): Promise<number[]> {
  const rows = await queries
    .selectFrom("quarantine")
    .select("organization_id")
    .distinct()
    .where("received_at", "<", receivedBefore)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** How many wait for the same reason for the same campaign, and since when. */
export async function summarizeQuarantine(
  queries: Queries,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<
  { campaign: CampaignReference | undefined; reason: QuarantineReason; events: number; since: number }[]
> {
  const rows = await filtered(queries, organizationId, filter)
    .select((select) => [
      "campaign_reference as campaign",
      "reason",
      select.fn.countAll<number>().as("events"),
      select.fn.min("received_at").as("since"),
    ])
    .groupBy(["campaign_reference", "reason"])
    .orderBy("campaign_reference")
    .orderBy("reason")
    .execute();
  return rows.map((row) => ({ ...row, campaign: fromText(row.campaign), events: Number(row.events) }));
}

/** Events that wait for the same reason for the same campaign. */
export interface QuarantineGroup {
  /** Undefined where it cannot be told. */
  campaign: CampaignReference | undefined;
  reason: QuarantineReason;
  events: number;
  /** When the first and the last of them came. */
  oldest: number;
  newest: number;
}

/** The largest groups first, as many as are asked for. */
export async function listQuarantineGroups(
  queries: Queries,
  organizationId: number,
  limit: number,
): Promise<QuarantineGroup[]> {
  const rows = await filtered(queries, organizationId, {})
    .select((select) => [
      "campaign_reference as campaign",
      "reason",
      select.fn.countAll<number>().as("events"),
      select.fn.min("received_at").as("oldest"),
      select.fn.max("received_at").as("newest"),
    ])
    .groupBy(["campaign_reference", "reason"])
    .orderBy("events", "desc")
    .orderBy("campaign_reference")
    .orderBy("reason")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, campaign: fromText(row.campaign), events: Number(row.events) }));
}

/** In the order of their arrival, some at a time: those after one. */
export async function readQuarantined(
  queries: Queries,
  organizationId: number,
  {
    filter,
    after,
    limit,
  }: { filter: QuarantineFilter; after: QuarantinePosition | undefined; limit: number },
): Promise<QuarantinedEvent[]> {
  let some = filtered(queries, organizationId, filter);
  if (after) {
    some = some.where(sql<boolean>`(received_at, event_hash) > (${after.receivedAt}, ${after.eventHash})`);
  }
  const rows = await some
    .select([
      "campaign_reference as campaign",
      "event_hash as eventHash",
      "reason",
      "received_at as receivedAt",
      "content",
    ])
    .orderBy("received_at")
    .orderBy("event_hash")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, campaign: fromText(row.campaign) }));
}

/**
 * Deletes events that came before a time, some at a time, so that nobody waits behind it for long.
 *
 * @returns whether there may be more
 */
export async function deleteExpiredEvents(
  queries: Queries,
  organizationId: number,
  { receivedBefore, limit }: { receivedBefore: number; limit: number },
): Promise<boolean> {
  const filter = { receivedBefore };
  const some = await readQuarantined(queries, organizationId, { filter, after: undefined, limit });
  await deleteQuarantinedEvents(
    queries,
    organizationId,
    some.map(({ eventHash }) => eventHash),
  );
  return some.length === limit;
}

/** @returns how many there were */
export async function deleteQuarantined(
  queries: Queries,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<number> {
  const { numDeletedRows } = await queries
    .deleteFrom("quarantine")
    .where("organization_id", "=", organizationId)
    .where("event_hash", "in", filtered(queries, organizationId, filter).select("event_hash"))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** @param events their hashes */
export async function deleteQuarantinedEvents(
  queries: Queries,
  organizationId: number,
  events: readonly string[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    delete from quarantine
    where organization_id = ${organizationId} and ${isAnyOf(queries, "event_hash", "text", events)}`.execute(
    queries,
  );
}

function filtered(queries: Queries, organizationId: number, filter: QuarantineFilter) {
  let some = queries.selectFrom("quarantine").where("organization_id", "=", organizationId);
  if (filter.campaigns) some = some.where("campaign_reference", "in", filter.campaigns.map(toText));
  if (filter.reason !== undefined) some = some.where("reason", "=", filter.reason);
  if (filter.receivedBefore !== undefined) some = some.where("received_at", "<", filter.receivedBefore);
  return some;
}

function toText(campaign: CampaignReference | undefined): string {
  return JSON.stringify(campaign ?? null);
}

function fromText(campaign: string): CampaignReference | undefined {
  return (JSON.parse(campaign) as CampaignReference | null) ?? undefined;
}
