// What has to be done from time to time, in a thread of its own, so that serving never waits for it: outdated records
// are renewed, campaigns are closed when their days are over, what they were counted from is cleared away, and events
// that waited too long are dropped.

import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Refusal } from "../errors.ts";
import { findOrganizationsToRenew } from "../storage/campaigns.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { findRetiredLedger } from "../storage/ledgers.ts";
import { listOrganizations } from "../storage/organizations.ts";
import { deleteSetAside } from "../storage/set-aside.ts";
import { clearRetired, closeDueCampaigns } from "./close-campaigns.ts";
import { renewRecords } from "./publish.ts";

/** So few that a writer who waits behind them waits for some ten milliseconds at most. */
const recordsPerTransaction = 200;
const pauseBetweenTransactionsMs = 10;
const pauseWhenDoneMs = 1_000;
/** Between two looks for what is due by the calendar. */
const calendarMs = 60_000;
const stoppingMsMax = 2_000;

/** Events wait for their campaign so long. */
export const setAsideDays = 30;
const dayMs = 86_400_000;

export interface Upkeep {
  stop(): Promise<void>;
}

/** Starts the thread; `onError` hears of failures, after which it goes on trying. */
export function startUpkeep(databaseUrl: string, onError: (error: Error) => void): Upkeep {
  const worker = new Worker(new URL(import.meta.url), { workerData: { databaseUrl } });
  worker.on("message", (message: string) => onError(new Error(message)));
  worker.on("error", onError);
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  return {
    async stop() {
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
  for (const id of await database.read(findOrganizationsToRenew)) {
    renewed += await database.write((queries) => renewRecords(queries, id, recordsPerTransaction));
  }
  return renewed > 0;
}

/** What is due by the calendar at this time, in every organization. */
export async function doWhatIsDue(database: Database, now: number): Promise<void> {
  const receivedBefore = now - setAsideDays * dayMs;
  for (const { id } of await database.read(listOrganizations)) {
    while (await database.write((queries) => closeDueCampaigns(queries, id, now)));
    await database.write((queries) => deleteSetAside(queries, id, { receivedBefore }));
  }
}

async function workUntilStopped(databaseUrl: string): Promise<void> {
  const stopping = new AbortController();
  parentPort?.once("message", () => stopping.abort());
  let database: Database | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  // A process that was killed may have left something to do.
  let isCleared = false;
  while (!stopping.signal.aborted) {
    let isBusy = false;
    try {
      database ??= await openDatabase(databaseUrl);
      isBusy = await renew(database);
      if (performance.now() - lookedAt > calendarMs) {
        await doWhatIsDue(database, Date.now());
        lookedAt = performance.now();
      }
      if (await database.read(findRetiredLedger)) {
        await database.write(clearRetired);
        isBusy = true;
        isCleared = false;
      } else if (!isCleared) {
        isCleared = await database.shrink();
      }
    } catch (error) {
      // That somebody writes for long is no failure: it is tried again.
      const isWaiting = error instanceof Refusal && error.code === "unavailable";
      if (!isWaiting) parentPort?.postMessage(String(error));
    }
    const rest = isBusy ? pauseBetweenTransactionsMs : pauseWhenDoneMs;
    await pause(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await database?.close();
}

if (!isMainThread && (workerData as { databaseUrl?: string; task?: string } | null)?.databaseUrl) {
  await workUntilStopped((workerData as { databaseUrl: string }).databaseUrl);
}
