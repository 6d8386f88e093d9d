// Events come in: each is counted once, and shows in the numbers of its campaign; what cannot be counted is set aside.
// All of it happens in the transaction of the caller.

import type { CampaignReference } from "../../campaign/events/event.ts";
import { namesOf } from "../../storage/campaigns/campaigns.ts";
import { findCampaignsByReference } from "../../storage/campaigns/counted-campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import { findLedgers } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteQuarantinedEvents, hasQuarantined } from "../../storage/quarantine.ts";
import { findRecipients } from "../../storage/recipients.ts";
import { type Arrival, type NamedCampaign, type Problem, problemOf, whyNotCounted } from "./arrival.ts";
import { type Countable, nameOfArrival, toCountable } from "./count-events.ts";
import { countNewEvents } from "./deduplicate-events.ts";
import { hashOfWaiting, nameOfForgotten } from "./hashes.ts";
import { problems as problemReasons } from "./problems.ts";
import { quarantineEvents, type Uncountable } from "./quarantine.ts";

export interface IngestResult {
  accepted: number;
  repeated: number;
  quarantined: number;
  problems: Problem[];
  /** Events that were to be set aside where the organization's quota has no room: they are not kept. */
  refused: number;
}

/**
 * Counts each event once, whatever comes again, late or out of order.
 *
 * @param arrivals in the order in which they came
 */
export async function ingestEvents(
  queries: Queries,
  organization: Organization,
  arrivals: readonly Arrival[],
  options: IngestOptions,
): Promise<IngestResult> {
  return toResult(await countAll(queries, organization, arrivals, options));
}

/** As {@link ingestEvents} for several batches one after the other, for little more than the price of one. */
export async function ingestBatches(
  queries: Queries,
  organization: Organization,
  batches: readonly (readonly Arrival[])[],
  options: IngestOptions,
): Promise<IngestResult[]> {
  const { outcomes, problems } = await countAll(queries, organization, batches.flat(), options);
  let start = 0;
  return batches.map(({ length }) => {
    const [first, end] = [start, start + length];
    start = end;
    return toResult({
      outcomes: outcomes.slice(first, end),
      problems: problems
        .filter(({ index }) => index >= first && index < end)
        .map((problem) => ({ ...problem, index: problem.index - first })),
    });
  });
}

interface IngestOptions {
  now: number;
  /** Events of the organization that may wait. */
  quarantineMax: number;
}

/** What became of an event. Ignored is one that can never be counted. */
type EventStatus = "accepted" | "repeated" | "quarantined" | "refused" | "ignored";

interface Counted {
  /** Of each arrival, by its index. */
  outcomes: EventStatus[];
  /** In the order of their arrivals. */
  problems: Problem[];
}

function toResult({ outcomes, problems }: Counted): IngestResult {
  const count = (outcome: EventStatus) => outcomes.filter((each) => each === outcome).length;
  return {
    accepted: count("accepted"),
    repeated: count("repeated"),
    quarantined: count("quarantined"),
    refused: count("refused"),
    problems,
  };
}

async function countAll(
  queries: Queries,
  organization: Organization,
  arrivals: readonly Arrival[],
  { now, quarantineMax }: IngestOptions,
): Promise<Counted> {
  // Batches that are counted together are one, and a single one may have been part of another attempt.
  for (const [index, arrival] of arrivals.entries()) arrival.index = index;
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
  const { fresh, problems: found } = await countNewEvents(
    queries,
    organization,
    { countable, uncountable },
    now,
  );
  const { refused } = await quarantineEvents(queries, organization, uncountable, { now, quarantineMax });
  if (fresh.length > 0 && (await hasQuarantined(queries, organization.id))) {
    await deleteQuarantinedEvents(
      queries,
      organization.id,
      fresh.flatMap((each) => hashesOf(organization, each)),
    );
  }
  // Whatever is not named below has come before.
  const outcomes = arrivals.map((): EventStatus => "repeated");
  for (const { arrival } of fresh) outcomes[arrival.index] = "accepted";
  for (const { index, reason } of found) if (reason === "forgotten") outcomes[index] = "ignored";
  for (const { arrival, reason } of uncountable) {
    const isWaiting = problemReasons[reason].isQuarantined;
    outcomes[arrival.index] = !isWaiting ? "ignored" : refused > 0 ? "refused" : "quarantined";
  }
  const problems = [...uncountable.map(({ arrival, reason }) => problemOf(arrival, reason)), ...found];
  problems.sort((a, b) => a.index - b.index);
  return { outcomes, problems };
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
    if (!campaign || !ledger || ledger.forgottenCount === 0) return [];
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
