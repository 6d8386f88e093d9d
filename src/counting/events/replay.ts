// Replays quarantined events: counts those that can be counted now, and quarantines the others again.

import type { Organization } from "../../storage/organizations/organizations.ts";
import { deleteQuarantinedEvents } from "../../storage/quarantine/delete-quarantined.ts";
import { type QuarantinePosition, readQuarantined } from "../../storage/quarantine/quarantine.ts";
import type { QuarantineFilter } from "../../storage/quarantine/quarantine-filter.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { classifyEvents } from "./classify-events.ts";
import type { IncomingEvent } from "./incoming-event.ts";
import { ingestEvents } from "./ingest-events.ts";
import { decryptContent } from "./quarantined-content.ts";

const eventsPerPage = 2_000;

interface ReplayTotals {
  accepted: number;
  repeated: number;
  quarantined: number;
  /** Events of closed campaigns or forgotten recipients, which are never counted. */
  ignored: number;
}

export interface ReplayPage extends ReplayTotals {
  /** Position to continue after; undefined on the last page. */
  last: QuarantinePosition | undefined;
}

export const emptyReplayTotals: ReplayTotals = { accepted: 0, repeated: 0, quarantined: 0, ignored: 0 };

export function addReplayTotals(one: ReplayTotals, other: ReplayTotals): ReplayTotals {
  return {
    accepted: one.accepted + other.accepted,
    repeated: one.repeated + other.repeated,
    quarantined: one.quarantined + other.quarantined,
    ignored: one.ignored + other.ignored,
  };
}

/** Replays all events that match the filter. Events that stay quarantined keep their time of arrival. */
export async function replayQuarantined(
  scope: Scope,
  organization: Organization,
  filter: QuarantineFilter,
  now: number,
): Promise<ReplayTotals> {
  let total = emptyReplayTotals;
  for (let after: QuarantinePosition | undefined; ; ) {
    const { last, ...page } = await replayPage(scope, organization, { filter, after, now });
    total = addReplayTotals(total, page);
    if (!last) return total;
    after = last;
  }
}

/**
 * Replays as many events as fit into a short transaction.
 *
 * @param after `last` of the previous page
 */
export async function replayPage(
  scope: Scope,
  organization: Organization,
  { filter, after, now }: { filter: QuarantineFilter; after: QuarantinePosition | undefined; now: number },
): Promise<ReplayPage> {
  const quarantined = await readQuarantined(scope, {
    filter,
    after,
    limit: eventsPerPage,
  });
  // Deleted first: an existing row would keep its old reason if the event is quarantined again.
  await deleteQuarantinedEvents(
    scope,
    quarantined.map(({ eventHash }) => eventHash),
  );
  const events = quarantined.map(({ content, receivedAt, eventHash }): IncomingEvent => {
    const { input, classification, error } = decryptContent(organization.secret, content);
    return {
      input,
      replayed: { classification, receivedAt, eventHash },
      sender: classification.sender,
      ...(error !== undefined && { unreadable: error }),
    };
  });
  // The earliest countable event is the one that counts among those that arrived together and share an id,
  // whatever their hashes are.
  const orderOf = ({ input, replayed }: IncomingEvent) =>
    `${replayed?.receivedAt} ${(input as { at?: unknown } | null)?.at}`;
  events.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : Number(orderOf(a) > orderOf(b))));
  const options = { now, maxQuarantineBytes: Number.POSITIVE_INFINITY };
  const result = await ingestEvents(scope, organization, classifyEvents(events, now), options);
  const last = quarantined.at(-1);
  return {
    accepted: result.accepted,
    repeated: result.repeated,
    quarantined: result.quarantined,
    ignored: events.length - result.accepted - result.repeated - result.quarantined,
    last:
      last && quarantined.length === eventsPerPage
        ? { receivedAt: last.receivedAt, eventHash: last.eventHash }
        : undefined,
  };
}
