// Counts new events: loads what their recipients have done so far, and updates the tallies.

import type { Recipient, RecipientEvent } from "../../campaign/events/recipient.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { findRecipients } from "../../storage/recipients.ts";
import type { CountableEvent } from "./countable-event.ts";
import { type EventProblem, toProblem } from "./exclude-events.ts";
import { hashEventId, hashLink } from "./hash-event.ts";
import { forgottenRecipientName } from "./hash-recipient.ts";
import { type ChangedRecipient, updateTallies } from "./update-tallies.ts";

/**
 * Counts events, except those of forgotten recipients.
 *
 * @param events new events without repeats
 * @returns the problems of single events
 */
export async function countEvents(
  queries: Queries,
  organization: Organization,
  events: readonly CountableEvent[],
  now: number,
): Promise<EventProblem[]> {
  const problems: EventProblem[] = [];
  const stored = await loadRecipients(queries, organization.id, events);
  const changed = new Map<string, ChangedRecipient>();
  for (const each of events) {
    const { classified, event, ledger, recipientName: name } = each;
    if (
      ledger.forgottenCount > 0 &&
      stored.has(recipientKey(ledger.id, forgottenRecipientName(ledger.secret, name)))
    ) {
      problems.push(toProblem(classified, "forgotten"));
      continue;
    }
    const key = recipientKey(ledger.id, name);
    let recipient = changed.get(key);
    if (!recipient) {
      recipient = {
        ledgerId: ledger.id,
        name,
        state: stored.get(key) ?? {},
        events: [],
        stored: each.stored,
      };
      changed.set(key, recipient);
    }
    const url = event.type === "click" ? event.url : undefined;
    recipient.events.push({ event: toRecipientEvent(each), url });
    if (classified.isAhead) problems.push(toProblem(classified, "time_ahead"));
  }
  if (changed.size > 0) await updateTallies(queries, organization, [...changed.values()], now);
  return problems;
}

/** Loads recipients by {@link recipientKey}, also under the names they have once forgotten. */
async function loadRecipients(
  queries: Queries,
  organizationId: number,
  events: readonly CountableEvent[],
): Promise<Map<string, Recipient>> {
  const keys = new Map<string, { ledgerId: number; name: string }>();
  for (const { ledger, recipientName: name } of events) {
    const { id: ledgerId, secret, forgottenCount } = ledger;
    keys.set(recipientKey(ledgerId, name), { ledgerId, name });
    if (forgottenCount > 0) {
      const forgottenName = forgottenRecipientName(secret, name);
      keys.set(recipientKey(ledgerId, forgottenName), { ledgerId, name: forgottenName });
    }
  }
  const found = await findRecipients(queries, organizationId, [...keys.values()]);
  return new Map(found.map(({ ledgerId, name, state }) => [recipientKey(ledgerId, name), state]));
}

function recipientKey(ledgerId: number, name: string): string {
  return `${ledgerId} ${name}`;
}

function toRecipientEvent({ classified, event, ledger }: CountableEvent): RecipientEvent {
  const { isAhead, traffic: reason, device } = classified;
  const base = { at: event.at, isAhead };
  if (event.type === "open") return { ...base, type: "open", reason, device };
  if (event.type === "read") return { ...base, type: "read", reason, seconds: event.seconds };
  if (event.type === "click") {
    return { ...base, type: "click", reason, link: hashLink(ledger.secret, event.url) };
  }
  const { surveyId, kind, reaction, comment } = event;
  return {
    ...base,
    type: "survey",
    id: hashEventId(ledger.secret, event.id),
    surveyId,
    kind,
    reaction,
    comment,
  };
}
