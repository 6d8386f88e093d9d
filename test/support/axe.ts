// What is wrong with a page for people who read, see or steer differently, as axe-core finds it; and whether it sticks out.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** In words; empty where nothing is. All rules of axe-core are asked. */
export async function findPageProblems(page: Page): Promise<string[]> {
  // What is still to come would be missed, or miss something.
  await page.waitForLoadState();
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
  const width = (await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )) as number;
  return width > 0 ? [...faults, `${width} pixels wider than the window`] : faults;
}
