// Measures the memory of the process.

import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { PrometheusMetrics } from "./metrics.ts";
import { show } from "./storage.ts";

/** Sets the metrics of memory. Call it before each scrape. */
export function measureMemory(metrics: PrometheusMetrics): void {
  const limit = process.constrainedMemory();
  show(metrics.email_analytics_memory_bytes, anonymousMemory());
  // Without a limit some systems return 0, and others a number that is larger than any memory.
  show(metrics.email_analytics_memory_limit_bytes, limit > 0 && limit < totalmem() ? limit : undefined);
}

function anonymousMemory(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
