// Reads what the writing thread is given: all that can be done before a transaction begins is done then, while an earlier
// one is under way.

import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { noteEventsOfSource } from "../../storage/sources.ts";
import { type Arrival, arriveAll, type Entry } from "../events/arrival.ts";
import { readBatch } from "../events/event-batch.ts";
import { hashOfProviderId } from "../events/hashes.ts";
import { type IngestResult, ingestEvents } from "../events/ingest-events.ts";
import { readWebhook } from "../events/webhook-batch.ts";
import type { Job, PreparedJob, Result } from "./jobs.ts";
import { prepareChange } from "./prepare-change.ts";

/**
 * @param quarantineMax how many quarantined events one organization may have
 * @throws Refusal if the body cannot be read
 */
export function prepareJob(job: Job, quarantineMax: number): PreparedJob {
  const { organizationId, now, body, isPacked, work } = job;
  const change = prepareChange(job);
  if (change) return change;
  const options = { now, quarantineMax };
  if (work.name === "ingest_webhook") {
    const { entries, ignored } = readWebhook(body, work);
    const { sourceToNote: id } = work;
    return toWork(organizationId, body.length, {
      arrivals: (organization) =>
        arriveAll(
          entries.map((entry) => withHiddenId(entry, organization)),
          now,
        ),
      options,
      toResult: (result) => ({ ...result, problems: result.problems.slice(0, problemsMax), ignored }),
      async finish(queries, { accepted, repeated, quarantined }) {
        if (id === undefined || accepted + repeated + quarantined === 0) return;
        await noteEventsOfSource(queries, { organizationId, id }, now);
      },
    });
  }
  const { entries, bytes } =
    work.name === "ingest_events" ? readBatch(body, work.format, isPacked) : readEntries(body);
  const arrivals = arriveAll(entries, now);
  const events = { arrivals: () => arrivals, options, toResult: (result: IngestResult) => result };
  return toWork(organizationId, bytes, { ...events, finish: async () => undefined });
}

function toWork(
  organizationId: number,
  bytes: number,
  events: NonNullable<PreparedJob["events"]>,
): PreparedJob {
  const write = async (queries: Queries, organization: Organization): Promise<Result> => {
    const arrivals: Arrival[] = events.arrivals(organization);
    const result = await ingestEvents(queries, organization, arrivals, events.options);
    await events.finish(queries, result);
    return events.toResult(result);
  };
  return { organizationId, bytes, write, events };
}

/** What the recorder of tracked events has put together. */
function readEntries(body: Uint8Array): { entries: Entry[]; bytes: number } {
  return { entries: JSON.parse(new TextDecoder().decode(body)), bytes: body.length };
}

/** Told to a provider, whose people look at one of them, if at any. */
const problemsMax = 20;

function withHiddenId(entry: Entry, { secret }: Organization): Entry {
  const { id } = (entry.input ?? {}) as { id?: unknown };
  if (typeof id !== "string" || id === "") return entry;
  return { ...entry, input: { ...(entry.input as object), id: hashOfProviderId(secret, id) } };
}
