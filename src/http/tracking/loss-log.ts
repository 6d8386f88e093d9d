// Logs events that could not be written. They are lost: mail clients do not retry.

import type { Logger } from "pino";

/** The log gets at most one line per interval, so that a flood of lost events does not flood it. */
const intervalMs = 10_000;

export interface LossLog {
  add(events: number, reason: string): void;
  /** Logs the events that were lost since the last line. */
  flush(): void;
}

export function startLossLog(log: Logger): LossLog {
  let lost = 0;
  let lastReason = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lost > 0)
      log.error({ lost_events: lost, reason: lastReason }, "events of tracked messages were lost");
    lost = 0;
  };
  return {
    add(events, reason) {
      lost += events;
      lastReason = reason;
      timer ??= setTimeout(flush, intervalMs).unref();
    },
    flush,
  };
}
