// The table `event_ids`: the events that were counted, so that none is counted twice.

import { sql } from "kysely";
import type { Queries } from "./database.ts";

export interface EventId {
  ledgerId: number;
  /** 16 bytes in hex. */
  id: string;
}

/**
 * Remembers events, each given once.
 *
 * @returns those that were not remembered before, as {@link eventKey}
 */
export async function keepEventIds(
  queries: Queries,
  organizationId: number,
  events: readonly EventId[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  // In the order of the index, so that each page of it is visited once.
  const keys = JSON.stringify(events.map(eventKey).sort());
  const { rows } = await sql<{ ledgerId: number; id: string }>`
    insert into event_ids (organization_id, ledger_id, id)
    select ${organizationId}, cast(value as integer), unhex(substr(value, -32)) from json_each(${keys}) where true
    on conflict do nothing
    returning ledger_id as "ledgerId", lower(hex(id)) as id`.execute(queries);
  return new Set(rows.map(eventKey));
}

/** Those of some events that are remembered, as {@link eventKey}. */
export async function findEventIds(
  queries: Queries,
  organizationId: number,
  events: readonly EventId[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const { rows } = await sql<{ ledgerId: number; id: string }>`
    select event_ids.ledger_id as "ledgerId", lower(hex(event_ids.id)) as id
    from json_each(${JSON.stringify(events.map(eventKey))}) as given cross join event_ids
    where event_ids.organization_id = ${organizationId} and event_ids.ledger_id = cast(given.value as integer)
      and event_ids.id = unhex(substr(given.value, -32))`.execute(queries);
  return new Set(rows.map(eventKey));
}

/** One text for an event of a ledger. */
export function eventKey({ ledgerId, id }: EventId): string {
  return `${ledgerId} ${id}`;
}
