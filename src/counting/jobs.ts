// What the writing thread is given to do, and how it is read: all that can be done before a transaction begins is done
// then, while an earlier one is under way.

import { readCountedCampaign } from "../campaign/counted-campaign.ts";
import { inWords } from "../campaign/fields.ts";
import { Refusal } from "../errors.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import { type Arrival, arriveAll, type Entry } from "./arrival.ts";
import { removeCampaign } from "./close-campaigns.ts";
import { type BatchFormat, batchLimits, readBatch, readJson } from "./event-batch.ts";
import { hashOfProviderId } from "./hashes.ts";
import { type IngestResult, ingestEvents } from "./ingest-events.ts";
import { saveCountedCampaign } from "./save-counted-campaign.ts";

/** What is to be written, as it came. */
export interface Job {
  organizationId: number;
  /** The time of arrival, in milliseconds since 1970. */
  now: number;
  body: Uint8Array;
  /** Whether the body is packed by gzip. */
  isPacked: boolean;
  work:
    | { name: "ingest_events"; format: BatchFormat }
    | ({ name: "ingest_webhook" } & WebhookKind)
    /** The body is a JSON list of entries. */
    | { name: "ingest_tracked" }
    | { name: "save_campaign"; id: number }
    | { name: "remove_campaign"; id: number };
}

/** What there is to know of a provider's request in order to read its body. */
export interface WebhookKind {
  provider: string;
  campaignField: string;
}

/** How a door reads what comes in by it. */
export interface Readers {
  /** `ignored` are those that name no campaign: other mail of the same account. */
  webhook(body: Uint8Array, kind: WebhookKind): { entries: Entry[]; ignored: number };
}

export interface Results {
  ingest_events: IngestResult;
  ingest_webhook: IngestResult & { ignored: number };
  ingest_tracked: IngestResult;
  save_campaign: "added" | "changed" | "unchanged";
  /** Whether there was such a campaign. */
  remove_campaign: boolean;
}

/** What becomes of a job. */
export type Result = Results[keyof Results];

/** A job that was read: what is left is to be done within a transaction, and may be done again (see `Again`). */
export interface Work {
  organizationId: number;
  /** Of its body, unpacked. */
  bytes: number;
  /** Whether to do it twice would change something: another process may have made it anew in between. */
  isOnce?: boolean;
  write(queries: Queries, organization: Organization): Promise<Result>;
  /** Where it does nothing but bring events: several such jobs in a row are written like one. */
  events?: {
    arrivals(organization: Organization): Arrival[];
    options: { now: number; setAsideMax: number };
    toResult(result: IngestResult): Result;
  };
}

/** What the reading of jobs depends on. */
export interface Reading {
  /** Events of one organization that may wait for their campaign. */
  setAsideMax: number;
  readers: Readers;
}

/** Of a body with a campaign, unpacked. */
const campaignBytesMax = 1024 * 1024;

/** @throws Refusal when the body cannot be read */
export function readJob({ organizationId, now, body, isPacked, work }: Job, reading: Reading): Work {
  const options = { now, setAsideMax: reading.setAsideMax };
  const toWork = (
    bytes: number,
    arrivals: (organization: Organization) => Arrival[],
    toResult: (result: IngestResult) => Result = (result) => result,
  ): Work => ({
    organizationId,
    bytes,
    write: async (queries, organization) =>
      toResult(await ingestEvents(queries, organization, arrivals(organization), options)),
    events: { arrivals, options, toResult },
  });
  if (work.name === "remove_campaign") {
    const write: Work["write"] = (queries) => removeCampaign(queries, organizationId, work.id, now);
    return { organizationId, bytes: 0, isOnce: true, write };
  }
  if (work.name === "save_campaign") {
    const bounds = { bytesMax: campaignBytesMax, valuesMax: batchLimits.values };
    const input = readJson(body, isPacked, bounds);
    const write: Work["write"] = (queries, organization) =>
      saveCampaign(queries, organization, { id: work.id, input, now });
    return { organizationId, bytes: body.length, write };
  }
  if (work.name === "ingest_webhook") {
    const { entries, ignored } = reading.readers.webhook(body, work);
    return toWork(
      body.length,
      (organization) =>
        arriveAll(
          entries.map((entry) => withHiddenId(entry, organization)),
          now,
        ),
      (result) => ({ ...result, problems: result.problems.slice(0, problemsMax), ignored }),
    );
  }
  const { entries, bytes } =
    work.name === "ingest_tracked" ? readEntries(body) : readBatch(body, work.format, isPacked);
  const arrivals = arriveAll(entries, now);
  return toWork(bytes, () => arrivals);
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

async function saveCampaign(
  queries: Queries,
  organization: Organization,
  { id, input, now }: { id: number; input: unknown; now: number },
): Promise<"added" | "changed" | "unchanged"> {
  const read = readCountedCampaign(id, input, organization.timeZone);
  if (!("faults" in read)) return saveCountedCampaign(queries, organization, read, now);
  throw new Refusal("bad_request", `${inWords(read.faults)}.`);
}
