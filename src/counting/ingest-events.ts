// Events come in: each is counted once, and shows in the numbers of its campaign; what cannot be counted is set aside.
// All of it happens in the transaction of the caller.

import type { CampaignReference } from "../campaign/event.ts";
import { namesOf } from "../storage/campaigns.ts";
import { findCampaignsByReference } from "../storage/counted-campaigns.ts";
import type { Queries } from "../storage/database.ts";
import { type EventId, eventKey, findEventIds, keepEventIds } from "../storage/event-ids.ts";
import { findLedgers } from "../storage/ledgers.ts";
import type { Organization } from "../storage/organizations.ts";
import { findRecipients } from "../storage/recipients.ts";
import { deleteSetAsideEvents, hasSetAside } from "../storage/set-aside.ts";
import { type Arrival, type NamedCampaign, type Problem, problemOf, whyNotCounted } from "./arrival.ts";
import { type Countable, countEvents, nameOfArrival, toCountable } from "./count-events.ts";
import { hashOfEventId, hashOfWaiting, nameOfForgotten } from "./hashes.ts";
import { setAside, type Uncountable } from "./set-aside.ts";

export interface IngestResult {
  accepted: number;
  repeated: number;
  setAside: number;
  problems: Problem[];
  /** Events that were to be set aside where the organization's quota has no room: they are not kept. */
  refused: number;
}

/**
 * Counts each event once, whatever comes again, late or out of order.
 *
 * @param arrivals in the order in which they came
 * @param setAsideMax how many events of one organization may wait
 */
export async function ingestEvents(
  queries: Queries,
  organization: Organization,
  arrivals: readonly Arrival[],
  { now, setAsideMax }: { now: number; setAsideMax: number },
): Promise<IngestResult> {
  const campaigns = await loadCampaigns(queries, organization.id, arrivals);
  const countable: Countable[] = [];
  const uncountable: Uncountable[] = [];
  for (const arrival of arrivals) {
    const campaign = arrival.reference === undefined ? undefined : campaigns.get(arrival.reference);
    const { event } = arrival;
    const reason = whyNotCounted(arrival, campaign);
    if (!reason && event && campaign?.ledger) {
      countable.push(toCountable(organization, arrival, event, { ...campaign, ledger: campaign.ledger }));
    } else uncountable.push({ arrival, campaign, reason: reason ?? "unreadable" });
  }
  await ignoreForgotten(queries, organization, uncountable);
  const { fresh, repeated } = await keepNewEvents(queries, organization.id, countable, uncountable);
  const counted = await countEvents(queries, organization, fresh, now);
  const kept = await setAside(queries, organization, uncountable, { now, setAsideMax });
  if (fresh.length > 0 && (await hasSetAside(queries, organization.id))) {
    await deleteSetAsideEvents(
      queries,
      organization.id,
      fresh.flatMap((each) => hashesOf(organization, each)),
    );
  }
  const problems = uncountable.map(({ arrival, reason }) => problemOf(arrival, reason));
  problems.push(...counted.problems);
  problems.sort((a, b) => a.index - b.index);
  return { accepted: counted.accepted, repeated, problems, ...kept };
}

async function loadCampaigns(
  queries: Queries,
  organizationId: number,
  arrivals: readonly Arrival[],
): Promise<Map<CampaignReference, NamedCampaign>> {
  const references = new Set(arrivals.map(({ reference }) => reference));
  references.delete(undefined);
  const found = await findCampaignsByReference(queries, organizationId, [
    ...(references as Set<CampaignReference>),
  ]);
  const ledgerIds = [...found.values()].flatMap(({ counting }) => counting?.ledgerId ?? []);
  const ledgers = await findLedgers(queries, organizationId, [...new Set(ledgerIds)]);
  const campaigns = new Map<CampaignReference, NamedCampaign>();
  for (const [reference, stored] of found) {
    campaigns.set(reference, { stored, ledger: ledgers.get(stored.counting?.ledgerId ?? 0) });
  }
  return campaigns;
}

/** Where a recipient was forgotten, nothing of it is set aside either. */
async function ignoreForgotten(
  queries: Queries,
  organization: Organization,
  uncountable: readonly Uncountable[],
): Promise<void> {
  const named = uncountable.flatMap((each) => {
    const { arrival, campaign } = each;
    const ledger = campaign?.ledger;
    if (!campaign || !ledger || ledger.forgotten === 0) return [];
    const name = nameOfArrival(organization, arrival, { ...campaign, ledger });
    return [{ each, ledgerId: ledger.id, name: nameOfForgotten(ledger.secret, name) }];
  });
  if (named.length === 0) return;
  const found = await findRecipients(queries, organization.id, named);
  const forgotten = new Set(found.map(({ ledgerId, name }) => `${ledgerId} ${name}`));
  for (const { each, ledgerId, name } of named) {
    if (forgotten.has(`${ledgerId} ${name}`)) each.reason = "forgotten";
  }
}

/** An event may have waited under any name of its campaign. */
function hashesOf({ secret }: Organization, { event, stored }: Countable): string[] {
  return namesOf(stored).map((name) => hashOfWaiting(secret, name, event.id));
}

/**
 * Of the countable events those that never came before; the first of an id is the one that counts. An event that is
 * not countable, but has the id of one that was, is a repetition of it: it is taken out of `uncountable`.
 */
async function keepNewEvents(
  queries: Queries,
  organizationId: number,
  countable: readonly Countable[],
  uncountable: Uncountable[],
): Promise<{ fresh: Countable[]; repeated: number }> {
  const suspects = uncountable.map(({ arrival, campaign }) => repeatedKeyOf(arrival, campaign));
  const given = suspects.filter((suspect) => suspect !== undefined);
  const seen = await findEventIds(queries, organizationId, given);
  const first = new Map<string, { id: EventId; each: Countable }>();
  for (const each of countable) {
    const id = { ledgerId: each.ledger.id, id: hashOfEventId(each.ledger.secret, each.event.id) };
    const key = eventKey(id);
    if (!first.has(key)) first.set(key, { id, each });
  }
  const ids = [...first.values()].map(({ id }) => id);
  const fresh = await keepEventIds(queries, organizationId, ids);
  const others = uncountable.splice(0);
  for (const [place, each] of others.entries()) {
    const suspect = suspects[place];
    const key = suspect && eventKey(suspect);
    const earlier = key === undefined ? undefined : first.get(key)?.each.arrival.index;
    const isRepeated = key !== undefined && (seen.has(key) || (earlier ?? Infinity) < each.arrival.index);
    if (!isRepeated) uncountable.push(each);
  }
  return {
    fresh: [...first].filter(([key]) => fresh.has(key)).map(([, { each }]) => each),
    repeated: countable.length - fresh.size + others.length - uncountable.length,
  };
}

function repeatedKeyOf({ event, entry }: Arrival, campaign: NamedCampaign | undefined): EventId | undefined {
  const id = event?.id ?? (entry.input as { id?: unknown } | null | undefined)?.id;
  if (!campaign?.ledger || typeof id !== "string") return undefined;
  return { ledgerId: campaign.ledger.id, id: hashOfEventId(campaign.ledger.secret, id) };
}
