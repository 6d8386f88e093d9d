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
  const groups = groupByRecipient(events);
  const states = await loadStates(queries, organization.id, groups);
  const problems: EventProblem[] = [];
  const changed: ChangedRecipient[] = [];
  for (const [key, group] of groups) {
    const [{ ledger, recipientName: name, stored }] = group;
    const forgotten = forgottenNameOf(group[0]);
    const isForgotten = forgotten !== undefined && states.has(recipientKey(ledger.id, forgotten));
    for (const { classified } of group) {
      if (isForgotten) problems.push(toProblem(classified, "forgotten"));
      else if (classified.isAhead) problems.push(toProblem(classified, "time_ahead"));
    }
    if (isForgotten) continue;
    const state = states.get(key) ?? {};
    changed.push({ ledgerId: ledger.id, name, state, events: group.map(toChange), stored });
  }
  if (changed.length > 0) await updateTallies(queries, organization, changed, now);
  return problems;
}

type RecipientGroup = [CountableEvent, ...CountableEvent[]];

/** The events of each recipient, by {@link recipientKey}. */
function groupByRecipient(events: readonly CountableEvent[]): Map<string, RecipientGroup> {
  const groups = new Map<string, RecipientGroup>();
  for (const each of events) {
    const key = recipientKey(each.ledger.id, each.recipientName);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** What recipients have done so far, by {@link recipientKey}, also under the names they have once forgotten. */
async function loadStates(
  queries: Queries,
  organizationId: number,
  groups: ReadonlyMap<string, RecipientGroup>,
): Promise<Map<string, Recipient>> {
  const keys: { ledgerId: number; name: string }[] = [];
  for (const [first] of groups.values()) {
    const { ledger, recipientName: name } = first;
    keys.push({ ledgerId: ledger.id, name });
    const forgotten = forgottenNameOf(first);
    if (forgotten !== undefined) keys.push({ ledgerId: ledger.id, name: forgotten });
  }
  const found = await findRecipients(queries, organizationId, keys);
  return new Map(found.map(({ ledgerId, name, state }) => [recipientKey(ledgerId, name), state]));
}

/** The name that the recipient has once it is forgotten; undefined if no recipient of the campaign was. */
function forgottenNameOf({ ledger, recipientName }: CountableEvent): string | undefined {
  return ledger.forgottenId === null ? undefined : forgottenRecipientName(ledger.secret, recipientName);
}

function recipientKey(ledgerId: number, name: string): string {
  return `${ledgerId} ${name}`;
}

function toChange(each: CountableEvent): ChangedRecipient["events"][number] {
  return { event: toRecipientEvent(each), url: each.event.type === "click" ? each.event.url : undefined };
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
