// Measures the CPU time of a request while another process on the same database ingests events of the same organization.

import { eventsPerSecond, registerForEvents } from "../support/event-stream.ts";
import { atMost, cpuRatio, type Findings, rangeOf } from "./findings.ts";
import { type Effort, measureInterleaved, runPageLoad } from "./measure-interleaved.ts";
import { randomPageUrls } from "./page-urls.ts";
import { Servers, withoutCache } from "./servers.ts";
import type { World } from "./world.ts";

export function measureDuringIngest(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const ingesting = await servers.ingestService(world);
    const startEvents = await registerForEvents(ingesting.url, world.keys.ingest);
    const server = await servers.service(world, { environment: withoutCache, argv: ["--only", "api"] });
    const paths = randomPageUrls(world);
    const perSecond = eventsPerSecond.toLocaleString("en");
    const name = "random pages, no events: service";
    const subject = { name, server, key: world.keys.read, paths, hasOpenLoop: false };
    const rates: number[] = [];
    const measureWithEvents = async () => {
      const sending = await startEvents();
      const measured = await runPageLoad(subject, effort);
      const { events, seconds } = await sending.end();
      rates.push(events / seconds);
      return measured;
    };
    const { alone, withEvents } = await measureInterleaved(
      {
        alone: subject,
        withEvents: {
          name: `random pages with ${perSecond} events per second: service`,
          measure: measureWithEvents,
        },
      },
      effort,
    );
    findings.ratios.push(
      cpuRatio(
        `CPU time of a request with ${perSecond} events per second vs. none`,
        withEvents,
        alone,
        atMost(1.5),
      ),
    );
    findings.figures.push(alone, withEvents);
    const { least, median, most } = rangeOf(rates);
    findings.notes.push(
      `With requests, the service took ${median.toFixed(0)} events per second (${least.toFixed(0)} to ${most.toFixed(0)}).`,
    );
  });
}
