// The table `event_ids`: deduplicates events by the ids of those that were counted.

import { sql } from "kysely";
import { fromKeys, toHex } from "../queries/dialect-differences.ts";
import { insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import { kindsOf } from "../tables/tables.ts";

export interface EventId {
  ledgerId: number;
  /** 16 bytes in hex. */
  id: string;
}

const key = ["ledger_id", "id"];

/**
 * Saves the ids of events. The caller has locked the organization.
 *
 * @param events without duplicates
 * @returns the {@link eventKey} of those that were saved before
 */
export async function saveEventIds(scope: Scope, events: readonly EventId[]): Promise<Set<string>> {
  const known = await findEventIds(scope, events);
  const rows = sortedKeys(events.filter((event) => !known.has(eventKey(event))));
  await insertRows(scope, { into: "event_ids", kinds: kindsOf("event_ids", key), rows }, sql``);
  return known;
}

/** The {@link eventKey} of each event that is already saved. */
export async function findEventIds(scope: Scope, events: readonly EventId[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await sql<EventId>`
    select event_ids.ledger_id as "ledgerId", ${toHex(scope, "event_ids.id")} as id
    ${fromKeys(scope, "event_ids", key, sortedKeys(events))}`.execute(scope);
  return new Set(rows.map(eventKey));
}

/** Sorts by key, so that each page of the index is visited once. */
const sortedKeys = (events: readonly EventId[]) =>
  events
    .toSorted((a, b) => a.ledgerId - b.ledgerId || (a.id < b.id ? -1 : 1))
    .map(({ ledgerId, id }) => [ledgerId, id]);

/** A map key for an event of a ledger. */
export function eventKey({ ledgerId, id }: EventId): string {
  return `${ledgerId} ${id}`;
}
