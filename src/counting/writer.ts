// Writes what comes in by HTTP, within a thread of its own: all that waits at the same time shares one commit, and each
// is answered when that is on disk.

import { parentPort } from "node:worker_threads";
import { readCountedCampaign } from "../campaign/counted-campaign.ts";
import { inWords } from "../campaign/fields.ts";
import { type ErrorCode, Refusal } from "../errors.ts";
import { type Database, openDatabase, type Queries } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import type { Entry } from "./arrival.ts";
import { removeCampaign } from "./close-campaigns.ts";
import { type Batch, type BatchFormat, batchLimits, readBatch, readJson } from "./event-batch.ts";
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

/** What goes back to the main thread. */
export interface Answer {
  number: number;
  result?: Results[keyof Results];
  refusal?: { code: ErrorCode; message: string };
  failure?: string;
}

/** One commit takes no more jobs, nor another one beyond so many unpacked bytes: it bounds waiting, and memory. */
const jobsPerCommit = 64;
const bytesPerCommit = 1024 * 1024;

/** Of a body with a campaign, unpacked. */
const campaignBytesMax = 1024 * 1024;

/** A job that was read: what is left is to be done within a transaction. */
type Work = (queries: Queries) => Promise<Results[keyof Results]>;

/** The other side, within the thread. */
class Writer {
  readonly #database: Database;
  readonly #setAsideMax: number;
  readonly #readers: Readers;
  readonly #queue: { number: number; job: Job }[] = [];
  #isStopping = false;
  #isWriting = false;

  constructor(database: Database, setAsideMax: number, readers: Readers) {
    this.#database = database;
    this.#setAsideMax = setAsideMax;
    this.#readers = readers;
  }

  take(message: { number: number; job: Job } | "stop"): void {
    if (message === "stop") this.#isStopping = true;
    else this.#queue.push(message);
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      await this.#writeSome();
      // Whatever came in meanwhile is taken before the next commit begins.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isWriting = false;
    if (!this.#isStopping) return;
    await this.#database.close();
    parentPort?.close();
  }

  /** One commit for all that waits. Should it fail, each is tried alone, so that none fails for another. */
  async #writeSome(): Promise<void> {
    const works = new Map<number, Work>();
    for (let bytes = 0; works.size < jobsPerCommit && bytes < bytesPerCommit; ) {
      const next = this.#queue.shift();
      if (!next) break;
      const read = await settled(async () => this.#read(next.job));
      if ("value" in read) {
        works.set(next.number, read.value.work);
        bytes += read.value.bytes;
      } else answer(next.number, read);
    }
    if (works.size === 0) return;
    const all = await settled(() =>
      this.#database.write(async (queries) => {
        const results = new Map<number, Results[keyof Results]>();
        for (const [number, work] of works) results.set(number, await work(queries));
        return results;
      }),
    );
    if ("value" in all) {
      for (const [number, value] of all.value) answer(number, { value });
      return;
    }
    if (isUnavailable(all.error)) {
      // Each alone would wait as long again, and so would all that come after it.
      for (const number of [...works.keys(), ...this.#queue.splice(0).map((job) => job.number)]) {
        answer(number, all);
      }
      return;
    }
    for (const [number, work] of works) {
      answer(number, works.size === 1 ? all : await settled(() => this.#database.write(work)));
    }
  }

  /** All that can be done before the transaction begins. */
  #read({ organizationId, now, body, isPacked, work }: Job): { work: Work; bytes: number } {
    const within = (
      then: (queries: Queries, organization: Organization) => Promise<Results[keyof Results]>,
    ) => {
      return async (queries: Queries) => {
        const organization = await findOrganization(queries, organizationId);
        if (!organization) throw new Refusal("unauthorized", "The organization was deleted.");
        return then(queries, organization);
      };
    };
    if (work.name === "remove_campaign") {
      return { work: (queries) => removeCampaign(queries, organizationId, work.id, now), bytes: 0 };
    }
    if (work.name === "save_campaign") {
      const input = readJson(body, isPacked, {
        bytesMax: campaignBytesMax,
        valuesMax: batchLimits.values,
      });
      const saving = within((queries, organization) =>
        saveCampaign(queries, organization, { id: work.id, input, now }),
      );
      return { work: saving, bytes: body.length };
    }
    const { entries, bytes, ignored } = this.#entriesOf({ body, isPacked, work });
    const options = { now, setAsideMax: this.#setAsideMax };
    const ingesting = within(async (queries, organization) => {
      if (ignored === undefined) return ingestEvents(queries, organization, entries, options);
      const ofProvider = entries.map((entry) => withHiddenId(entry, organization));
      const result = await ingestEvents(queries, organization, ofProvider, options);
      return { ...result, problems: result.problems.slice(0, problemsMax), ignored };
    });
    return { work: ingesting, bytes };
  }

  #entriesOf({
    body,
    isPacked,
    work,
  }: Pick<Job, "body" | "isPacked" | "work">): Batch & { ignored?: number } {
    if (work.name === "ingest_webhook") {
      return { ...this.#readers.webhook(body, work), bytes: body.length };
    }
    if (work.name === "ingest_tracked") {
      return { entries: JSON.parse(new TextDecoder().decode(body)), bytes: body.length };
    }
    return readBatch(body, (work as { format: BatchFormat }).format, isPacked);
  }
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

type Settled<Value> = { value: Value } | { error: unknown };

async function settled<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** Somebody else writes for long, or the disk is full: nobody's fault, and to be tried again. */
function isUnavailable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "unavailable" || /^SQLITE_(BUSY|FULL|IOERR)/.test(code ?? "");
}

function answer(number: number, outcome: Settled<Results[keyof Results]>): void {
  const send = (message: Answer) => parentPort?.postMessage(message);
  if ("value" in outcome) send({ number, result: outcome.value });
  else if (isUnavailable(outcome.error) && !(outcome.error instanceof Refusal)) {
    const { code } = outcome.error as { code: string };
    const message = `The database cannot be written now (${code}). Nothing was taken; try again.`;
    send({ number, refusal: { code: "unavailable", message } });
  } else if (outcome.error instanceof Refusal) {
    const { code, message } = outcome.error;
    send({ number, refusal: { code, message } });
  } else send({ number, failure: String((outcome.error as Error).stack ?? outcome.error) });
}

/** Takes jobs from the main thread until it is told to stop. */
export async function runWriter(
  { databaseUrl, setAsideMax }: { databaseUrl: string; setAsideMax: number },
  readers: Readers,
): Promise<void> {
  const writer = new Writer(await openDatabase(databaseUrl), setAsideMax, readers);
  parentPort?.on("message", (message) => writer.take(message));
}
