// Events come in: what is new is kept once, added to what its recipient has done, and shows in the numbers of its
// campaign; what cannot be counted is set aside. All of it happens in the transaction of the caller.

import type { TrackingType } from "../campaign/campaign.ts";
import {
  type CampaignReference,
  type Event,
  eventTypes,
  normalizeRecipient,
  readCampaignReference,
  readEvent,
} from "../campaign/event.ts";
import { type Recipient, type RecipientEvent, record } from "../campaign/recipient.ts";
import { add, contribution, subtract, type Tallies } from "../campaign/tally.ts";
import {
  countedTraffics,
  deviceOf,
  devices,
  judgeTraffic,
  type Evidence as TrafficEvidence,
} from "../campaign/traffic.ts";
import { findCampaignsByReference, type StoredCampaign } from "../storage/campaigns.ts";
import type { Queries } from "../storage/database.ts";
import { type EventId, eventKey, findEventIds, keepEventIds } from "../storage/event-ids.ts";
import { findLedgers, type Ledger } from "../storage/ledgers.ts";
import type { Organization } from "../storage/organizations.ts";
import { findRecipients, saveRecipients } from "../storage/recipients.ts";
import {
  countSetAside,
  deleteSetAsideEvents,
  type SetAsideEvent,
  saveSetAside,
} from "../storage/set-aside.ts";
import type { SetAsideReason } from "../storage/tables.ts";
import {
  hashOfEventId,
  hashOfLink,
  hashOfUnreadable,
  hashOfWaiting,
  nameOfForgotten,
  nameOfRecipient,
  originOf,
} from "./hashes.ts";
import { aheadMax, type ProblemReason, problems, testSendingMs } from "./problems.ts";
import { publishTallies } from "./publish.ts";
import { encrypt, type Judgement, keptInput } from "./set-aside.ts";

/** One event as it came; `kept` when it was set aside before. */
export interface Entry {
  input: unknown;
  /** The text that could not be read as JSON at all, in place of `input`. */
  unreadableText?: string;
  kept?: { judgement: Judgement; receivedAt: number; event: string };
}

export interface Problem {
  /** The place of the event in the batch, from 0. */
  index: number;
  reason: ProblemReason;
  message: string;
}

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
 * @param setAsideMax how many events of one organization may wait
 */
export async function ingestEvents(
  queries: Queries,
  organization: Organization,
  entries: readonly Entry[],
  { now, setAsideMax }: { now: number; setAsideMax: number },
): Promise<IngestResult> {
  const result: IngestResult = { accepted: 0, repeated: 0, setAside: 0, problems: [], refused: 0 };
  const arrivals = entries.map((entry, index) => arrive(entry, index, now));
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
  const fresh = await keepNewEvents(queries, organization.id, countable, uncountable, result);
  await count(queries, organization, fresh, { now, result });
  await setAside(queries, organization, uncountable, { now, setAsideMax, result });
  if (fresh.length > 0 && (await countSetAside(queries, organization.id)) > 0) {
    const hashes = fresh.map(({ event }) => hashOfWaiting(organization.secret, event.campaign, event.id));
    await deleteSetAsideEvents(queries, organization.id, hashes);
  }
  result.problems.sort((a, b) => a.index - b.index);
  return result;
}

/** An event as it was read and judged, before its campaign is looked for. */
interface Arrival {
  entry: Entry;
  index: number;
  /** Undefined when it cannot be read. */
  event: Event | undefined;
  /** What cannot be read, in words. */
  fault: string;
  reference: CampaignReference | undefined;
  traffic: Judgement["traffic"];
  device: Judgement["device"];
  isAhead: boolean;
  evidence: Evidence;
}

/** What tells whose an event is, and who was at work. */
type Evidence = TrafficEvidence & Pick<Event, "recipient" | "ip">;

function arrive(entry: Entry, index: number, now: number): Arrival {
  const { input, kept, unreadableText } = entry;
  const read = unreadableText === undefined ? readEvent(input) : { faults: [] };
  const event = "faults" in read ? undefined : read;
  const faults = "faults" in read ? read.faults : [];
  const evidence = event ?? evidenceOf(input);
  const isAhead = kept?.judgement.isAhead ?? (event !== undefined && event.at > now + aheadMax);
  if (event && isAhead && !kept) event.at = now;
  return {
    entry,
    index,
    event,
    fault:
      unreadableText === undefined
        ? faults.map(({ field, problem }) => `${field}: ${problem}`).join("; ")
        : "is not valid JSON",
    reference: event?.campaign ?? readCampaignReference(input),
    traffic: kept?.judgement.traffic ?? judgeTraffic(evidence),
    device: kept ? kept.judgement.device : deviceOf(evidence),
    isAhead,
    evidence,
  };
}

