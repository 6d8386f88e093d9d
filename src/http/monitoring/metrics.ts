// Every metric of our own that a process exposes to Prometheus. The registry and the documentation are made from this table.

import { Counter, Gauge, Histogram, Registry } from "prom-client";

interface MetricDefinition {
  type: "counter" | "gauge" | "histogram";
  /** One sentence without a full stop. */
  meaning: string;
  /** Labels never tell organizations, keys or people, and have no value that a client can make up. */
  labels?: readonly string[];
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

export const metricDefinitions = {
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
  email_analytics_memory_bytes: {
    type: "gauge",
    meaning: "Memory that the system cannot get back from files (`RssAnon`); on Linux",
  },
  email_analytics_memory_limit_bytes: {
    type: "gauge",
    meaning: "Memory limit of the container",
  },
  email_analytics_ingest_queue_bytes: {
    type: "gauge",
    meaning: "Request bodies that arrive or wait; `INGEST_QUEUE_BYTES` limits them",
  },
  email_analytics_database_up: {
    type: "gauge",
    meaning: "1 if the database answered within two seconds; otherwise 0, without the metrics below",
  },
  email_analytics_database_read_only: {
    type: "gauge",
    meaning: "1 while the disk of the SQLite file is full or read-only",
  },
  email_analytics_database_bytes: { type: "gauge", meaning: "Size of the database" },
  email_analytics_database_log_bytes: {
    type: "gauge",
    meaning: "Size of the write-ahead log of a SQLite file",
  },
  email_analytics_disk_free_bytes: { type: "gauge", meaning: "Free space on the disk of a SQLite file" },
  email_analytics_database_connections: {
    type: "gauge",
    meaning: "Connections to PostgreSQL for reading, by state: used, idle, or waiting",
    labels: ["state"],
  },
  email_analytics_quarantined_events: {
    type: "gauge",
    meaning: "Quarantined events of all organizations",
  },
  email_analytics_quarantine_oldest_timestamp_seconds: {
    type: "gauge",
    meaning: "When the oldest of these events arrived",
  },
  email_analytics_mail_pending: {
    type: "gauge",
    meaning: "Mails and messages to chats that are due or retried",
  },
  email_analytics_mail_undelivered: {
    type: "gauge",
    meaning: "Mails and messages of the last 60 days that were refused, given up or interrupted",
  },
  email_analytics_upkeep_last_run_timestamp_seconds: {
    type: "gauge",
    meaning: "When the upkeep of this process was last done, or started",
  },
  email_analytics_last_backup_timestamp_seconds: {
    type: "gauge",
    meaning: "When the last backup was made",
  },
  email_analytics_last_restore_test_timestamp_seconds: {
    type: "gauge",
    meaning: "When `rehearse` last proved a backup",
  },
  email_analytics_refused_credentials_total: {
    type: "counter",
    meaning: "Requests refused with 401, or 429 at sign-in, by credential: key or sign_in",
    labels: ["credential"],
  },
  email_analytics_build_info: {
    type: "gauge",
    meaning: "Always 1; its label is the version of the program",
    labels: ["version"],
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
