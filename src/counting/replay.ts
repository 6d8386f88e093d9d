// Counts events that were set aside, when their campaign has come or on command.

import { readEvent } from "../campaign/event.ts";
import { inWords } from "../campaign/fields.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import {
  deleteSetAsideEvents,
  readSetAside,
  type SetAsideEvent,
  type SetAsideFilter,
} from "../storage/set-aside.ts";
import { arriveAll, type Entry } from "./arrival.ts";
import { ingestEvents } from "./ingest-events.ts";
import { problems } from "./problems.ts";
import { decrypt } from "./set-aside.ts";

const eventsAtOnce = 2_000;

export interface Replayed {
  accepted: number;
  repeated: number;
  setAside: number;
  /** Closed campaigns, forgotten recipients. */
  ignored: number;
}

/**
 * Counts what can be counted now of the events that wait; the others are set aside again, since the same time.
 *
 * @returns what became of all of them; `ignored` are those that can never be counted
 */
export async function replay(
  queries: Queries,
  organization: Organization,
  filter: SetAsideFilter,
  now: number,
): Promise<Replayed> {
  const total: Replayed = { accepted: 0, repeated: 0, setAside: 0, ignored: 0 };
  for (let after: SetAsideEvent | undefined; ; ) {
    const some = await readSetAside(queries, organization.id, { filter, after, limit: eventsAtOnce });
    if (some.length === 0) return total;
    after = some.at(-1);
    // Taken out first, so that what is set aside again stands there with its new reason.
    await deleteSetAsideEvents(
      queries,
      organization.id,
      some.map(({ event }) => event),
    );
    const entries = some.map(({ content, receivedAt, event }): Entry => {
      const { input, judgement, fault } = decrypt(organization.secret, content);
      return {
        input,
        kept: { judgement, receivedAt, event },
        ...(fault !== undefined && { unreadable: fault }),
      };
    });
    const result = await ingestEvents(queries, organization, arriveAll(entries, now), {
      now,
      setAsideMax: Number.POSITIVE_INFINITY,
    });
    total.accepted += result.accepted;
    total.repeated += result.repeated;
    total.setAside += result.setAside;
    total.ignored += entries.length - result.accepted - result.repeated - result.setAside;
  }
}

/** The id of an event that waits, where it has one, and why it waits, in words. */
export function explain(
  organization: Organization,
  { reason, content }: SetAsideEvent,
): { id: unknown; message: string } {
  const { input, fault } = decrypt(organization.secret, content);
  const id = input?.id ?? null;
  const read = readEvent(input);
  if (reason !== "unreadable" || !("faults" in read)) return { id, message: problems[reason].meaning };
  return { id, message: fault ?? inWords(read.faults) };
}
