// Deduplicates events by their ids: the first event with an id counts, later ones are repeats.

import { type EventId, eventKey, findEventIds, saveEventIds } from "../../storage/ledgers/event-ids.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { hashEventId } from "../hashes/hash-event.ts";
import type { CountableEvent } from "./countable-event.ts";
import type { ExcludedEvent } from "./exclude-events.ts";
import { eventIdOf } from "./incoming-event.ts";

/** Events by {@link eventKey}. */
type EventsById = Map<string, CountableEvent>;

/**
 * Drops repeats and stores the ids of the new events.
 *
 * @returns `first`: the first event of each id in the batch; `fresh`: those of them that no earlier batch had
 */
export async function deduplicateEvents(
  scope: Scope,
  events: readonly CountableEvent[],
): Promise<{ first: EventsById; fresh: CountableEvent[] }> {
  const first: EventsById = new Map();
  const ids: EventId[] = [];
  for (const each of events) {
    const id = { ledgerId: each.ledger.id, id: hashEventId(each.ledger.secret, each.event.id) };
    const key = eventKey(id);
    if (first.has(key)) continue;
    first.set(key, each);
    ids.push(id);
  }
  const known = await saveEventIds(scope, ids);
  return { first, fresh: [...first].flatMap(([key, each]) => (known.has(key) ? [] : [each])) };
}

/** Ids of excluded events that were counted in earlier batches, as {@link eventKey}. */
export async function findCountedIds(scope: Scope, events: readonly ExcludedEvent[]): Promise<Set<string>> {
  const ids = events.map(idOfExcluded).filter((id) => id !== undefined);
  return findEventIds(scope, ids);
}

/**
 * Drops excluded events that repeat a counted one: the same id with other, now invalid content.
 *
 * @param countedIds ids that earlier batches counted
 * @param first the countable events of this batch; an excluded event repeats only those before it
 */
export function dropRepeatedExclusions(
  events: readonly ExcludedEvent[],
  { countedIds, first }: { countedIds: ReadonlySet<string>; first: EventsById },
): ExcludedEvent[] {
  return events.filter((each) => {
    const id = idOfExcluded(each);
    if (id === undefined) return true;
    const key = eventKey(id);
    if (countedIds.has(key)) return false;
    const counted = first.get(key);
    return counted === undefined || counted.classified.index > each.classified.index;
  });
}

function idOfExcluded({ classified, campaign, reason }: ExcludedEvent): EventId | undefined {
  const id = eventIdOf(classified);
  if (!campaign?.ledger || typeof id !== "string" || reason === "wrong_sender") return undefined;
  return { ledgerId: campaign.ledger.id, id: hashEventId(campaign.ledger.secret, id) };
}
