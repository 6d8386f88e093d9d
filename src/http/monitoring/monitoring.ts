// Monitoring of a serving process: where the metrics come from, and where Prometheus scrapes them.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../../storage/database.ts";
import { type BlockedReport, type EventLoopMonitor, monitorEventLoop } from "./event-loop.ts";
import { listenForPrometheus, type MetricsListener } from "./listen.ts";
import type { PrometheusMetrics } from "./metrics.ts";
import { measureProcess } from "./process.ts";
import { countRequests, measureConnections } from "./requests.ts";
import { measureStorage, show, toSeconds } from "./storage.ts";

interface MonitoringOptions {
  app: FastifyInstance;
  database: Database;
  /** When upkeep last ran; undefined in a process without it. */
  upkeepRanAt(): number | undefined;
  version: string;
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
export function createMonitoring({
  app,
  database,
  upkeepRanAt,
  version,
  log,
  metrics,
  address,
}: MonitoringOptions): Monitoring {
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
        await measureStorage(database, metrics);
        show(metrics.email_analytics_upkeep_last_run_timestamp_seconds, toSeconds(upkeepRanAt()));
        metrics.email_analytics_build_info.set({ version, node: process.versions.node }, 1);
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
