// Random pages with nothing remembered: of fewer and of more campaigns, far back, of a month, and of tags; and how much
// memory the process of the many campaigns has taken by then.

import { memoryOf } from "./process-figures.ts";
import { allPages, monthPages, pageAddress, randomPages, tagPages } from "./read-addresses.ts";
import { atLeast, atMost, type Findings, rateRatio } from "./read-findings.ts";
import { type Effort, load, measureInTurn } from "./read-in-turn.ts";
import { answerOf, checkSame, nothingRemembered, Servers } from "./read-servers.ts";
import type { World } from "./read-world.ts";

export function measureRandom(small: World, large: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const ours = await servers.ours(small, { environment: nothingRemembered });
    const ofMany = await servers.ours(large, { environment: nothingRemembered });
    const work = await servers.hourOfWork(small);
    const ceiling = await servers.ceiling(await answerOf(ours, small, pageAddress(1)));
    const random = randomPages(small);
    const last = allPages(small).slice(-1);
    await checkSame(ours, work, small, [...random.slice(0, 10), ...last]);
    // What was just made is not in the memory of the system yet, as what is in use is.
    for (const [server, world] of [
      [ours, small],
      [ofMany, large],
    ] as const) {
      const subject = { name: "", server, key: world.keys.read, paths: allPages(world) };
      await load(subject, { ...effort, isPull: true });
    }
    const key = small.keys.read;
    const [few, many] = [small.campaigns, large.campaigns].map((count) => count.toLocaleString("en"));
    const by = await measureInTurn(
      {
        ceiling: { name: "a page of 100: ceiling", server: ceiling, key, paths: random },
        random: { name: `random pages of ${few}: service`, server: ours, key, paths: random },
        work: { name: `random pages of ${few}: baseline`, server: work, key, paths: random },
        many: {
          name: `random pages of ${many}: service`,
          server: ofMany,
          key: large.keys.read,
          paths: randomPages(large),
        },
        first: { name: "first page: service", server: ours, key, paths: [pageAddress(1)] },
        last: { name: "last page: service", server: ours, key, paths: last },
        month: {
          name: "random pages of random months: service",
          server: ours,
          key,
          paths: monthPages(small),
        },
        tags: {
          name: "random pages of three random tags: service",
          server: ours,
          key,
          paths: tagPages(small),
        },
      },
      effort,
    );
    findings.ratios.push(
      rateRatio(`random pages of 100 of ${few} vs. the ceiling`, by.random, by.ceiling, atLeast(0.35)),
      rateRatio(`random pages of 100 of ${few} vs. the baseline`, by.random, by.work),
      rateRatio(`random pages of ${many} vs. ${few}`, by.many, by.random, atLeast(0.9)),
      rateRatio("last page vs. first page", by.last, by.first, atLeast(0.95)),
      rateRatio("one month of ten years vs. all", by.month, by.random, atLeast(0.9)),
      rateRatio("three tags of twenty vs. all", by.tags, by.random, atLeast(0.4)),
    );
    findings.figures.push(...Object.values(by));
    const memory = memoryOf(ofMany.child.pid ?? 0);
    if (memory) {
      findings.ratios.push({
        name: `peak memory, ${many} campaigns, no cached responses`,
        values: [memory.peak],
        unit: "MB",
        goal: atMost(350),
      });
      findings.remarks.push(
        `${many} campaigns, no cached responses: ${memory.now.toFixed(0)} MB at the end.`,
      );
    }
  });
}
