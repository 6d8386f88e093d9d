// An open-loop load: requests are sent at fixed times, however long the responses take.

import type { Connection } from "./connection.ts";

/** Times in milliseconds of `performance.now()`. */
export interface TimedRequest {
  dueAt: number;
  /** Measured from the scheduled time, so that it includes the wait for a free connection. */
  latency: number;
}

/** Timers can be late by a little more than this. */
const timerLatenessMs = 2;

/**
 * Requests are due at fixed times. A request that finds no free connection waits for one, and is sent even after the end:
 * otherwise the longest waits would be missing.
 *
 * @param isExact polls the clock to send in time, which uses a whole CPU
 */
export function openLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { rate, isExact, isOver }: { rate: number; isExact: boolean; isOver: () => boolean },
): Promise<TimedRequest[]> {
  const finished: TimedRequest[] = [];
  const idle = [...connections];
  const startedAt = performance.now();
  let sent = 0;
  let endAt = Number.POSITIVE_INFINITY;
  const dueAt = () => startedAt + (sent * 1000) / rate;
  return new Promise((resolve) => {
    const send = () => {
      if (isOver()) endAt = Math.min(endAt, performance.now());
      while (dueAt() <= Math.min(performance.now(), endAt)) {
        const connection = idle.pop();
        if (!connection) break;
        connection.dueAt = dueAt();
        sent += 1;
        connection.send(next());
      }
      if (dueAt() > endAt && idle.length === connections.length) {
        resolve(finished);
        return;
      }
      const waitMs = dueAt() - performance.now();
      if (isExact && waitMs < timerLatenessMs) setImmediate(send);
      else setTimeout(send, Math.max(1, isExact ? waitMs - timerLatenessMs : waitMs));
    };
    for (const connection of connections) {
      connection.onResponse = () => {
        finished.push({ dueAt: connection.dueAt, latency: performance.now() - connection.dueAt });
        idle.push(connection);
      };
    }
    send();
  });
}
