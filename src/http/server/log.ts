// Creates the log of a serving process: one JSON object a line, on standard error.

import { type DestinationStream, destination, type Logger, pino } from "pino";
import type { Settings } from "../../config.ts";

export function createLog({ LOG_LEVEL, REGION }: Settings): Logger {
  return pino(
    { level: LOG_LEVEL, base: { service: "email-analytics", region: REGION } },
    createDestination(),
  );
}

/**
 * Buffers lines for up to 50 ms: writing each line takes longer than answering a request. Lines that cannot be written
 * (a full disk, a pipe without a reader) are dropped, and the service goes on.
 */
function createDestination(): DestinationStream {
  const lines = destination({
    dest: 2,
    sync: false,
    periodicFlush: 50,
    minLength: 16_000,
    maxLength: 1_000_000,
  });
  lines.on("error", () => undefined);
  process.once("exit", () => lines.flushSync());
  return lines;
}
