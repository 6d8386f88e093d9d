// Finds accessibility problems with axe-core, and pages that scroll sideways.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { isFullSize } from "./random-cases.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** axe-core takes most of its time for rows that differ from others only in their text. */
const removeRepeatedRows = `for (const each of document.querySelectorAll("tbody > tr:nth-child(n + 5)")) each.remove()`;

/**
 * Runs all rules of axe-core on what a page shows. Removes rows that repeat themselves from the page, unless all tests have
 * their full size.
 *
 * @returns an empty list if there are no problems
 */
export async function findPageProblems(page: Page): Promise<string[]> {
  // axe-core would miss content that is still loading.
  await page.waitForLoadState();
  const excess = await findExcessWidth(page);
  if (!isFullSize) await page.evaluate(removeRepeatedRows);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  const problems = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
  return [...problems, ...excess];
}

/** Returns an empty list if the page does not scroll sideways. */
export async function findExcessWidth(page: Page): Promise<string[]> {
  const excess = Number(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  );
  return excess > 0 ? [`${excess} pixels wider than the window`] : [];
}
