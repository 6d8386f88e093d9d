// Monitoring of a serving process: where the metrics come from, and where Prometheus scrapes them.

import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics } from "prom-client";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Database } from "../../storage/queries/database.ts";
import { listenForPrometheus, type MetricsListener } from "./listen.ts";
import { measureMemory } from "./memory.ts";
import type { PrometheusMetrics } from "./metrics.ts";
import { countRequests, measureConnections } from "./requests.ts";
import { measureStorage, show, toSeconds } from "./storage.ts";

interface MonitoringOptions {
  app: FastifyInstance;
  database: Database;
  writer: WriterThread;
  /** When upkeep last ran; undefined in a process without it. */
  upkeepRanAt(): number | undefined;
  version: string;
  metrics: PrometheusMetrics;
  /** Where to listen for Prometheus. If null, the process exposes no metrics and counts no requests. */
  address: { host: string; port: number } | null;
}

export interface Monitoring {
  /**
   * Starts to listen for Prometheus, and to measure CPU time, memory and the event loop.
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
  writer,
  upkeepRanAt,
  version,
  metrics,
  address,
}: MonitoringOptions): Monitoring {
  if (address) countRequests(app, metrics);
  let listener: MetricsListener | undefined;
  return {
    async start() {
      if (!address) return undefined;
      collectDefaultMetrics({ register: metrics.registry });
      listener = await listenForPrometheus(address, async () => {
        await measureConnections(app, metrics);
        measureMemory(metrics);
        metrics.email_analytics_ingest_queue_bytes.set(writer.queuedBytes());
        await measureStorage(database, metrics);
        show(metrics.email_analytics_upkeep_last_run_timestamp_seconds, toSeconds(upkeepRanAt()));
        metrics.email_analytics_build_info.set({ version }, 1);
        return metrics.registry.metrics();
      });
      return listener.port;
    },
    async stop() {
      await listener?.stop();
    },
  };
}
