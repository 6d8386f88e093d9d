// Measures the same pages repeatedly, with default settings.

import { atLeast, type Findings, rateRatio } from "./findings.ts";
import { type Effort, measureInterleaved } from "./measure-interleaved.ts";
import { pageUrl } from "./page-urls.ts";
import { checkSameRecords, fetchResponse, Servers } from "./servers.ts";
import type { World } from "./world.ts";

const ten = pageUrl(1, 10);
const hundred = pageUrl(1);

export function measureRepeatedPages(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const ours = await servers.service(world);
    const logging = await servers.serviceWithLog(world);
    const work = await servers.baseline(world);
    await checkSameRecords(ours, work, world, [ten, hundred]);
    const answers = {
      ten: await fetchResponse(ours, world, ten),
      hundred: await fetchResponse(ours, world, hundred),
    };
    const ceilingOfTen = await servers.bareServer(answers.ten);
    const ceilingOfHundred = await servers.bareServer(answers.hundred);
    const ceilingOfUnchanged = await servers.bareServer304(answers.hundred);
    const key = world.keys.read;
    const askTen = { key, paths: [ten] };
    const askHundred = { key, paths: [hundred] };
    const askUnchanged = { ...askHundred, ifNoneMatch: answers.hundred.etag };
    const by = await measureInterleaved(
      {
        bareTen: { name: "the same page of 10: ceiling", server: ceilingOfTen, ...askTen },
        ten: { name: "the same page of 10: service", server: ours, ...askTen },
        workTen: { name: "the same page of 10: baseline", server: work, ...askTen },
        bareHundred: { name: "the same page of 100: ceiling", server: ceilingOfHundred, ...askHundred },
        hundred: { name: "the same page of 100: service", server: ours, ...askHundred },
        logged: {
          name: "the same page of 100: service with a log line per request",
          server: logging,
          ...askHundred,
        },
        workHundred: { name: "the same page of 100: baseline", server: work, ...askHundred },
        bareUnchanged: { name: "304: ceiling", server: ceilingOfUnchanged, ...askUnchanged },
        unchanged: { name: "304: service", server: ours, ...askUnchanged },
      },
      effort,
    );
    findings.ratios.push(
      rateRatio("the same page of 10 vs. the ceiling", by.ten, by.bareTen, atLeast(0.55)),
      rateRatio("the same page of 100 vs. the ceiling", by.hundred, by.bareHundred, atLeast(0.75)),
      rateRatio("the same with a log line per request", by.logged, by.bareHundred),
      rateRatio("a matching If-None-Match vs. an empty 304", by.unchanged, by.bareUnchanged, atLeast(0.5)),
      rateRatio("the same page of 10 vs. the baseline", by.ten, by.workTen),
      rateRatio("the same page of 100 vs. the baseline", by.hundred, by.workHundred),
    );
    findings.figures.push(...Object.values(by));
  });
}
