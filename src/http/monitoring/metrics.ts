// Every measurement that a process gives away: its name, its kind and what it means. The text that Prometheus reads and
// the documentation come from this table.

import type { Histogram } from "./histogram.ts";

interface Measurement {
  type: "counter" | "gauge" | "histogram";
  /** In words without a full stop. */
  meaning: string;
}

/** Names that other programs on Node have as well stand without ours, so that dashboards fit. */
export const measurements = {
  email_analytics_event_loop_delay_seconds: {
    type: "histogram",
    meaning:
      "How long the event loop would have kept a request waiting that came in at that moment, for moments 10 ms apart",
  },
  email_analytics_event_loop_delay_longest_seconds: {
    type: "gauge",
    meaning: "The longest such delay within the current minute and the one before it",
  },
  email_analytics_event_loop_held_up_total: {
    type: "counter",
    meaning: "How many times the event loop was held up for more than 50 ms",
  },
  email_analytics_requests_total: {
    type: "counter",
    meaning: "Requests that were answered, by route, method and class of the status",
  },
  email_analytics_request_duration_seconds: {
    type: "histogram",
    meaning: "From the head of a request to the end of its answer, by route and method",
  },
  email_analytics_connections: {
    type: "gauge",
    meaning: "Connections that are open; `MAX_CONNECTIONS` bounds them",
  },
  email_analytics_events_total: {
    type: "counter",
    meaning:
      "Events that came in by HTTP, by what became of them: accepted, repeated, quarantined or refused",
  },
  email_analytics_ingest_queue_bytes: {
    type: "gauge",
    meaning: "Bytes of bodies that come in or wait to be written; `INGEST_QUEUE_BYTES` bounds them",
  },
  process_cpu_seconds_total: {
    type: "counter",
    meaning: "Time of the processor, of all threads of the process",
  },
  process_resident_memory_bytes: { type: "gauge", meaning: "Memory that the process takes, all in all" },
  process_start_time_seconds: {
    type: "gauge",
    meaning: "When the process began, in seconds since 1970",
  },
  nodejs_heap_size_used_bytes: {
    type: "gauge",
    meaning: "The part of the heap that is in use, of the main thread alone",
  },
  nodejs_heap_size_total_bytes: { type: "gauge", meaning: "The heap of the main thread" },
  nodejs_external_memory_bytes: {
    type: "gauge",
    meaning: "Memory outside of that heap which is held from within, such as bodies",
  },
} as const satisfies Record<string, Measurement>;

export type MeasurementName = keyof typeof measurements;

/** What was measured at one time: for each name its values, told apart by their labels. */
export type Measured = Partial<Record<MeasurementName, Sample[]>>;

export interface Sample {
  /** Never anything of organizations, keys or persons, and nothing that a caller can make up. */
  labels?: Record<string, string>;
  value: number | Histogram;
}
