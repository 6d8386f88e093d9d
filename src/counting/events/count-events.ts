// Counts new events: finds what their recipients have done so far, and has it added up.

import type { TrackingType } from "../../campaign/campaign.ts";
import type { Event } from "../../campaign/events/event.ts";
import type { Recipient, RecipientEvent } from "../../campaign/events/recipient.ts";
import type { StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Ledger } from "../../storage/ledgers.ts";
import type { Organization } from "../../storage/organizations.ts";
import { findRecipients } from "../../storage/recipients.ts";
import { type Arrival, type Problem, problemOf } from "./arrival.ts";
import { hashOfEventId, hashOfLink, nameOfForgotten, nameOfRecipient } from "./hashes.ts";
import { type ChangedRecipient, updateTallies } from "./update-tallies.ts";

/** An event of a counted campaign that is not closed. */
export interface Countable {
  arrival: Arrival;
  event: Event;
  /** The name of the recipient. */
  name: string;
  stored: StoredCampaign;
  ledger: Ledger;
}

export function toCountable(
  organization: Organization,
  arrival: Arrival,
  event: Event,
  { stored, ledger }: { stored: StoredCampaign; ledger: Ledger },
): Countable {
  return { arrival, event, name: nameOfArrival(organization, arrival, { stored, ledger }), stored, ledger };
}

/** The name under which the recipient of an event is kept. */
export function nameOfArrival(
  organization: Organization,
  { evidence, entry }: Arrival,
  { stored, ledger }: { stored: StoredCampaign; ledger: Ledger },
): string {
  const trackingType = stored.campaign.trackingType as TrackingType;
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  return nameOfRecipient(secrets, trackingType, evidence, entry.kept?.judgement.origin);
}

/**
 * @param events those that are new, each once
 * @returns what there is to say about single ones; a recipient who was forgotten is not counted
 */
export async function countEvents(
  queries: Queries,
  organization: Organization,
  events: readonly Countable[],
  now: number,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const done = await loadRecipients(queries, organization.id, events);
  const changed = new Map<string, ChangedRecipient>();
  for (const each of events) {
    const { arrival, ledger, name } = each;
    if (
      ledger.forgottenCount > 0 &&
      done.has(recipientKey(ledger.id, nameOfForgotten(ledger.secret, name)))
    ) {
      problems.push(problemOf(arrival, "forgotten"));
      continue;
    }
    const key = recipientKey(ledger.id, name);
    let recipient = changed.get(key);
    if (!recipient) {
      recipient = {
        ledgerId: ledger.id,
        name,
        state: done.get(key) ?? {},
        events: [],
        stored: each.stored,
      };
      changed.set(key, recipient);
    }
    const { event } = each;
    const url = event.type === "click" ? event.url : undefined;
    recipient.events.push({ event: toRecipientEvent(each), url });
    if (arrival.isAhead) problems.push(problemOf(arrival, "time_ahead"));
  }
  if (changed.size > 0) await updateTallies(queries, organization, [...changed.values()], now);
  return problems;
}

async function loadRecipients(
  queries: Queries,
  organizationId: number,
  events: readonly Countable[],
): Promise<Map<string, Recipient>> {
  const keys = new Map<string, { ledgerId: number; name: string }>();
  for (const each of events) {
    const { id: ledgerId, secret, forgottenCount } = each.ledger;
    const { name } = each;
    keys.set(recipientKey(ledgerId, name), { ledgerId, name });
    if (forgottenCount > 0) {
      const nameless = nameOfForgotten(secret, name);
      keys.set(recipientKey(ledgerId, nameless), { ledgerId, name: nameless });
    }
  }
  const found = await findRecipients(queries, organizationId, [...keys.values()]);
  return new Map(found.map(({ ledgerId, name, state }) => [recipientKey(ledgerId, name), state]));
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
