// Walks through the journeys of the web application in a real browser: on desktop and phone, in both themes, with and
// without the script, and by keys alone.

import { type DemoSite, openDemoSite } from "../../test/support/demo-site.ts";
import type { Cleanup } from "../../test/support/world.ts";
import type { TabStops } from "./hands.ts";
import { commentsOfWorst, savedView, twoCompared, worstOpenRates } from "./list-journeys.ts";
import { humanAgainstAll, monthOfChart, printedPage, resultsByTag } from "./overview-journeys.ts";
import { commentFound, recipientFound } from "./people-journeys.ts";
import { type Journey, takeWalk, type Way, ways } from "./walk.ts";

const journeys: readonly Journey[] = [
  commentsOfWorst,
  worstOpenRates,
  twoCompared,
  monthOfChart,
  commentFound,
  humanAgainstAll,
  recipientFound,
  savedView,
  printedPage,
  resultsByTag,
];

export interface JourneysOptions {
  /** By default one of its own. */
  demo?: DemoSite;
  /** In how many ways each journey is walked; fewer than all are shared out among the journeys. */
  ways: number;
  /** Whether axe-core looks at each stop too, which takes most of the time. */
  hasAxe: boolean;
  print: (line: string) => void;
}

/** @throws Error that names the journey, the way and the page on which something else was shown than expected */
export async function verifyJourneys({
  demo: given,
  ways: count,
  hasAxe,
  print,
}: JourneysOptions): Promise<void> {
  const steps: (() => unknown)[] = [];
  const cleanup: Cleanup = { after: (step) => void steps.unshift(step) };
  try {
    const demo = given ?? (await openDemoSite(cleanup));
    const tabStops: TabStops = { most: 0, target: "" };
    for (const [index, journey] of journeys.entries()) {
      const from = performance.now();
      const walked = waysOf(index, count);
      for (const way of walked) await takeWalk(journey, { demo, way, hasAxe, tabStops });
      print(`${journey.name}: ${walked.length} ways in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    }
    print(`by keys, a target took at most ${tabStops.most} presses of Tab (${tabStops.target})`);
  } finally {
    for (const step of steps) await step();
  }
}

/** Each journey starts with another way. */
function waysOf(journey: number, count: number): Way[] {
  return [...ways, ...ways].slice(journey, journey + Math.min(count, ways.length));
}
