// Of the events that can be counted, counts those that never came before, each once.

import type { Queries } from "../../storage/database.ts";
import { worksAside } from "../../storage/dialect-differences.ts";
import { type EventId, eventKey, findEventIds, keepEventIds } from "../../storage/event-ids.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { Arrival, NamedCampaign, Problem } from "./arrival.ts";
import { type Countable, countEvents } from "./count-events.ts";
import { hashOfEventId } from "./hashes.ts";
import type { Uncountable } from "./quarantine.ts";

/**
 * What has come before is left out, and what cannot be counted but has the id of an event that was is taken out of
 * `uncountable`: it is a repetition of it.
 *
 * @returns those that were new, and what there is to say about single ones
 */
export async function countNewEvents(
  queries: Queries,
  organization: Organization,
  { countable, uncountable }: { countable: readonly Countable[]; uncountable: Uncountable[] },
  now: number,
): Promise<{ fresh: Countable[]; problems: Problem[] }> {
  const seen = await findRepeated(queries, organization.id, uncountable);
  const parts = await allOf(
    inParts(queries, countable).map((part) => countPart(queries, organization, part, now)),
  );
  takeRepeatedOut(uncountable, (key) => {
    if (seen.has(key)) return Number.NEGATIVE_INFINITY;
    return parts.map(({ first }) => first.get(key)).find((each) => each)?.each.arrival.index;
  });
  return {
    fresh: parts.flatMap((part) => part.fresh),
    problems: parts.flatMap((part) => part.problems),
  };
}

/** Fewer are not worth the statements of a part of their own. */
const eventsOfPart = 500;
const partsMax = 4;

/**
 * Cut by campaigns, which have nothing in common: while the database is at work for one part, another one is prepared.
 * Each part is in the order of arrival.
 */
function inParts(queries: Queries, countable: readonly Countable[]): Countable[][] {
  const wanted = Math.min(partsMax, Math.floor(countable.length / eventsOfPart));
  const number = worksAside(queries) ? Math.max(1, wanted) : 1;
  const parts: Countable[][] = Array.from({ length: number }, () => []);
  for (const each of countable) parts[each.ledger.id % number]?.push(each);
  return parts.filter((part) => part.length > 0);
}

/**
 * Waits for all of them, also when one fails: none may go on in a transaction that is over.
 *
 * @throws the first error in time: all that comes after it says only that the transaction is aborted
 */
async function allOf<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  const errors: unknown[] = [];
  for (const work of works) work.catch((error: unknown) => errors.push(error));
  await Promise.allSettled(works);
  if (errors.length > 0) throw errors[0];
  return Promise.all(works);
}

/** The first of an id is the one that counts. */
async function countPart(
  queries: Queries,
  organization: Organization,
  countable: readonly Countable[],
  now: number,
): Promise<{ first: Map<string, { each: Countable }>; fresh: Countable[]; problems: Problem[] }> {
  const first = new Map<string, { id: EventId; each: Countable }>();
  for (const each of countable) {
    const id = { ledgerId: each.ledger.id, id: hashOfEventId(each.ledger.secret, each.event.id) };
    const key = eventKey(id);
    if (!first.has(key)) first.set(key, { id, each });
  }
  const ids = [...first.values()].map(({ id }) => id);
  const known = await keepEventIds(queries, organization.id, ids);
  const fresh = [...first].flatMap(([key, { each }]) => (known.has(key) ? [] : [each]));
  return { first, fresh, problems: await countEvents(queries, organization, fresh, now) };
}

/** Ids of events that are not countable, but were counted once, as {@link eventKey}. */
async function findRepeated(
  queries: Queries,
  organizationId: number,
  uncountable: readonly Uncountable[],
): Promise<Set<string>> {
  const suspects = uncountable.map(({ arrival, campaign }) => repeatedKeyOf(arrival, campaign));
  return findEventIds(
    queries,
    organizationId,
    suspects.filter((suspect) => suspect !== undefined),
  );
}

/**
 * An event that is not countable, but has the id of one that was, is a repetition of it.
 *
 * @param countedAt the place of the one that was counted
 */
function takeRepeatedOut(uncountable: Uncountable[], countedAt: (key: string) => number | undefined): void {
  for (const each of uncountable.splice(0)) {
    const { arrival, campaign } = each;
    const id = repeatedKeyOf(arrival, campaign);
    const earlier = id && countedAt(eventKey(id));
    if ((earlier ?? Number.POSITIVE_INFINITY) > arrival.index) uncountable.push(each);
  }
}

function repeatedKeyOf({ event, entry }: Arrival, campaign: NamedCampaign | undefined): EventId | undefined {
  const id = event?.id ?? (entry.input as { id?: unknown } | null | undefined)?.id;
  if (!campaign?.ledger || typeof id !== "string") return undefined;
  return { ledgerId: campaign.ledger.id, id: hashOfEventId(campaign.ledger.secret, id) };
}
