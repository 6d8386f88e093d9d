// Monitoring of a serving process: where the metrics come from, and where Prometheus scrapes them.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../../storage/database.ts";
import { type BlockedReport, type EventLoopMonitor, monitorEventLoop } from "./event-loop.ts";
import { listenForPrometheus, type MetricsListener } from "./listen.ts";
import type { PrometheusMetrics } from "./metrics.ts";
import { measureProcess } from "./process.ts";
import { countRequests, measureConnections } from "./requests.ts";

interface MonitoringOptions {
  app: FastifyInstance;
  database: Pick<Database, "writeProblem">;
  log: Logger;
  metrics: PrometheusMetrics;
  /** Where to listen for Prometheus. If null, the process exposes no metrics and counts no requests. */
  address: { host: string; port: number } | null;
}

export interface Monitoring {
  /**
   * Starts to monitor the event loop, and to listen for Prometheus.
   *
   * @returns the port for Prometheus, if there is one
   * @throws Error of the operating system if it cannot listen
   */
  start(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** Prepares monitoring. Call it before the server listens; nothing runs before `start`. */
export function createMonitoring({ app, database, log, metrics, address }: MonitoringOptions): Monitoring {
  if (address) countRequests(app, metrics);
  let loop: EventLoopMonitor | undefined;
  let listener: MetricsListener | undefined;
  return {
    async start() {
      loop = monitorEventLoop(metrics, (blocked) => warnOfBlockedLoop(log, blocked));
      if (!address) return undefined;
      listener = await listenForPrometheus(address, async () => {
        await measureConnections(app, metrics);
        measureProcess(metrics);
        metrics.email_analytics_database_read_only.set(database.writeProblem() === undefined ? 0 : 1);
        return metrics.registry.metrics();
      });
      return listener.port;
    },
    async stop() {
      loop?.stop();
      await listener?.stop();
    },
  };
}

function warnOfBlockedLoop(log: Logger, { ms, cpuMs, times }: BlockedReport): void {
  // Rounded up, so that a delay just above 50 ms is not logged as 50.
  log.warn({ ms: Math.ceil(ms), cpu_ms: Math.round(cpuMs), times }, "the event loop was held up");
}
