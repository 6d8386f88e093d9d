// Two ways to ask: as fast as the answers come, and at fixed times whatever became of the requests before.

import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "./connection.ts";

/** Times that a loop is made longer because nothing was answered. */
const longerMost = 20;

/**
 * Each connection sends the next request as soon as it has the answer to the one before.
 *
 * @param next the next request
 * @param note is called when the warming up is over, and again after the time: with how many answers there were so far
 */
export async function closedLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { warmupMs, ms, note }: { warmupMs: number; ms: number; note: (answers: number) => void },
): Promise<void> {
  let answers = 0;
  let isOver = false;
  const ended = connections.map(
    (connection) =>
      new Promise<void>((resolve) => {
        connection.onAnswer = () => {
          answers += 1;
          if (isOver) resolve();
          else connection.ask(next());
        };
        connection.ask(next());
      }),
  );
  await pause(warmupMs);
  const before = answers;
  note(before);
  await pause(ms);
  // On a machine that stands still for a moment it takes longer until there is anything to measure.
  for (let more = 0; answers === before && more < longerMost; more++) await pause(ms);
  note(answers);
  isOver = true;
  await Promise.all(ended);
}

/** A request of an open loop. Times in milliseconds, by the clock of `performance`. */
export interface BenchRequest {
  dueAt: number;
  /** From when it was due, not from when a connection was free for it. */
  latency: number;
}

/** A timer may be late by this, and a little more. */
const latenessMs = 2;

/**
 * Requests are due one after the other at fixed times. One that finds no connection free waits for one, and is sent even
 * when the time is over by then: the longest waits are at the end of a standstill.
 *
 * @param isExact waits for the times by looking at the clock all the time, which takes a whole processor
 */
export function openLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { rate, isExact, isOver }: { rate: number; isExact: boolean; isOver: () => boolean },
): Promise<BenchRequest[]> {
  const asked: BenchRequest[] = [];
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
        connection.ask(next());
      }
      if (dueAt() > endAt && idle.length === connections.length) {
        resolve(asked);
        return;
      }
      const waitMs = dueAt() - performance.now();
      if (isExact && waitMs < latenessMs) setImmediate(send);
      else setTimeout(send, Math.max(1, isExact ? waitMs - latenessMs : waitMs));
    };
    for (const connection of connections) {
      connection.onAnswer = () => {
        asked.push({ dueAt: connection.dueAt, latency: performance.now() - connection.dueAt });
        idle.push(connection);
      };
    }
    send();
  });
}
