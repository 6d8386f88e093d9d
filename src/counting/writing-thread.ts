// The thread of a serving process that writes what comes in by HTTP. Requests that come at the same time share one
// commit, and each is answered when that is on disk; meanwhile the main thread serves.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { readCountedCampaign } from "../campaign/counted-campaign.ts";
import { type ErrorCode, Refusal } from "../errors.ts";
import { type Database, openDatabase, type Queries } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import { removeCampaign } from "./close-campaigns.ts";
import { type BatchFormat, readBatch, readJson } from "./event-batch.ts";
import { type Entry, type IngestResult, ingestEvents } from "./ingest-events.ts";
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
    | { name: "save_campaign"; id: number }
    | { name: "remove_campaign"; id: number };
}

export interface Results {
  ingest_events: IngestResult;
  save_campaign: "added" | "changed" | "unchanged";
  /** Whether there was such a campaign. */
  remove_campaign: boolean;
}

export interface WritingThread {
  /**
   * Writes; when it returns, the change is on disk.
   *
   * @throws Refusal `unavailable` at once when too much waits already; any other that the work gives
   */
  write<Name extends keyof Results>(job: Job & { work: { name: Name } }): Promise<Results[Name]>;
  stop(): Promise<void>;
}

export interface WritingOptions {
  databaseUrl: string;
  /** Bytes of bodies that may wait to be written. */
  queueBytesMax: number;
  /** Events of one organization that may wait for their campaign. */
  setAsideMax: number;
}

interface Answer {
  number: number;
  result?: Results[keyof Results];
  refusal?: { code: ErrorCode; message: string };
  failure?: string;
}

/** The thread is started with the first thing to write, and again should it ever end. */
export function startWriting(options: WritingOptions): WritingThread {
  const waiting = new Map<number, { bytes: number; settle: (answer: Answer) => void }>();
  let bytes = 0;
  let last = 0;
  let worker: Worker | undefined;
  const settle = (answer: Answer) => {
    const job = waiting.get(answer.number);
    waiting.delete(answer.number);
    bytes -= job?.bytes ?? 0;
    job?.settle(answer);
  };
  const start = () => {
    const started = new Worker(new URL(import.meta.url), { workerData: { writing: options } });
    started.on("message", settle);
    let failure = "the writing thread ended";
    started.on("error", (error) => {
      failure = String((error as Error).stack ?? error);
    });
    started.once("exit", () => {
      worker = undefined;
      for (const number of [...waiting.keys()]) settle({ number, failure });
    });
    return started;
  };
  return {
    write(job) {
      if (bytes + job.body.length > options.queueBytesMax) {
        throw new Refusal(
          "unavailable",
          "More has come in than could be written yet. Nothing was taken; try again.",
        );
      }
      worker ??= start();
      const number = ++last;
      bytes += job.body.length;
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      waiting.set(number, {
        bytes: job.body.length,
        settle({ result, refusal, failure }) {
          if (refusal) reject(new Refusal(refusal.code, refusal.message));
          else if (failure !== undefined) reject(new Error(failure));
          else resolve(result as never);
        },
      });
      worker.postMessage({ number, job });
      return promise;
    },
    async stop() {
      if (!worker) return;
      const ended = new Promise<void>((resolve) => worker?.once("exit", () => resolve()));
      worker.postMessage("stop");
      await ended;
    },
  };
}

/** What one commit takes at most: it bounds how long the others wait, and the memory for unpacked bodies. */
const jobsPerCommit = 64;
const bytesPerCommit = 1024 * 1024;

/** A job that was read: what is left is to be done within a transaction. */
type Work = (queries: Queries) => Promise<Results[keyof Results]>;

/** The other side, within the thread. */
class Writer {
  readonly #database: Database;
  readonly #setAsideMax: number;
  readonly #queue: { number: number; job: Job }[] = [];
  #isStopping = false;
  #isWriting = false;

  constructor(database: Database, setAsideMax: number) {
    this.#database = database;
    this.#setAsideMax = setAsideMax;
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
    for (const { number, job } of this.#takeSome()) {
      const work = await settled(async () => this.#read(job));
      if ("value" in work) works.set(number, work.value);
      else answer(number, work);
    }
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
    for (const [number, work] of works) {
      answer(number, works.size === 1 ? all : await settled(() => this.#database.write(work)));
    }
  }

  #takeSome(): { number: number; job: Job }[] {
    let bytes = 0;
    let jobs = 0;
    for (const { job } of this.#queue.slice(0, jobsPerCommit)) {
      bytes += job.body.length;
      if (jobs > 0 && bytes > bytesPerCommit) break;
      jobs += 1;
    }
    return this.#queue.splice(0, jobs);
  }

  /** All that can be done before the transaction begins. */
  #read({ organizationId, now, body, isPacked, work }: Job): Work {
    const within = (
      then: (queries: Queries, organization: Organization) => Promise<Results[keyof Results]>,
    ) => {
      return async (queries: Queries) => {
        const organization = await findOrganization(queries, organizationId);
        if (!organization) throw new Refusal("unauthorized", "The organization of the API key was deleted.");
        return then(queries, organization);
      };
    };
    if (work.name === "remove_campaign") {
      return (queries) => removeCampaign(queries, organizationId, work.id, now);
    }
    if (work.name === "save_campaign") {
      const input = readJson(body, isPacked);
      return within((queries, organization) =>
        saveCampaign(queries, organization, { id: work.id, input, now }),
      );
    }
    const entries: Entry[] = readBatch(body, work.format, isPacked);
    const options = { now, setAsideMax: this.#setAsideMax };
    return within((queries, organization) => ingestEvents(queries, organization, entries, options));
  }
}

async function saveCampaign(
  queries: Queries,
  organization: Organization,
  { id, input, now }: { id: number; input: unknown; now: number },
): Promise<"added" | "changed" | "unchanged"> {
  const read = readCountedCampaign(id, input, organization.timeZone);
  if (!("faults" in read)) return saveCountedCampaign(queries, organization, read, now);
  const faults = read.faults.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new Refusal("bad_request", `${faults}.`);
}

type Settled<Value> = { value: Value } | { error: unknown };

async function settled<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

function answer(number: number, outcome: Settled<Results[keyof Results]>): void {
  const send = (message: Answer) => parentPort?.postMessage(message);
  if ("value" in outcome) send({ number, result: outcome.value });
  else if (outcome.error instanceof Refusal) {
    const { code, message } = outcome.error;
    send({ number, refusal: { code, message } });
  } else send({ number, failure: String((outcome.error as Error).stack ?? outcome.error) });
}

const { writing } = (workerData ?? {}) as { writing?: WritingOptions };
if (!isMainThread && writing) {
  const writer = new Writer(await openDatabase(writing.databaseUrl), writing.setAsideMax);
  parentPort?.on("message", (message) => writer.take(message));
}
