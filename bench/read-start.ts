// What a service with very many campaigns does after its start: how long others wait while its first request for records
// is answered, and how much memory it takes until it has answered random ones.

import { join } from "node:path";
import type { HoldUp, HoldUpJob } from "./hold-up.ts";
import { runProgram } from "./pinned.ts";
import { memoryOf } from "./process-figures.ts";
import { pageAddress, randomPages } from "./read-addresses.ts";
import { atMost, type Findings, spreadOf } from "./read-findings.ts";
import { type Effort, load } from "./read-in-turn.ts";
import { Servers } from "./read-servers.ts";
import type { World } from "./read-world.ts";

const script = join(import.meta.dirname, "hold-up.ts");

export function measureStart(large: World, findings: Findings, { runs, seconds }: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const holdUps: HoldUp[] = [];
    const memories: { peak: number; now: number }[] = [];
    const key = large.keys.read;
    for (let run = 0; run < runs; run++) {
      const server = await servers.ours(large);
      const job: HoldUpJob = { url: server.url, key, path: pageAddress(1) };
      holdUps.push(await runProgram<HoldUp>(script, job, "asking"));
      const subject = { name: "", server, key, paths: randomPages(large), hasOpenLoop: false };
      await load(subject, { seconds });
      const memory = memoryOf(server.child.pid ?? 0);
      if (memory) memories.push(memory);
      await servers.stop(server);
    }
    const many = large.campaigns.toLocaleString("en");
    if (memories.length > 0) {
      findings.ratios.push({
        name: `peak memory, ${many} campaigns, default settings`,
        values: memories.map(({ peak }) => peak),
        unit: "MB",
        goal: atMost(350),
      });
      const { median } = spreadOf(memories.map(({ now }) => now));
      findings.remarks.push(`${many} campaigns, default settings: ${median.toFixed(0)} MB at the end.`);
    }
    findings.ratios.push({
      name: `longest wait of others during the first page of ${many}`,
      values: holdUps.map(({ longestMs }) => longestMs),
      unit: "ms",
      goal: atMost(50),
    });
    const { least, median, most } = spreadOf(holdUps.map(({ firstMs }) => firstMs));
    findings.remarks.push(
      `The first page of ${many} after a start took ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}).`,
    );
  });
}
