// Deduplicates and counts the events of a batch. A large batch is split by campaign, so that the program and the database
// work in parallel.

import type { Organization } from "../../storage/organizations/organizations.ts";
import { runsConcurrently } from "../../storage/queries/dialect-differences.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { countEvents } from "./count-events.ts";
import type { CountableEvent } from "./countable-event.ts";
import { deduplicateEvents, dropRepeatedExclusions, findCountedIds } from "./deduplicate-events.ts";
import type { EventProblem, ExcludedEvent } from "./exclude-events.ts";

/** @returns the events that were new, the problems of single events, and the excluded events that are no repeats */
export async function countNewEvents(
  scope: Scope,
  organization: Organization,
  { countable, excluded }: { countable: readonly CountableEvent[]; excluded: readonly ExcludedEvent[] },
  now: number,
): Promise<{ fresh: CountableEvent[]; problems: EventProblem[]; excluded: ExcludedEvent[] }> {
  const countedIds = await findCountedIds(scope, excluded);
  const parts = await awaitAll(
    splitByCampaign(scope, countable).map((part) => countPart(scope, organization, part, now)),
  );
  return {
    fresh: parts.flatMap(({ fresh }) => fresh),
    problems: parts.flatMap(({ problems }) => problems),
    excluded: dropRepeatedExclusions(excluded, { countedIds, first: parts.map(({ first }) => first) }),
  };
}

/** A smaller part would cost more in statements than it gains. */
const minEventsPerPart = 500;
const maxParts = 4;

/** Campaigns have no rows in common. Each part keeps the order of arrival. */
function splitByCampaign(scope: Scope, events: readonly CountableEvent[]): CountableEvent[][] {
  const wanted = Math.min(maxParts, Math.floor(events.length / minEventsPerPart));
  const count = runsConcurrently(scope) ? Math.max(1, wanted) : 1;
  const parts: CountableEvent[][] = Array.from({ length: count }, () => []);
  for (const each of events) parts[each.ledger.id % count]?.push(each);
  return parts.filter((part) => part.length > 0);
}

async function countPart(
  scope: Scope,
  organization: Organization,
  events: readonly CountableEvent[],
  now: number,
) {
  const { first, fresh } = await deduplicateEvents(scope, events);
  return { first, fresh, problems: await countEvents(scope, organization, fresh, now) };
}

/**
 * Unlike Promise.all, waits for all of them even if one fails: none may go on in a transaction that has ended.
 *
 * @throws the earliest error. Later ones only say that the transaction is aborted
 */
async function awaitAll<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  const errors: unknown[] = [];
  for (const promise of promises) promise.catch((error: unknown) => errors.push(error));
  await Promise.allSettled(promises);
  if (errors.length > 0) throw errors[0];
  return Promise.all(promises);
}
