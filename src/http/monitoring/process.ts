// What a process takes of its machine: time of the processor, and memory.

import type { Measured } from "./metrics.ts";

export function measureProcess(): Measured {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const values = {
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    process_start_time_seconds: performance.timeOrigin / 1000,
    nodejs_heap_size_used_bytes: heapUsed,
    nodejs_heap_size_total_bytes: heapTotal,
    nodejs_external_memory_bytes: external,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [{ value }]]));
}
