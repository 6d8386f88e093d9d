// The measurements of a serving process: where they come from, and where Prometheus gets them.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { type EventLoopWatch, type HeldUp, watchEventLoop } from "./event-loop.ts";
import { listenForMonitoring, type MonitoringListener } from "./listen.ts";
import type { Measured } from "./metrics.ts";
import { measureProcess } from "./process.ts";
import { countRequests } from "./requests.ts";

export interface MonitoringOptions {
  app: FastifyInstance;
  log: Logger;
  /** Where Prometheus is answered; nowhere where it is null, and then no request is counted either. */
  address: { host: string; port: number } | null;
  /** What is measured elsewhere. */
  measureMore: () => Measured;
}

export interface Monitoring {
  /**
   * Watches the event loop from now on, and answers Prometheus.
   *
   * @returns the port on which it is answered, if it is
   * @throws Error of the system when it cannot listen
   */
  start(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** To be called before the server listens. Nothing is watched before `start`. */
export function monitor({ app, log, address, measureMore }: MonitoringOptions): Monitoring {
  const measureRequests = address && countRequests(app);
  let loop: EventLoopWatch | undefined;
  let listener: MonitoringListener | undefined;
  return {
    async start() {
      const watch = watchEventLoop((heldUp) => warn(log, heldUp));
      loop = watch;
      if (!address) return undefined;
      listener = await listenForMonitoring(address, async () => ({
        ...watch.measured(),
        ...(await measureRequests?.()),
        ...measureMore(),
        ...measureProcess(),
      }));
      return listener.port;
    },
    async stop() {
      loop?.stop();
      await listener?.stop();
    },
  };
}

/** Rounded up, since 50 would look as if nothing had happened. */
function warn(log: Logger, { ms, cpuMs, times }: HeldUp): void {
  log.warn({ ms: Math.ceil(ms), cpu_ms: Math.round(cpuMs), times }, "the event loop was held up");
}
