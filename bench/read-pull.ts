// A pull of everything: one page of 100 after the other on one connection, from a service that was just started.

import { allPages, pageAddress } from "./read-addresses.ts";
import { atMost, type Findings, type Measured, timeRatio } from "./read-findings.ts";
import { type Effort, load, measureInTurn } from "./read-in-turn.ts";
import { answerOf, Servers } from "./read-servers.ts";
import type { World } from "./read-world.ts";

export function measurePull(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const source = await servers.ours(world);
    const answer = await answerOf(source, world, pageAddress(1));
    await servers.stop(source);
    const starts = {
      ceiling: () => servers.ceiling(answer),
      ours: () => servers.ours(world),
      work: () => servers.hourOfWork(world),
    };
    const paths = allPages(world);
    const name = `a pull of ${paths.length.toLocaleString("en")} pages`;
    const pull = async (who: keyof typeof starts) => {
      const server = await starts[who]();
      const subject = { name, server, key: world.keys.read, paths };
      const pulled = await load(subject, { ...effort, isPull: true });
      await servers.stop(server);
      return pulled;
    };
    const { ceiling, ours } = await measureInTurn(
      {
        ceiling: { name: `${name}: ceiling`, measure: () => pull("ceiling") },
        ours: { name: `${name}: service`, measure: () => pull("ours") },
      },
      effort,
    );
    const work: Measured = { name: `${name}: an hour's work`, runs: [await pull("work")] };
    findings.ratios.push(
      timeRatio(`time for ${name} in a row, to the ceiling`, ours, ceiling, atMost(2.5)),
      timeRatio(`time for ${name} by an hour's work, once, to the service`, work, ours),
    );
    findings.figures.push(ceiling, ours, work);
  });
}
