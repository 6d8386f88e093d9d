// Ingests events: counts each event exactly once in the numbers of its campaign, and quarantines what cannot be counted.
// Runs in the caller's transaction.

import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { deleteQuarantinedEvents } from "../../storage/quarantine/delete-quarantined.ts";
import { hasQuarantined } from "../../storage/quarantine/quarantine.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { hashQuarantinedEvent } from "../hashes/hash-event.ts";
import { countEvents } from "./count-events.ts";
import type { CountableEvent } from "./countable-event.ts";
import { deduplicateEvents, dropRepeatedExclusions, findCountedIds } from "./deduplicate-events.ts";
import { type EventProblem, toProblem } from "./exclude-events.ts";
import { excludeForgotten } from "./exclude-forgotten.ts";
import type { ClassifiedEvent } from "./incoming-event.ts";
import { problems as problemTable } from "./problems.ts";
import { quarantineEvents } from "./quarantine-events.ts";
import { separateEvents } from "./separate-events.ts";

export interface IngestResult {
  accepted: number;
  repeated: number;
  quarantined: number;
  problems: EventProblem[];
  /** Events that were not saved, because the organization's quarantine is full. */
  refused: number;
}

/**
 * Counts each event once, whether it is repeated, late or out of order.
 *
 * @param events in the order of arrival
 */
export async function ingestEvents(
  scope: Scope,
  organization: Organization,
  events: readonly ClassifiedEvent[],
  options: QuarantineOptions,
): Promise<IngestResult> {
  return toResult(await ingestAll(scope, organization, events, options));
}

/** Gives each batch the result of {@link ingestEvents}, at little more than the cost of one call. */
export async function ingestBatches(
  scope: Scope,
  organization: Organization,
  batches: readonly (readonly ClassifiedEvent[])[],
  options: QuarantineOptions,
): Promise<IngestResult[]> {
  const { statuses, problems } = await ingestAll(scope, organization, batches.flat(), options);
  let start = 0;
  return batches.map(({ length }) => {
    const [first, end] = [start, start + length];
    start = end;
    return toResult({
      statuses: statuses.slice(first, end),
      problems: problems
        .filter(({ index }) => index >= first && index < end)
        .map((problem) => ({ ...problem, index: problem.index - first })),
    });
  });
}

interface QuarantineOptions {
  now: number;
  /** Limit on the quarantined events of the organization. */
  maxQuarantineBytes: number;
}

/** `ignored`: can never be counted. */
type EventStatus = "accepted" | "repeated" | "quarantined" | "refused" | "ignored";

interface IngestOutcome {
  /** The status of each event, by its index. */
  statuses: EventStatus[];
  /** The problems in the order of the events. */
  problems: EventProblem[];
}

function toResult({ statuses, problems }: IngestOutcome): IngestResult {
  const count = (status: EventStatus) => statuses.filter((each) => each === status).length;
  return {
    accepted: count("accepted"),
    repeated: count("repeated"),
    quarantined: count("quarantined"),
    refused: count("refused"),
    problems,
  };
}

async function ingestAll(
  scope: Scope,
  organization: Organization,
  events: readonly ClassifiedEvent[],
  options: QuarantineOptions,
): Promise<IngestOutcome> {
  // Batches that are ingested together have other indices than in an earlier attempt alone.
  for (const [index, event] of events.entries()) event.index = index;
  const separated = await separateEvents(scope, organization, events);
  await excludeForgotten(scope, organization, separated);
  const countedIds = await findCountedIds(scope, separated.excluded);
  const { first, fresh } = await deduplicateEvents(scope, separated.countable);
  const counted = await countEvents(scope, organization, fresh, options.now);
  const excluded = dropRepeatedExclusions(separated.excluded, { countedIds, first });
  const refused = await quarantineEvents(scope, organization, excluded, options);
  await removeFromQuarantine(scope, organization, fresh);
  // All events that are not in these lists are repeats.
  const statuses = events.map((): EventStatus => "repeated");
  for (const { classified } of fresh) statuses[classified.index] = "accepted";
  for (const each of excluded) {
    const { isQuarantined } = problemTable[each.reason];
    const saved = isQuarantined ? "quarantined" : "ignored";
    statuses[each.classified.index] = refused.has(each) ? "refused" : saved;
  }
  const problems = [...excluded.map(({ classified, reason }) => toProblem(classified, reason)), ...counted];
  problems.sort((a, b) => a.index - b.index);
  return { statuses, problems };
}

/** A counted event may have been quarantined before, under any name of its campaign. */
async function removeFromQuarantine(
  scope: Scope,
  { secret }: Organization,
  events: readonly CountableEvent[],
): Promise<void> {
  if (events.length === 0 || !(await hasQuarantined(scope))) return;
  const hashes = events.flatMap(({ event: { id: eventId, at }, classified, stored }) =>
    referencesOf(stored).flatMap((name) =>
      [undefined, at].map((each) =>
        hashQuarantinedEvent(secret, name, { id: eventId, sender: classified.incoming.sender, at: each }),
      ),
    ),
  );
  await deleteQuarantinedEvents(scope, hashes);
}
