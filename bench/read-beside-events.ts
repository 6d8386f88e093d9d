// What a request costs while events come in for the same organization, through another process on the same database.

import { join } from "node:path";
import { registerCampaigns } from "../verify/service.ts";
import type { EventJob, EventsTaken } from "./event-load.ts";
import { begin } from "./pinned.ts";
import { randomPages } from "./read-addresses.ts";
import { atMost, type Findings, processorRatio, spreadOf } from "./read-findings.ts";
import { type Effort, load, measureInTurn } from "./read-in-turn.ts";
import { nothingRemembered, Servers } from "./read-servers.ts";
import type { World } from "./read-world.ts";

const campaigns = 10;
const eventsPerBatch = 50;
const batches = 100;
const script = join(import.meta.dirname, "event-load.ts");

export function measureBesideEvents(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const taking = await servers.beside(world);
    await registerCampaigns(taking.url, world.keys.ingest, campaigns);
    const server = await servers.ours(world, { environment: nothingRemembered, argv: ["--only", "api"] });
    const paths = randomPages(world);
    const perSecond = (eventsPerBatch * batches).toLocaleString("en");
    const name = "random pages, no events: service";
    const subject = { name, server, key: world.keys.read, paths, hasOpenLoop: false };
    const reached: number[] = [];
    const measureBeside = async () => {
      const job: EventJob = {
        url: taking.url,
        key: world.keys.ingest,
        campaigns,
        eventsPerBatch,
        batches,
        prefix: `run-${reached.length}`,
      };
      const sending = begin<EventsTaken>(script, job, "beside");
      await sending.begun;
      const measured = await load(subject, effort);
      const { events, seconds } = await sending.end();
      reached.push(events / seconds);
      return measured;
    };
    const { alone, beside } = await measureInTurn(
      {
        alone: subject,
        beside: {
          name: `random pages with ${perSecond} events per second: service`,
          measure: measureBeside,
        },
      },
      effort,
    );
    findings.ratios.push(
      processorRatio(
        `CPU time of a request with ${perSecond} events per second vs. none`,
        beside,
        alone,
        atMost(1.5),
      ),
    );
    findings.figures.push(alone, beside);
    const { least, median, most } = spreadOf(reached);
    findings.remarks.push(
      `With requests, the service took ${median.toFixed(0)} events per second (${least.toFixed(0)} to ${most.toFixed(0)}).`,
    );
  });
}
