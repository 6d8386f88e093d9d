// The table `event_ids`: deduplicates events by the ids of those that were counted.

import { type RawBuilder, sql } from "kysely";
import { fromInputOf, inputRows, joinByKey, toHex } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

export interface EventId {
  ledgerId: number;
  /** 16 bytes in hex. */
  id: string;
}

/**
 * Saves the ids of events. The caller has locked the organization.
 *
 * @param events without duplicates
 * @returns the {@link eventKey} of those that were saved before
 */
export async function saveEventIds(scope: Scope, events: readonly EventId[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const given = givenEvents(scope, events);
  const known = await findGiven(scope, given);
  const fresh = known.size === 0 ? events : events.filter((event) => !known.has(eventKey(event)));
  if (fresh.length === 0) return known;
  const input = fresh === events ? given : givenEvents(scope, fresh);
  await sql`
    insert into event_ids (organization_id, ledger_id, id)
    select organizations.id, input.ledger_id, input.id
    ${fromInputOf(scope.organizationId, input)}`.execute(scope);
  return known;
}

/** The {@link eventKey} of each event that is already saved. */
export async function findEventIds(scope: Scope, events: readonly EventId[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  return findGiven(scope, givenEvents(scope, events));
}

/** @param given from {@link givenEvents} */
async function findGiven(scope: Scope, given: RawBuilder<unknown>): Promise<Set<string>> {
  const isTheirs = sql`event_ids.organization_id = ${scope.organizationId}
    and event_ids.ledger_id = input.ledger_id and event_ids.id = input.id`;
  const { rows } = await sql<EventId>`
    select event_ids.ledger_id as "ledgerId", ${toHex(scope, "event_ids.id")} as id
    ${joinByKey(scope, given, "event_ids", isTheirs)}`.execute(scope);
  return new Set(rows.map(eventKey));
}

/** Sorts by key, so that each page of the index is visited once. */
function givenEvents(scope: Scope, events: readonly EventId[]) {
  const rows = events
    .toSorted((a, b) => a.ledgerId - b.ledgerId || (a.id < b.id ? -1 : 1))
    .map(({ ledgerId, id }) => [ledgerId, id]);
  return inputRows(scope, { ledger_id: "integer", id: "bytes" }, rows);
}

/** A map key for an event of a ledger. */
export function eventKey({ ledgerId, id }: EventId): string {
  return `${ledgerId} ${id}`;
}
