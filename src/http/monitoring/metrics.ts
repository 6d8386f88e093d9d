// Every metric that a process exposes to Prometheus. The registry and the documentation are made from this table.

import { Counter, Gauge, Histogram, Registry } from "prom-client";

interface MetricDefinition {
  type: "counter" | "gauge" | "histogram";
  /** One sentence without a full stop. */
  meaning: string;
  /** Never anything about organizations, keys or people, and no value that a client can make up. */
  labels?: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

/** Names that other Node programs expose have no prefix, so that existing dashboards work. */
export const metricDefinitions = {
  email_analytics_event_loop_delay_seconds: {
    type: "histogram",
    meaning:
      "How long the event loop would have delayed a request that arrived at that moment, sampled every 10 ms",
    // The timer ticks in milliseconds, so smaller buckets would mean nothing.
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  },
  email_analytics_event_loop_delay_longest_seconds: {
    type: "gauge",
    meaning: "The longest such delay within the current and the previous minute",
  },
  email_analytics_event_loop_held_up_total: {
    type: "counter",
    meaning: "How many times the service itself blocked its event loop for more than 50 ms",
  },
  email_analytics_requests_total: {
    type: "counter",
    meaning: "Requests answered, by route, method and status class",
    labels: ["method", "route", "status"],
  },
  email_analytics_request_duration_seconds: {
    type: "histogram",
    meaning: "Time from the head of a request to the end of its response, by route and method",
    labels: ["method", "route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  email_analytics_connections: {
    type: "gauge",
    meaning: "Open connections; `MAX_CONNECTIONS` limits them",
  },
  email_analytics_events_total: {
    type: "counter",
    meaning: "Events received by HTTP, by outcome: accepted, repeated, quarantined or refused",
    labels: ["outcome"],
  },
  email_analytics_ingest_queue_bytes: {
    type: "gauge",
    meaning: "Bytes of request bodies that are arriving or queued; `INGEST_QUEUE_BYTES` limits them",
  },
  email_analytics_database_read_only: {
    type: "gauge",
    meaning: "1 while the SQLite file can only be read because its disk is full or read-only, otherwise 0",
  },
  process_cpu_seconds_total: {
    type: "counter",
    meaning: "CPU time of all threads of the process",
  },
  process_resident_memory_bytes: { type: "gauge", meaning: "Resident memory of the process" },
  process_start_time_seconds: { type: "gauge", meaning: "Start time of the process, in seconds since 1970" },
  nodejs_heap_size_used_bytes: {
    type: "gauge",
    meaning: "Used heap of the main thread",
  },
  nodejs_heap_size_total_bytes: { type: "gauge", meaning: "Total heap of the main thread" },
  nodejs_external_memory_bytes: {
    type: "gauge",
    meaning: "Memory outside the heap that JavaScript objects hold, such as request bodies",
  },
} as const satisfies Record<string, MetricDefinition>;

export type PrometheusMetricName = keyof typeof metricDefinitions;

const classes = { counter: Counter, gauge: Gauge, histogram: Histogram };

/** The metrics of one process: each as an instance of its class, by name. */
export type PrometheusMetrics = {
  readonly [Name in PrometheusMetricName]: InstanceType<
    (typeof classes)[(typeof metricDefinitions)[Name]["type"]]
  >;
} & { readonly registry: Registry };

/** Creates all metrics in a new registry: servers in the same process, as in tests, share nothing. */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const metrics = Object.entries<MetricDefinition>(metricDefinitions).map(([name, definition]) => {
    const { type, meaning, labels = [], buckets } = definition;
    const help = `${meaning.replaceAll("`", "")}.`;
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    return [name, new classes[type]({ ...options, ...(buckets && { buckets: [...buckets] }) })];
  });
  return { ...Object.fromEntries(metrics), registry };
}
