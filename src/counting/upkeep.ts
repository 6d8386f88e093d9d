// What has to be done from time to time, in a thread of its own, so that serving never waits for it: outdated records
// are renewed, campaigns are closed when their days are over, what they were counted from is cleared away, and events
// that waited too long are dropped.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { dayMs, minuteMs } from "../campaign/calendar/durations.ts";
import { AppError } from "../errors.ts";
import { findOrganizationsToRenew } from "../storage/campaigns/campaigns.ts";
import { findOrganizationsWithDue } from "../storage/campaigns/counted-campaigns.ts";
import type { Database, DatabaseOptions, Queries } from "../storage/database.ts";
import { takeLease } from "../storage/leases.ts";
import { findRetiredLedger } from "../storage/ledgers.ts";
import { openDatabase } from "../storage/open-database.ts";
import { lockOrganization } from "../storage/organizations.ts";
import { deleteExpired, findOrganizationsWithExpired } from "../storage/quarantine.ts";
import { clearRetired, closeDueCampaigns } from "./campaigns/close-campaigns.ts";
import { renewRecords } from "./publish.ts";

/** So few that a writer who waits behind them waits for some ten milliseconds at most. */
const recordsPerTransaction = 200;
const eventsPerTransaction = 1_000;
const pauseBetweenTransactionsMs = 10;
const pauseWhenDoneMs = 1_000;
/** Between two looks for what is due by the calendar. */
const calendarMs = minuteMs;
const stoppingMsMax = 2_000;
/** Of several processes one does it; should it be gone, another one after so long. */
const leaseMs = 30_000;

/** Events wait for their campaign so long. */
export const quarantineDays = 30;

export interface DatabaseOfUpkeep {
  url: string;
  options?: DatabaseOptions | undefined;
}

export interface Upkeep {
  stop(): Promise<void>;
}

/** Starts the thread, and again should it ever end; `onError` hears of failures, after which it goes on trying. */
export function startUpkeep({ url, options }: DatabaseOfUpkeep, onError: (error: Error) => void): Upkeep {
  let isStopping = false;
  let worker: Worker;
  let ended: Promise<void>;
  const start = () => {
    worker = new Worker(new URL(import.meta.url), { workerData: { upkeepOf: { url, options } } });
    worker.on("message", (message: string) => onError(new Error(message)));
    worker.on("error", onError);
    ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    void ended.then(() => {
      if (!isStopping) setTimeout(() => isStopping || start(), pauseWhenDoneMs).unref();
    });
  };
  start();
  return {
    async stop() {
      isStopping = true;
      worker.postMessage("stop");
      // It may be waiting for somebody else's long write; what it has not committed is undone.
      const cut = setTimeout(() => worker.terminate(), stoppingMsMax);
      await ended;
      clearTimeout(cut);
    },
  };
}

/** @returns whether there is more to do at once */
async function renew(database: Database): Promise<boolean> {
  let renewed = 0;
  for (const id of await database.snapshot(findOrganizationsToRenew)) {
    renewed += await database.transaction((queries) => renewRecords(queries, id, recordsPerTransaction));
  }
  return renewed > 0;
}

/**
 * What is due by the calendar at this time, in every organization. What fails in one does not keep the others waiting.
 *
 * @throws AggregateError of all that failed
 */
export async function doWhatIsDue(database: Database, now: number): Promise<void> {
  const receivedBefore = now - quarantineDays * dayMs;
  const errors: unknown[] = [];
  const doInEach = async (
    organizations: number[],
    doSome: (queries: Queries, id: number) => Promise<boolean>,
  ) => {
    for (const id of organizations) {
      try {
        while (await database.transaction((queries) => doSome(queries, id)));
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await doInEach(
    await database.snapshot((queries) => findOrganizationsWithDue(queries, now)),
    (queries, id) => closeDueCampaigns(queries, id, now),
  );
  const withExpired = (queries: Queries) => findOrganizationsWithExpired(queries, receivedBefore);
  await doInEach(await database.snapshot(withExpired), async (queries, id) => {
    await lockOrganization(queries, id);
    return deleteExpired(queries, id, { receivedBefore, limit: eventsPerTransaction });
  });
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
}

/** Does one kind of work after the other, again and again; what fails in one kind does not keep the others waiting. */
class Worklist {
  readonly #database: Database;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** A process that was killed may have left something to do. */
  #isShrunk = false;
  readonly #holder = randomUUID();
  #leasedUntil = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns whether there is more to do at once */
  async doSome(): Promise<boolean> {
    if (this.#database.isShared && !(await attempt(() => this.#hasLease()))) return false;
    const outcomes = [
      await attempt(() => renew(this.#database)),
      await attempt(() => this.#lookAtCalendar()),
      await attempt(() => this.#clear()),
    ];
    return outcomes.includes(true);
  }

  async #hasLease(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#leasedUntil) return true;
    const lease = { name: "upkeep", holder: this.#holder, ms: leaseMs } as const;
    const isMine = await this.#database.transaction((queries) => takeLease(queries, lease));
    if (isMine) this.#leasedUntil = now + leaseMs / 2;
    return isMine;
  }

  async #lookAtCalendar(): Promise<boolean> {
    if (performance.now() - this.#lookedAt < calendarMs) return false;
    this.#lookedAt = performance.now();
    await doWhatIsDue(this.#database, Date.now());
    return false;
  }

  async #clear(): Promise<boolean> {
    if (await this.#database.snapshot(findRetiredLedger)) {
      this.#isShrunk = false;
      return this.#database.transaction(clearRetired);
    }
    if (!this.#isShrunk) this.#isShrunk = await this.#database.shrink();
    return false;
  }
}

/** That somebody writes for long is no failure: it is tried again. */
async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    const all = error instanceof AggregateError ? error.errors : [error];
    const isWaiting = all.every((each) => each instanceof AppError && each.code === "unavailable");
    if (!isWaiting) parentPort?.postMessage(String(error));
    return false;
  }
}

async function workUntilStopped({ url, options }: DatabaseOfUpkeep): Promise<void> {
  const stopping = new AbortController();
  parentPort?.once("message", () => stopping.abort());
  const database = await openDatabase(url, options);
  const worklist = new Worklist(database);
  while (!stopping.signal.aborted) {
    const rest = (await worklist.doSome()) ? pauseBetweenTransactionsMs : pauseWhenDoneMs;
    await pause(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await database.close();
}

const { upkeepOf } = (workerData ?? {}) as { upkeepOf?: DatabaseOfUpkeep };
if (!isMainThread && upkeepOf !== undefined) await workUntilStopped(upkeepOf);
