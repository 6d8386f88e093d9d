// Finds accessibility problems with axe-core, and pages that scroll sideways.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Runs all rules of axe-core. Returns an empty list if there are no problems. */
export async function findPageProblems(page: Page): Promise<string[]> {
  // axe-core would miss content that is still loading.
  await page.waitForLoadState();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  const problems = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
  return [...problems, ...(await findExcessWidth(page))];
}

/** Returns an empty list if the page does not scroll sideways. */
export async function findExcessWidth(page: Page): Promise<string[]> {
  const excess = Number(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  );
  return excess > 0 ? [`${excess} pixels wider than the window`] : [];
}
