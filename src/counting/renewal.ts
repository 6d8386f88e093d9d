// Renews outdated records in the background, in a thread of its own, so that serving never waits for it.

import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Refusal } from "../errors.ts";
import { findOrganizationsToRenew } from "../storage/campaigns.ts";
import { type Database, openDatabase } from "../storage/database.ts";
import { renewRecords } from "./publish.ts";

/** So few that a writer who waits behind them waits for some ten milliseconds at most. */
const recordsPerTransaction = 200;
const pauseBetweenTransactionsMs = 10;
const pauseWhenDoneMs = 1_000;
const stoppingMsMax = 2_000;

export interface Renewal {
  stop(): Promise<void>;
}

/** Starts the thread; `onError` hears of failures, after which it goes on trying. */
export function startRenewal(databaseUrl: string, onError: (error: Error) => void): Renewal {
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

async function renewUntilStopped(databaseUrl: string): Promise<void> {
  const stopping = new AbortController();
  parentPort?.once("message", () => stopping.abort());
  let database: Database | undefined;
  while (!stopping.signal.aborted) {
    let renewed = 0;
    try {
      database ??= await openDatabase(databaseUrl);
      for (const id of await database.read(findOrganizationsToRenew)) {
        renewed += await database.write((queries) => renewRecords(queries, id, recordsPerTransaction));
      }
    } catch (error) {
      // That somebody writes for long is no failure: it is tried again.
      const isBusy = error instanceof Refusal && error.code === "unavailable";
      if (!isBusy) parentPort?.postMessage(String(error));
    }
    const rest = renewed > 0 ? pauseBetweenTransactionsMs : pauseWhenDoneMs;
    await pause(rest, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await database?.close();
}

if (!isMainThread && (workerData as { databaseUrl?: string } | null)?.databaseUrl) {
  await renewUntilStopped((workerData as { databaseUrl: string }).databaseUrl);
}
