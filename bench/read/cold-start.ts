// Measures the service with many campaigns after its start: how long other requests wait during the first request for
// records, and the peak memory after requests for random pages.

import { join } from "node:path";
import { memoryOf } from "../support/process-stats.ts";
import { runWorker } from "../support/programs.ts";
import { atMost, type Findings, rangeOf } from "./findings.ts";
import type { FirstRequest, FirstRequestJob } from "./first-request.ts";
import { type Effort, runPageLoad } from "./measure-interleaved.ts";
import { pageUrl, randomPageUrls } from "./page-urls.ts";
import { Servers } from "./servers.ts";
import type { World } from "./world.ts";

const script = join(import.meta.dirname, "first-request.ts");

export function measureColdStart(large: World, findings: Findings, { runs, seconds }: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const firstRequests: FirstRequest[] = [];
    const memories: { peak: number; now: number }[] = [];
    const key = large.keys.read;
    for (let run = 0; run < runs; run++) {
      const server = await servers.service(large);
      const job: FirstRequestJob = { url: server.url, key, path: pageUrl(1) };
      firstRequests.push(await runWorker<FirstRequest>(script, job, "client"));
      const subject = { name: "", server, key, paths: randomPageUrls(large), hasOpenLoop: false };
      await runPageLoad(subject, { seconds });
      const memory = memoryOf(server.child.pid ?? 0);
      if (memory) memories.push(memory);
      await servers.stop(server);
    }
    const many = large.campaigns.toLocaleString("en");
    if (memories.length > 0) {
      findings.ratios.push({
        name: `peak memory of pages of the API, ${many} campaigns, default settings`,
        values: memories.map(({ peak }) => peak),
        unit: "MB",
        goal: atMost(350),
      });
      const { median } = rangeOf(memories.map(({ now }) => now));
      findings.notes.push(`${many} campaigns, default settings: ${median.toFixed(0)} MB at the end.`);
    }
    findings.ratios.push({
      name: `longest wait of other requests during the first page of ${many}`,
      values: firstRequests.map(({ longestMs }) => longestMs),
      unit: "ms",
      goal: atMost(50),
    });
    const { least, median, most } = rangeOf(firstRequests.map(({ firstMs }) => firstMs));
    findings.notes.push(
      `The first page of ${many} after a start took ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}).`,
    );
  });
}
