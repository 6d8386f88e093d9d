// Measures a download of all pages of 100 on one connection, from a service that was just started, and then again, as tools
// do.

import { atMost, type Findings, type Measured, timeRatio } from "./findings.ts";
import { type Effort, runPageLoad } from "./measure-interleaved.ts";
import type { Load } from "./page-load.ts";
import { allPageUrls, pageUrl } from "./page-urls.ts";
import { fetchResponse, Servers } from "./servers.ts";
import type { World } from "./world.ts";

/** The caches are warm after the second. */
const downloads = 3;

export function measureFullPull(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const source = await servers.service(world);
    const answer = await fetchResponse(source, world, pageUrl(1));
    await servers.stop(source);
    const paths = allPageUrls(world);
    const name = `a download of ${paths.length.toLocaleString("en")} pages`;
    const starts = {
      ceiling: () => servers.bareServer(answer),
      ours: () => servers.service(world),
      work: () => servers.baseline(world),
    };
    const pull = async (who: keyof typeof starts, times: number) => {
      const server = await starts[who]();
      const loads: Load[] = [];
      while (loads.length < times) {
        loads.push(
          await runPageLoad({ name, server, key: world.keys.read, paths }, { ...effort, isPull: true }),
        );
      }
      await servers.stop(server);
      return { first: loads.slice(0, 1), last: loads.slice(-1) };
    };
    const measured = (what: string): Measured => ({ name: what, runs: [] });
    const by = {
      bareFirst: measured(`${name}, first after a start: ceiling`),
      first: measured(`${name}, first after a start: service`),
      bareAgain: measured(`${name}, third: ceiling`),
      again: measured(`${name}, third: service`),
    };
    const work = measured(`${name}: baseline`);
    for (let run = 0; run < effort.runs; run++) {
      const bare = await pull("ceiling", downloads);
      const ours = await pull("ours", downloads);
      by.bareFirst.runs.push(...bare.first);
      by.bareAgain.runs.push(...bare.last);
      by.first.runs.push(...ours.first);
      by.again.runs.push(...ours.last);
      work.runs.push(...(await pull("work", 1)).first);
    }
    findings.ratios.push(
      timeRatio(`time for ${name}, third vs. the ceiling`, by.again, by.bareAgain, atMost(2.5)),
      timeRatio(
        `time for the first download after a start vs. the ceiling`,
        by.first,
        by.bareFirst,
        atMost(2.5),
      ),
      timeRatio(`time for ${name}, baseline vs. first of the service`, work, by.first),
    );
    findings.figures.push(...Object.values(by), work);
  });
}
