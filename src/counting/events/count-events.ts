// Counts new events: loads what their recipients have done so far, and updates the tallies.

import { deriveTokenKey, sealToken, unsealToken } from "../../access/sealed-token.ts";
import { groupsIn } from "../../campaign/audience/groups-in.ts";
import { unusedFields } from "../../campaign/events/event-schema.ts";
import { isMember, type Recipient, type RecipientEvent } from "../../campaign/events/recipient.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { findInDirectory } from "../../storage/audience/directory.ts";
import { findRecipients } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { hashLink } from "../hashes/hash-event.ts";
import { type ChangedRecipient, updateTallies } from "../tallies/update-tallies.ts";
import { type CountableEvent, directoryHashOf } from "./countable-event.ts";
import { type EventProblem, toProblem } from "./exclude-events.ts";

/** Unused fields of one event in a response. */
const maxNamed = 5;

/**
 * Counts events.
 *
 * @param events new events without repeats
 * @returns the problems of single events
 */
export async function countEvents(
  scope: Scope,
  organization: Organization,
  events: readonly CountableEvent[],
  now: number,
): Promise<EventProblem[]> {
  const groups = groupByRecipient(events);
  const states = await loadStates(scope, groups);
  const added = await groupsOfNew(scope, organization, groups, states);
  const problems: EventProblem[] = [];
  const changed: ChangedRecipient[] = [];
  for (const [key, group] of groups) {
    const [{ ledger, recipientName: name, stored }] = group;
    for (const { classified, event } of group) {
      if (classified.isAhead) problems.push(toProblem(classified, "time_ahead"));
      const unused = unusedFields(event.type, Object(classified.incoming.input))
        .slice(0, maxNamed)
        .map(quote);
      if (unused.length > 0) {
        const message = `The type ${event.type} has no field ${unused.join(", ")}. The event is counted without it.`;
        problems.push({ index: classified.index, reason: "unused_fields", message });
      }
    }
    const known = states.get(key);
    const state = { ...known, ...added.get(key) };
    const isNew = isFirst(group, known);
    const source = group.findLast(({ classified }) => classified.incoming.source)?.classified.incoming.source;
    const senders = new Set(group.map(({ classified }) => classified.incoming.sender));
    changed.push({
      ledgerId: ledger.id,
      name,
      state,
      isNew,
      events: group.map(toChange),
      stored,
      source,
      senders,
    });
  }
  if (changed.length > 0) await updateTallies(scope, organization, changed, now);
  return problems;
}

type RecipientGroup = [CountableEvent, ...CountableEvent[]];

/** The events of each recipient, by {@link recipientKey}. */
const groupByRecipient = (events: readonly CountableEvent[]) =>
  Map.groupBy(events, ({ ledger, recipientName }) => recipientKey(ledger.id, recipientName)) as Map<
    string,
    RecipientGroup
  >;

/** What recipients have done so far, by {@link recipientKey}. */
async function loadStates(
  scope: Scope,
  groups: ReadonlyMap<string, RecipientGroup>,
): Promise<Map<string, Recipient>> {
  const keys = [...groups.values()].map(([{ ledger, recipientName: name }]) => ({
    ledgerId: ledger.id,
    name,
  }));
  const stored = await findRecipients(scope, keys);
  return new Map(stored.map(({ ledgerId, name, state }) => [recipientKey(ledgerId, name), state]));
}

/** The groups of recipients with their first event, by {@link recipientKey}: those that the directory has now. */
async function groupsOfNew(
  scope: Scope,
  organization: Organization,
  groups: ReadonlyMap<string, RecipientGroup>,
  states: ReadonlyMap<string, Recipient>,
): Promise<Map<string, Pick<Recipient, "groups">>> {
  const hashes = new Map<string, string>();
  for (const [key, [{ stored, classified }]] of groups) {
    if (!stored.counting?.attributeIds.length || !isFirst(groups.get(key) ?? [], states.get(key))) continue;
    hashes.set(key, directoryHashOf(organization, classified));
  }
  const groupsByHash = await findInDirectory(scope, organization, [...new Set(hashes.values())]);
  const added = new Map<string, Pick<Recipient, "groups">>();
  for (const [key, hash] of hashes) {
    const attributeIds = groups.get(key)?.[0].stored.counting?.attributeIds ?? [];
    added.set(key, { groups: groupsIn(attributeIds, groupsByHash.get(hash)) });
  }
  return added;
}

/** Whether a recipient does something for the first time. The outcome of its message puts it into no group. */
function isFirst(events: readonly CountableEvent[], state: Recipient | undefined): boolean {
  if (state && isMember(state)) return false;
  return events.some(({ event }) => !("outcome" in event));
}

function recipientKey(ledgerId: number, name: string): string {
  return `${ledgerId} ${name}`;
}

function toChange(each: CountableEvent): ChangedRecipient["events"][number] {
  return { event: toRecipientEvent(each), url: each.event.type === "click" ? each.event.url : undefined };
}

const idPurpose = "event id of an answer";

function toRecipientEvent({ classified, event, ledger, stored }: CountableEvent): RecipientEvent {
  const { isAhead, traffic: reason, device } = classified;
  const base = { at: event.at, isAhead };
  if (event.type === "open") return { ...base, type: "open", reason, device };
  if (event.type === "read") return { ...base, type: "read", reason, seconds: event.seconds };
  if (event.type === "click") {
    return { ...base, type: "click", reason, link: hashLink(ledger.secret, event.url) };
  }
  if (event.type !== "survey") return { ...base, type: "outcome", outcome: event.outcome };
  const { surveyId, kind, reaction, comment } = event;
  const key = deriveTokenKey(ledger.secret);
  return {
    ...base,
    type: "survey",
    id: sealToken(key, idPurpose, event.id),
    isAfter: (id) => event.id > (unsealToken([key], idPurpose, id) ?? ""),
    surveyId,
    kind,
    reaction,
    comment,
    by: classified.incoming.sender,
    isHeld: !hasNames(stored.campaign),
  };
}
