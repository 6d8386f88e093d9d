// Limits how many pages are read from the database at once. Organizations take turns, and a request that waits for too long
// is refused, so that an overloaded process still answers as many requests in time as it can.

import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import { limitFairly } from "../../limits/limit-fairly.ts";
import { serverLimits } from "../server-limits.ts";

/**
 * On SQLite, a turn of the event loop reads this many pages: less than a millisecond of work. With longer turns, new
 * connections and health checks would wait.
 */
const minConcurrency = 2;
/** Connections for key lookups and health checks, which do not wait behind pages. */
const otherConnections = 2;
/** So many pages at once are no overload, however long each takes: a tool that requests pages in parallel has fewer. */
const fewPages = 32;
const busyMessage = "The service is busy. Try again.";

export type LimitPageReads = <Result>(organizationId: number, read: () => Promise<Result>) => Promise<Result>;

type WaitLimits = Record<"pageWaitMs" | "busyPageWaitMs", number>;

/**
 * Controlled delay (CoDel): a burst may wait for `pageWaitMs`. Once every page has waited for at least half of
 * `busyPageWaitMs` for that long, each may wait for `busyPageWaitMs` only: otherwise all of them would wait as long as the
 * first ones. Few pages may always wait for `pageWaitMs`.
 *
 * @param connections of the database
 * @returns a function that reads a page when it is the organization's turn
 * @throws AppError `unavailable` if the turn comes too late
 */
export function limitPageReads(connections: number, limits: WaitLimits = serverLimits): LimitPageReads {
  const { pageWaitMs, busyPageWaitMs } = limits;
  const concurrency = Math.max(minConcurrency, connections - otherConnections);
  // The number of connections limits how many wait.
  const inTurn = limitFairly({ concurrency, maxWaiting: Number.POSITIVE_INFINITY, fullMessage: busyMessage });
  let pending = 0;
  /** When a page last started after a short wait. */
  let shortWaitAt = 0;
  return (organizationId, read) => {
    const now = performance.now();
    const mustWait = pending >= concurrency;
    if (!mustWait) shortWaitAt = now;
    const isBusy = pending >= fewPages && now - shortWaitAt > pageWaitMs;
    const maxWaitMs = isBusy ? busyPageWaitMs : pageWaitMs;
    // A page that waits for no other is never refused, even if the process stood still.
    const giveUpAt = mustWait ? now + maxWaitMs : Number.POSITIVE_INFINITY;
    pending += 1;
    const caller = {
      key: String(organizationId),
      isKnown: true,
      // Refuses it even if no read ends.
      ...(mustWait && { maxWaitMs }),
    };
    const page = inTurn(caller, async () => {
      // SQLite reads synchronously: without a new turn, all waiting pages would block the event loop.
      await nextTurn();
      const startedAt = performance.now();
      if (startedAt > giveUpAt) throw new AppError("unavailable", busyMessage);
      if (startedAt - now < busyPageWaitMs / 2) shortWaitAt = startedAt;
      return read();
    });
    return page.finally(() => {
      pending -= 1;
    });
  };
}
