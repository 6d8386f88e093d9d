// The table `quarantine`: events that cannot be counted, or not yet, encrypted until they are replayed or expire.

import { sql } from "kysely";
import type { CampaignReference } from "../../campaign/events/event.ts";
import { chunks, rowsPerStatement } from "../queries/database.ts";
import { inputRowsForUpdate, isAnyOf } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import type { QuarantineReason } from "../tables/campaigns.ts";
import {
  decodeReference,
  encodeReference,
  type QuarantineFilter,
  selectQuarantined,
} from "./quarantine-filter.ts";

export interface QuarantinedEvent {
  /** Undefined if the event does not say. */
  campaign: CampaignReference | undefined;
  /** Hash of the campaign and the event id, in hex. */
  eventHash: string;
  reason: QuarantineReason;
  receivedAt: number;
  content: Buffer;
}

export interface NewQuarantinedEvent extends QuarantinedEvent {
  /** The same for the events of a campaign, recipient and kind; undefined if the event is unreadable. */
  alikeHash: string | undefined;
}

/** The position of an event in the order of arrival. */
export type QuarantinePosition = Pick<QuarantinedEvent, "receivedAt" | "eventHash">;

/** Saves events. A saved event is replaced only if it was unreadable: then the new one is its corrected version. */
export async function saveQuarantined(scope: Scope, events: readonly NewQuarantinedEvent[]): Promise<void> {
  for (const some of chunks(deduplicate(events))) {
    await scope
      .insert(
        "quarantine",
        some.map(({ campaign, eventHash, reason, alikeHash = null, receivedAt, content }) => ({
          campaign_reference: encodeReference(campaign),
          event_hash: eventHash,
          reason,
          alike_hash: alikeHash,
          received_at: receivedAt,
          content,
          bytes: bytesOf(content),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["organization_id", "event_hash"])
          .doUpdateSet((set) => ({
            reason: set.ref("excluded.reason"),
            alike_hash: set.ref("excluded.alike_hash"),
            received_at: set.ref("excluded.received_at"),
            content: set.ref("excluded.content"),
            bytes: set.ref("excluded.bytes"),
          }))
          .where("quarantine.reason", "=", "unreadable"),
      )
      .execute();
  }
}

/** Applies the rule of {@link saveQuarantined} within one batch. */
function deduplicate(events: readonly NewQuarantinedEvent[]): NewQuarantinedEvent[] {
  const kept = new Map<string, NewQuarantinedEvent>();
  for (const each of events) {
    if ((kept.get(each.eventHash)?.reason ?? "unreadable") === "unreadable") kept.set(each.eventHash, each);
  }
  return [...kept.values()];
}

/** The content and, about, the other columns with their entries in indexes. */
export const bytesOf = (content: Buffer): number => content.length + 320;

export async function countQuarantined(
  scope: Scope,
  filter: QuarantineFilter = {},
): Promise<{ events: number; bytes: number }> {
  const { events, bytes } = await selectQuarantined(scope, filter)
    .select((select) => [
      select.fn.countAll<number>().as("events"),
      select.fn.sum<number | null>("bytes").as("bytes"),
    ])
    .executeTakeFirstOrThrow();
  return { events: Number(events), bytes: Number(bytes) };
}

/** How many events wait for each of these {@link NewQuarantinedEvent.alikeHash}; those without any are left out. */
export async function countAlike(scope: Scope, hashes: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ hash: string; events: number }>`
    select alike_hash as hash, count(*) as events from quarantine
    where organization_id = ${scope.organizationId} and ${isAnyOf(scope, "alike_hash", hashes)}
    group by alike_hash`.execute(scope);
  return new Map(rows.map(({ hash, events }) => [hash, events]));
}

/** How many events of all organizations wait, and when the oldest arrived; null without any. */
export async function measureQuarantine(
  queries: Queries,
): Promise<{ events: number; oldestAt: number | null }> {
  const { events, oldestAt } = await queries
    .selectFrom("quarantine")
    .select((select) => [
      select.fn.countAll<number>().as("events"),
      select.fn.min("received_at").as("oldestAt"),
    ])
    .executeTakeFirstOrThrow();
  return { events: Number(events), oldestAt };
}

export async function hasQuarantined(scope: Scope): Promise<boolean> {
  return (await scope.from("quarantine").select("event_hash").limit(1).executeTakeFirst()) !== undefined;
}

/** The hashes of those events that are in quarantine. */
export async function findQuarantined(scope: Scope, eventHashes: readonly string[]): Promise<Set<string>> {
  const rows = await scope.from("quarantine", { event_hash: eventHashes }).select("event_hash").execute();
  return new Set(rows.map(({ event_hash }) => event_hash));
}

/** A page of events in order of arrival: those after a position. */
export async function readQuarantined(
  scope: Scope,
  {
    filter,
    after,
    limit,
  }: { filter: QuarantineFilter; after: QuarantinePosition | undefined; limit: number },
): Promise<QuarantinedEvent[]> {
  let page = selectQuarantined(scope, filter);
  if (after) {
    page = page.where(sql<boolean>`(received_at, event_hash) > (${after.receivedAt}, ${after.eventHash})`);
  }
  const rows = await page
    .select([
      "campaign_reference",
      "event_hash as eventHash",
      "reason",
      "received_at as receivedAt",
      "content",
    ])
    .orderBy("received_at")
    .orderBy("event_hash")
    .limit(limit)
    .execute();
  return rows.map(({ campaign_reference, ...row }) => ({
    ...row,
    campaign: decodeReference(campaign_reference),
  }));
}

/** All events in order of arrival. */
export async function* readAllQuarantined(
  scope: Scope,
  filter: QuarantineFilter = {},
): AsyncGenerator<QuarantinedEvent> {
  for (let after: QuarantinedEvent | undefined; ; ) {
    const page = await readQuarantined(scope, { filter, after, limit: rowsPerStatement });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1);
  }
}

/** Replaces the contents of events. */
export async function replaceContents(
  scope: Scope,
  events: readonly Pick<QuarantinedEvent, "eventHash" | "content">[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ eventHash, content }) => [eventHash, content.toString("hex")]);
  const input = inputRowsForUpdate(scope, { event_hash: "text", content: "bytes" }, rows);
  await sql`
    update quarantine set content = input.content
    from ${input} where quarantine.organization_id = ${scope.organizationId}
      and quarantine.event_hash = input.event_hash`.execute(scope);
}
