// Measures the CPU time and memory of the process.

import type { PrometheusMetrics } from "./metrics.ts";

/** Sets the metrics of the process. Call it before each scrape. */
export function measureProcess(metrics: PrometheusMetrics): void {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  // A counter can only be increased, and the operating system keeps this one.
  metrics.process_cpu_seconds_total.reset();
  metrics.process_cpu_seconds_total.inc((user + system) / 1e6);
  metrics.process_resident_memory_bytes.set(rss);
  metrics.process_start_time_seconds.set(performance.timeOrigin / 1000);
  metrics.nodejs_heap_size_used_bytes.set(heapUsed);
  metrics.nodejs_heap_size_total_bytes.set(heapTotal);
  metrics.nodejs_external_memory_bytes.set(external);
}
