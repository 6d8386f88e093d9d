// A reporter for node --test that prints the twenty slowest tests at the end of a run.

import type { TestEvent } from "node:test/reporters";

const shown = 20;

/** @see https://nodejs.org/api/test.html#custom-reporters */
export default async function* slowestTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: { title: string; seconds: number }[] = [];
  for await (const { type, data } of source) {
    if ((type !== "test:pass" && type !== "test:fail") || data.nesting > 0) continue;
    // Node reports each file as a test of its own around the tests in it; see test/run.ts for the files.
    if (data.details.type === "suite" || /\.test\.(ts|mjs)$/.test(data.name)) continue;
    tests.push({ title: data.name, seconds: data.details.duration_ms / 1000 });
  }
  tests.sort((a, b) => b.seconds - a.seconds);
  yield `\nThe ${shown} slowest tests, in seconds:\n`;
  for (const { title, seconds } of tests.slice(0, shown)) {
    yield `${seconds.toFixed(1).padStart(6)}  ${title}\n`;
  }
}
