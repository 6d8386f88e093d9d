// Measures random pages without cached responses: of fewer and more campaigns, the last page, of one month, and of tags.

import { atLeast, type Findings, rateRatio } from "./findings.ts";
import { type Effort, measureInterleaved, runPageLoad } from "./measure-interleaved.ts";
import { allPageUrls, monthPageUrls, pageUrl, randomPageUrls, tagPageUrls } from "./page-urls.ts";
import { checkSameRecords, fetchResponse, Servers, withoutCache } from "./servers.ts";
import type { World } from "./world.ts";

export function measureRandomPages(
  small: World,
  large: World,
  findings: Findings,
  effort: Effort,
): Promise<void> {
  return Servers.during(async (servers) => {
    const ours = await servers.service(small, { environment: withoutCache });
    const ofMany = await servers.service(large, { environment: withoutCache });
    const work = await servers.baseline(small);
    const ceiling = await servers.bareServer(await fetchResponse(ours, small, pageUrl(1)));
    const random = randomPageUrls(small);
    const last = allPageUrls(small).slice(-1);
    await checkSameRecords(ours, work, small, [...random.slice(0, 10), ...last]);
    // Loads the new databases into the cache of the operating system.
    for (const [server, world] of [
      [ours, small],
      [ofMany, large],
    ] as const) {
      const subject = { name: "", server, key: world.keys.read, paths: allPageUrls(world) };
      await runPageLoad(subject, { ...effort, isPull: true });
    }
    const key = small.keys.read;
    const [few, many] = [small.campaigns, large.campaigns].map((count) => count.toLocaleString("en"));
    const by = await measureInterleaved(
      {
        ceiling: { name: "a page of 100: ceiling", server: ceiling, key, paths: random },
        random: { name: `random pages of ${few}: service`, server: ours, key, paths: random },
        work: { name: `random pages of ${few}: baseline`, server: work, key, paths: random },
        many: {
          name: `random pages of ${many}: service`,
          server: ofMany,
          key: large.keys.read,
          paths: randomPageUrls(large),
        },
        first: { name: "first page: service", server: ours, key, paths: [pageUrl(1)] },
        last: { name: "last page: service", server: ours, key, paths: last },
        month: {
          name: "random pages of random months: service",
          server: ours,
          key,
          paths: monthPageUrls(small),
        },
        tags: {
          name: "random pages of three random tags: service",
          server: ours,
          key,
          paths: tagPageUrls(small),
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
  });
}
