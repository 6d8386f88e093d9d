// Checks a page on paper: what its head says, what it leaves out, and whether the rest fits.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { pathOf } from "../../test/support/site.ts";
import { nowText } from "./spans.ts";
import type { Walk } from "./walk.ts";

/** A4 without the margins of the style sheet, at 96 pixels per inch. */
const paperWidth = Math.floor(((210 - 2 * 15) / 25.4) * 96);
const maxPages = 6;

/**
 * Checks what a page prints, and returns to the window.
 *
 * @param scope what the head says besides the organization and the time
 * @param kept selectors of what has to be on paper
 */
export async function printPage(
  { page, demo, way }: Walk,
  scope: readonly string[],
  kept: readonly string[],
): Promise<void> {
  const numbers = await numbersOn(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: paperWidth, height: way.window.viewport.height });
  const head = await page.locator(".print-header").innerText();
  for (const text of [demo.organization.name, nowText(demo), ...scope]) {
    assert.ok(head.includes(text), `${pathOf(page)} says "${head}" without "${text}"`);
  }
  const controls = page.locator(".rail, .toolbar, .tabs, .pages a, button, form, summary, [type=checkbox]");
  assert.equal(await controls.filter({ visible: true }).count(), 0);
  for (const each of kept) assert.ok(await page.locator(each).first().isVisible(), each);
  assert.deepEqual(await numbersOn(page), numbers);
  assert.deepEqual(await page.evaluate(cut), []);
  const ink = String(await page.evaluate("getComputedStyle(document.body).color"));
  assert.ok(
    (ink.match(/\d+/g) ?? []).every((part) => Number(part) < 80),
    `${ink} on white paper`,
  );
  const pdf = await page.pdf({ format: "A4" });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= 1 && pages <= maxPages, `${pages} pages`);
  await page.setViewportSize(way.window.viewport);
  await page.emulateMedia({ media: "screen" });
}

const numbersOn = (page: Page) =>
  page.locator(".metrics b, td.number").filter({ visible: true }).allInnerTexts();

/** Elements that the edge of the paper cuts, and tables of which a part is out of sight. */
const cut = `[...document.querySelectorAll("main *")]
  .filter((each) => each.checkVisibility() && !each.closest(".visually-hidden, svg"))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 || (each.matches(".table") && each.scrollWidth > each.clientWidth))
  .map((each) => each.outerHTML.slice(0, 120))`;
