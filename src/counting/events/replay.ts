// Counts events that were set aside, when their campaign has come or on command.

import { readEvent } from "../../campaign/events/event.ts";
import { formatErrors } from "../../campaign/validate-fields.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import {
  deleteQuarantinedEvents,
  type QuarantinedEvent,
  type QuarantineFilter,
  type QuarantinePosition,
  readQuarantined,
} from "../../storage/quarantine.ts";
import { arriveAll, type Entry } from "./arrival.ts";
import { ingestEvents } from "./ingest-events.ts";
import { problems } from "./problems.ts";
import { decrypt } from "./quarantine.ts";

const eventsAtOnce = 2_000;

export interface Replayed {
  accepted: number;
  repeated: number;
  quarantined: number;
  /** Closed campaigns, forgotten recipients. */
  ignored: number;
}

export interface ReplayedSome extends Replayed {
  /** Where to go on; undefined when there are no more. */
  last: QuarantinePosition | undefined;
}

export const nothingReplayed: Replayed = { accepted: 0, repeated: 0, quarantined: 0, ignored: 0 };

export function addReplayed(one: Replayed, other: Replayed): Replayed {
  return {
    accepted: one.accepted + other.accepted,
    repeated: one.repeated + other.repeated,
    quarantined: one.quarantined + other.quarantined,
    ignored: one.ignored + other.ignored,
  };
}

/**
 * Counts what can be counted now of the events that wait; the others are set aside again, since the same time.
 *
 * @returns what became of all of them; `ignored` are those that can never be counted
 */
export async function replay(
  queries: Queries,
  organization: Organization,
  filter: QuarantineFilter,
  now: number,
): Promise<Replayed> {
  let total = nothingReplayed;
  for (let after: QuarantinePosition | undefined; ; ) {
    const { last, ...some } = await replaySome(queries, organization, { filter, after, now });
    total = addReplayed(total, some);
    if (!last) return total;
    after = last;
  }
}

/**
 * As {@link replay}, of no more than fit into a short transaction.
 *
 * @param after the last one of those before
 * @returns `last` is undefined when there are no more
 */
export async function replaySome(
  queries: Queries,
  organization: Organization,
  { filter, after, now }: { filter: QuarantineFilter; after: QuarantinePosition | undefined; now: number },
): Promise<ReplayedSome> {
  const some = await readQuarantined(queries, organization.id, { filter, after, limit: eventsAtOnce });
  // Taken out first, so that what is set aside again stands there with its new reason.
  await deleteQuarantinedEvents(
    queries,
    organization.id,
    some.map(({ eventHash }) => eventHash),
  );
  const entries = some.map(({ content, receivedAt, eventHash }): Entry => {
    const { input, judgement, fault } = decrypt(organization.secret, content);
    return {
      input,
      kept: { judgement, receivedAt, event: eventHash },
      ...(fault !== undefined && { unreadable: fault }),
    };
  });
  const options = { now, quarantineMax: Number.POSITIVE_INFINITY };
  const result = await ingestEvents(queries, organization, arriveAll(entries, now), options);
  const { accepted, repeated, quarantined } = result;
  const ignored = entries.length - accepted - repeated - quarantined;
  const { receivedAt, eventHash } = some.at(-1) ?? {};
  const isFull = some.length === eventsAtOnce && receivedAt !== undefined && eventHash !== undefined;
  return {
    accepted,
    repeated,
    quarantined,
    ignored,
    last: isFull ? { receivedAt, eventHash } : undefined,
  };
}

/** The id of an event that waits, where it has one, and why it waits, in words. */
export function explain(
  organization: Organization,
  { reason, content }: QuarantinedEvent,
): { id: unknown; message: string } {
  const { input, fault } = decrypt(organization.secret, content);
  const id = input?.id ?? null;
  const read = readEvent(input);
  if (reason !== "unreadable" || !("errors" in read)) return { id, message: problems[reason].meaning };
  return { id, message: fault ?? formatErrors(read.errors) };
}
