// Prepares jobs of the writer thread: parses and classifies events while the previous commit is still running.

import type { DeliveryReport } from "../../campaign/events/outcomes.ts";
import { recordSourceEvents } from "../../storage/keys/sources.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { classifyEvents } from "../events/classify-events.ts";
import { parseEventBatch } from "../events/event-batch.ts";
import type { IncomingEvent } from "../events/incoming-event.ts";
import type { ScannerNetworks } from "../events/scanner-networks.ts";
import { parseWebhookBatch } from "../events/webhook-batch.ts";
import { hashProviderEventId } from "../hashes/hash-event.ts";
import type { Job, PreparedEvents, PreparedJob } from "./jobs.ts";
import { prepareChange } from "./prepare-change.ts";

export interface PrepareOptions {
  /** How many quarantined events one organization may have. */
  maxQuarantineBytes: number;
  networks: ScannerNetworks;
}

/**
 * Parses the body of a job.
 *
 * @throws AppError if the body cannot be read
 */
export function prepareJob(job: Job, { maxQuarantineBytes, networks }: PrepareOptions): PreparedJob {
  const { organizationId, now, body, isGzipped, task } = job;
  const change = prepareChange(job);
  if (change) return withAudit(change, job);
  const options = { now, maxQuarantineBytes, networks };
  if (task.name === "ingest_webhook") return prepareWebhook(job, task, options);
  const { events, bytes } =
    task.name === "ingest_events"
      ? parseEventBatch(body, task.format, isGzipped)
      : { events: readTrackedEvents(body), bytes: body.length };
  if (task.name === "ingest_events") for (const event of events) event.sender = task.sender;
  const classified = classifyEvents(events, now, networks);
  return {
    organizationId,
    bytes,
    isIdempotent: true,
    events: { classify: () => classified, options, finish: async (_, counts) => counts },
  };
}

/** Records the change in its own transaction. Running it twice would record it twice. */
function withAudit(change: PreparedJob, { now, audit }: Job): PreparedJob {
  if (!audit) return change;
  const write: PreparedJob["write"] = async (scope, organization) => {
    const result = await change.write?.(scope, organization);
    if (result !== false && result !== "unchanged") await recordAction(scope, { at: now, ...audit });
    return result;
  };
  return { ...change, isIdempotent: false, write };
}

/** Limit on the problems that a webhook response lists: providers show a response only to people who debug. */
const maxWebhookProblems = 20;

function prepareWebhook(
  { organizationId, now, body }: Job,
  { source, sender, ...format }: Extract<Job["task"], { name: "ingest_webhook" }>,
  options: PrepareOptions & { now: number },
): PreparedJob {
  const { events, ignored } = parseWebhookBatch(body, format);
  const types = new Set(events.map(({ input }) => (input as { type?: unknown } | undefined)?.type));
  const from = { id: source.id, reports: Object.keys(source.reports) as DeliveryReport[] };
  const classify = (organization: Organization) => {
    const own = events.map((event) => ({ ...withHashedId(event, organization), source: from, sender }));
    return classifyEvents(own, now, options.networks);
  };
  const finish: PreparedEvents["finish"] = async (scope, counts) => {
    const { accepted, repeated, quarantined, problems } = counts;
    if (accepted + repeated + quarantined > 0) await recordSourceEvents(scope, source, types, now);
    return { ...counts, problems: problems.slice(0, maxWebhookProblems), ignored };
  };
  return {
    organizationId,
    bytes: body.length,
    isIdempotent: true,
    events: { classify, options, finish },
  };
}

/** The recorder of tracked events serializes them itself, so the body needs no checks. */
function readTrackedEvents(body: Uint8Array): IncomingEvent[] {
  return JSON.parse(new TextDecoder().decode(body));
}

function withHashedId(event: IncomingEvent, { secret }: Organization): IncomingEvent {
  const { id } = (event.input ?? {}) as { id?: unknown };
  if (typeof id !== "string" || id === "") return event;
  return { ...event, input: { ...(event.input as object), id: hashProviderEventId(secret, id) } };
}
