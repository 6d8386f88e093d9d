// A pull of everything: one page of 100 after the other on one connection, from a service that was just started, and then
// again, as tools do.

import { allPages, pageAddress } from "./read-addresses.ts";
import { atMost, type Findings, type Measured, timeRatio } from "./read-findings.ts";
import { type Effort, load } from "./read-in-turn.ts";
import type { Load } from "./read-load.ts";
import { answerOf, Servers } from "./read-servers.ts";
import type { World } from "./read-world.ts";

/** By the third, what is remembered is what stays so. */
const pulls = 3;

export function measurePull(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const source = await servers.ours(world);
    const answer = await answerOf(source, world, pageAddress(1));
    await servers.stop(source);
    const paths = allPages(world);
    const name = `a download of ${paths.length.toLocaleString("en")} pages`;
    const starts = {
      ceiling: () => servers.ceiling(answer),
      ours: () => servers.ours(world),
      work: () => servers.hourOfWork(world),
    };
    const pull = async (who: keyof typeof starts, times: number) => {
      const server = await starts[who]();
      const loads: Load[] = [];
      while (loads.length < times) {
        loads.push(await load({ name, server, key: world.keys.read, paths }, { ...effort, isPull: true }));
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
    for (let run = 0; run < effort.runs; run++) {
      const bare = await pull("ceiling", pulls);
      const ours = await pull("ours", pulls);
      by.bareFirst.runs.push(...bare.first);
      by.bareAgain.runs.push(...bare.last);
      by.first.runs.push(...ours.first);
      by.again.runs.push(...ours.last);
    }
    const work: Measured = { name: `${name}: baseline`, runs: (await pull("work", 1)).first };
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
