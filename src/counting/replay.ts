// Counts events that were set aside, when their campaign has come or on command.

import { readEvent } from "../campaign/event.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import {
  deleteSetAsideEvents,
  readSetAside,
  type SetAsideEvent,
  type SetAsideFilter,
} from "../storage/set-aside.ts";
import { type IngestResult, ingestEvents } from "./ingest-events.ts";
import { problems } from "./problems.ts";
import { decrypt } from "./set-aside.ts";

const eventsAtOnce = 2_000;

/**
 * Counts what can be counted now of the events that wait; the others are set aside again, since the same time.
 *
 * @returns what became of all of them
 */
export async function replay(
  queries: Queries,
  organization: Organization,
  filter: SetAsideFilter,
  now: number,
): Promise<IngestResult> {
  const total: IngestResult = { accepted: 0, repeated: 0, setAside: 0, problems: [], refused: 0 };
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
    const entries = some.map(({ content, receivedAt, event }) => {
      const { input, judgement } = decrypt(organization.secret, content);
      return { input, kept: { judgement, receivedAt, event } };
    });
    const result = await ingestEvents(queries, organization, entries, {
      now,
      setAsideMax: Number.POSITIVE_INFINITY,
    });
    total.accepted += result.accepted;
    total.repeated += result.repeated;
    total.setAside += result.setAside;
  }
}

/** Why an event waits, in words. */
export function explain(organization: Organization, { reason, content }: SetAsideEvent): string {
  const { input } = decrypt(organization.secret, content);
  const read = readEvent(input);
  if (reason !== "unreadable" || !("faults" in read)) return problems[reason].meaning;
  return read.faults.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
}