/** What can be read of an event that as a whole cannot: enough to judge it, should it ever be counted. */
function evidenceOf(input: unknown): Evidence {
  const given = (input ?? {}) as Record<string, unknown>;
  const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
  return {
    type: eventTypes.find((each) => each === given.type) ?? "open",
    recipient: normalizeRecipient(textOf(given.recipient) ?? ""),
    ip: textOf(given.ip),
    userAgent: textOf(given.user_agent),
    device: devices.find((each) => each === given.device),
    isMachine: given.machine === true,
    isHidden: given.hidden === true,
  };
}

/** A campaign that events name, with its ledger where it is counted and not closed. */
interface NamedCampaign {
  stored: StoredCampaign;
  ledger: Ledger | undefined;
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

/** Undefined for what is to be counted. */
function whyNotCounted(
  { event, entry, reference }: Arrival,
  campaign: NamedCampaign | undefined,
): ProblemReason | undefined {
  if (campaign?.stored.counting && !campaign.ledger) return "closed";
  if (!event) return reference === undefined && namesNoCampaign(entry) ? "no_campaign" : "unreadable";
  if (!campaign) return "unknown_campaign";
  if (!campaign.stored.counting) return "reported_campaign";
  return event.at < campaign.stored.campaign.sentAt - testSendingMs ? "test_sending" : undefined;
}

function namesNoCampaign({ input }: Entry): boolean {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  const { campaign_id: reference } = input as { campaign_id?: unknown };
  return reference === undefined || reference === null;
}

interface Countable {
  arrival: Arrival;
  event: Event;
  /** The name of the recipient. */
  name: string;
  stored: StoredCampaign;
  ledger: Ledger;
}

interface Uncountable {
  arrival: Arrival;
  campaign: NamedCampaign | undefined;
  reason: ProblemReason;
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
  result: IngestResult,
): Promise<Countable[]> {
  const suspects = uncountable.map(({ arrival, campaign }) => repeatedKeyOf(arrival, campaign));
  const given = suspects.filter((suspect) => suspect !== undefined);
  const seen = await findEventIds(queries, organizationId, given);
  const first = new Map<string, { id: EventId; each: Countable }>();
  for (const each of countable) {
    const id = { ledgerId: each.ledger.id, id: hashOfEventId(each.ledger.secret, each.event.id) };
    const key = eventKey(id);
    if (first.has(key)) result.repeated += 1;
    else first.set(key, { id, each });
  }
  const ids = [...first.values()].map(({ id }) => id);
  const fresh = await keepEventIds(queries, organizationId, ids);
  const others = uncountable.splice(0);
  for (const [place, each] of others.entries()) {
    const suspect = suspects[place];
    const key = suspect && eventKey(suspect);
    const earlier = key === undefined ? undefined : first.get(key)?.each.arrival.index;
    const isRepeated = key !== undefined && (seen.has(key) || (earlier ?? Infinity) < each.arrival.index);
    if (isRepeated) result.repeated += 1;
    else uncountable.push(each);
  }
  result.repeated += ids.length - fresh.size;
  return [...first].filter(([key]) => fresh.has(key)).map(([, { each }]) => each);
}

function repeatedKeyOf({ event, entry }: Arrival, campaign: NamedCampaign | undefined): EventId | undefined {
  const id = event?.id ?? (entry.input as { id?: unknown } | null | undefined)?.id;
  if (!campaign?.ledger || typeof id !== "string") return undefined;
  return { ledgerId: campaign.ledger.id, id: hashOfEventId(campaign.ledger.secret, id) };
}

/** Adds new events to what their recipients have done, and the difference to the numbers of their campaigns. */
async function count(
  queries: Queries,
  organization: Organization,
  events: readonly Countable[],
  { now, result }: { now: number; result: IngestResult },
): Promise<void> {
  const done = await loadRecipients(queries, organization.id, events);
  const changed = new Map<string, ChangedRecipient>();
  for (const each of events) {
    const { arrival, ledger, name } = each;
    if (ledger.forgotten > 0 && done.has(recipientKey(ledger.id, nameOfForgotten(ledger.secret, name)))) {
      result.problems.push(problemOf(arrival, "forgotten"));
      continue;
    }
    const key = recipientKey(ledger.id, name);
    let recipient = changed.get(key);
    if (!recipient) {
      recipient = { ledgerId: ledger.id, name, done: done.get(key) ?? {}, events: [], stored: each.stored };
      changed.set(key, recipient);
    }
    recipient.events.push(toRecipientEvent(each));
    result.accepted += 1;
    if (arrival.isAhead) result.problems.push(problemOf(arrival, "time_ahead"));
  }
  if (changed.size === 0) return;
  const campaigns = new Map<number, CountedStored>();
  for (const { done: recipient, events: added, stored } of changed.values()) {
    const campaign = campaigns.get(stored.campaign.id) ?? copyOf(stored);
    campaigns.set(stored.campaign.id, campaign);
    for (const counted of countedTraffics) {
      subtract(campaign.numbers.counted[counted], contribution(recipient, counted));
    }
    for (const event of added) record(recipient, event);
    for (const counted of countedTraffics) {
      add(campaign.numbers.counted[counted], contribution(recipient, counted));
    }
  }
  await saveRecipients(queries, organization.id, [...changed.values()]);
  await publishTallies(queries, organization, [...campaigns.values()], now);
}

interface ChangedRecipient {
  ledgerId: number;
  name: string;
  done: Recipient;
  events: RecipientEvent[];
  stored: StoredCampaign;
}

type CountedStored = StoredCampaign & { numbers: { counted: Tallies } };

/** With numbers of its own: several events change them before they are saved. */
function copyOf(stored: StoredCampaign): CountedStored {
  return { ...stored, numbers: structuredClone((stored as CountedStored).numbers) };
}

async function loadRecipients(
  queries: Queries,
  organizationId: number,
  events: readonly Countable[],
): Promise<Map<string, Recipient>> {
  const keys = new Map<string, { ledgerId: number; name: string }>();
  for (const each of events) {
    const { id: ledgerId, secret, forgotten } = each.ledger;
    const { name } = each;
    keys.set(recipientKey(ledgerId, name), { ledgerId, name });
    if (forgotten > 0) {
      const nameless = nameOfForgotten(secret, name);
      keys.set(recipientKey(ledgerId, nameless), { ledgerId, name: nameless });
    }
  }
  const found = await findRecipients(queries, organizationId, [...keys.values()]);
  return new Map(found.map(({ ledgerId, name, done }) => [recipientKey(ledgerId, name), done]));
}

function toCountable(
  organization: Organization,
  arrival: Arrival,
  event: Event,
  { stored, ledger }: NamedCampaign & { ledger: Ledger },
): Countable {
  const trackingType = stored.campaign.trackingType as TrackingType;
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  const name = nameOfRecipient(secrets, trackingType, event, arrival.entry.kept?.judgement.origin);
  return { arrival, event, name, stored, ledger };
}

function recipientKey(ledgerId: number, name: string): string {
  return `${ledgerId} ${name}`;
}

function toRecipientEvent({ arrival, event, ledger }: Countable): RecipientEvent {
  const { isAhead, traffic: reason, device } = arrival;
  const base = { at: event.at, isAhead };
  if (event.type === "open") return { ...base, type: "open", reason, device };
  if (event.type === "read") return { ...base, type: "read", reason, seconds: event.seconds };
  if (event.type === "click") {
    return { ...base, type: "click", reason, link: hashOfLink(ledger.secret, event.url) };
  }
  const { surveyId, kind, reaction, comment } = event;
  return {
    ...base,
    type: "survey",
    id: hashOfEventId(ledger.secret, event.id),
    surveyId,
    kind,
    reaction,
    comment,
  };
}

/** Within the quota; beyond it nothing is kept, and the sender has to try again. */
async function setAside(
  queries: Queries,
  organization: Organization,
  events: readonly Uncountable[],
  { now, setAsideMax, result }: { now: number; setAsideMax: number; result: IngestResult },
): Promise<void> {
  const waiting: SetAsideEvent[] = [];
  for (const { arrival, campaign, reason } of events) {
    result.problems.push(problemOf(arrival, reason));
    if (problems[reason].isSetAside)
      waiting.push(toWaiting(organization, arrival, campaign, reason as SetAsideReason, now));
  }
  if (waiting.length === 0) return;
  if ((await countSetAside(queries, organization.id)) + waiting.length > setAsideMax) {
    result.refused += waiting.length;
    return;
  }
  await saveSetAside(queries, organization.id, waiting);
  result.setAside += waiting.length;
}

function toWaiting(
  organization: Organization,
  arrival: Arrival,
  campaign: NamedCampaign | undefined,
  reason: SetAsideReason,
  now: number,
): SetAsideEvent {
  const { entry, event, reference, traffic, device, isAhead } = arrival;
  const origin = entry.kept?.judgement.origin ?? originOf(organization.secret, arrival.evidence);
  const id = event?.id ?? (entry.input as { id?: unknown } | null | undefined)?.id;
  const text = entry.unreadableText ?? JSON.stringify(keptInput(entry.input)) ?? "";
  const trackingType = campaign?.stored.campaign.trackingType ?? "Individual";
  // Where it is known already that nobody is to be known, not even this keeps the address.
  const isNameless = trackingType !== "Individual";
  const input = keptInput(entry.input, {
    ...(event && { at: new Date(event.at).toISOString() }),
    ...(isNameless && { recipient: origin.recipient }),
  });
  return {
    campaign: reference,
    event:
      reference !== undefined && typeof id === "string"
        ? hashOfWaiting(organization.secret, reference, id)
        : (entry.kept?.event ?? hashOfUnreadable(organization.secret, text)),
    reason,
    receivedAt: entry.kept?.receivedAt ?? now,
    content: encrypt(organization.secret, { input, judgement: { traffic, device, origin, isAhead } }),
  };
}

function problemOf({ index, fault }: Arrival, reason: ProblemReason): Problem {
  return { index, reason, message: reason === "unreadable" ? fault : problems[reason].meaning };
}
