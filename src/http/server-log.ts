// Creates the log of a serving process: one JSON object a line, on standard error.

import { type DestinationStream, destination, type Logger, pino } from "pino";
import type { Settings } from "../config.ts";

/** @param isOneOfSeveral whether other processes write to the same standard error; lines then name their process */
export function createLog(
  { LOG_LEVEL, REGION }: Settings,
  { isOneOfSeveral }: { isOneOfSeveral: boolean },
): Logger {
  const base = { service: "email-analytics", region: REGION, ...(isOneOfSeveral && { pid: process.pid }) };
  return pino({ level: LOG_LEVEL, base }, createDestination(isOneOfSeveral));
}

/** What every pipe writes in one piece (PIPE_BUF of Linux): lines of several processes cannot cut each other. */
const atomicBytes = 4_096;

/**
 * Buffers lines for up to 50 ms: writing each line takes longer than answering a request. Lines that cannot be written
 * (a full disk, a pipe without a reader) are dropped, and the service goes on.
 */
function createDestination(isShared: boolean): DestinationStream {
  const buffer = { periodicFlush: 50, maxLength: 1_000_000 };
  const sizes = isShared ? { minLength: atomicBytes - 1, maxWrite: atomicBytes } : { minLength: 16_000 };
  const lines = destination({ dest: 2, sync: false, ...buffer, ...sizes });
  lines.on("error", () => undefined);
  process.once("exit", () => lines.flushSync());
  return lines;
}
