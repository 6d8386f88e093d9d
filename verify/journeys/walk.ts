// A walk: a journey through pages in one window, in one of the ways in which people use them.

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { Role } from "../../src/access/role.ts";
import { findExcessWidth, findPageProblems } from "../../test/support/axe.ts";
import type { WindowOptions } from "../../test/support/browser.ts";
import type { DemoSite } from "../../test/support/demo-site.ts";
import { pathOf, type Site } from "../../test/support/site.ts";
import { Finger, type Hand, Keys, Mouse, type TabStops } from "./hands.ts";

export interface Way {
  name: string;
  hand: "mouse" | "finger" | "keys";
  hasScript: boolean;
  window: {
    viewport: { width: number; height: number };
    colorScheme: "light" | "dark";
    hasTouch?: boolean;
    isMobile?: boolean;
  };
}

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** By keys alone, then on both devices in both themes, with and without the script. */
export const ways: readonly Way[] = [
  { name: "by keys", hand: "keys", hasScript: true, window: { ...desk, colorScheme: "light" } },
  ...([phone, desk] as const).flatMap((device) =>
    (["dark", "light"] as const).flatMap((colorScheme) =>
      [false, true].map(
        (hasScript): Way => ({
          name: `${device.viewport.width} px, ${colorScheme}, ${hasScript ? "with" : "without"} the script`,
          hand: device === phone ? "finger" : "mouse",
          hasScript,
          window: { ...device, colorScheme },
        }),
      ),
    ),
  ),
];

export interface Journey {
  name: string;
  role: Role;
  walk(walk: Walk): Promise<void>;
}

export interface Walk {
  demo: DemoSite;
  page: Page;
  way: Way;
  hand: Hand;
  /** Another user, in another window. */
  as(role: Role): Promise<Walk>;
  /** Opens a page by its URL. */
  open(path: string): Promise<void>;
  /** Opens a page by the navigation. */
  navigate(name: string): Promise<void>;
  /** Checks that the page fits the window and is accessible. */
  look(): Promise<void>;
}

export interface WalkOptions {
  demo: DemoSite;
  way: Way;
  /** Whether axe-core looks at each stop too. */
  hasAxe: boolean;
  tabStops: TabStops;
}

/** @throws Error that says in which journey, way and page its cause happened */
export async function takeWalk(journey: Journey, options: WalkOptions): Promise<void> {
  const windows: Page[] = [];
  try {
    await journey.walk(await beginWalk(journey.role, options, windows));
  } catch (cause) {
    const at = windows.map(pathOf).join(", ");
    throw new Error(`${journey.name} (${options.way.name}) at ${at}`, { cause });
  } finally {
    for (const page of windows) await page.context().close();
  }
}

/** @param windows gets the window of the walk */
async function beginWalk(role: Role, options: WalkOptions, windows: Page[]): Promise<Walk> {
  const { demo, way, hasAxe, tabStops } = options;
  const { organization, site } = demo;
  const window = { javaScriptEnabled: way.hasScript, ...way.window };
  const page = await site.openWindowOf(role, { organization, ...window });
  windows.push(page);
  const hand = handOf(way, page, tabStops);
  // axe-core is a script.
  const inspector = hasAxe && !way.hasScript ? await openInspector(site, way.window) : undefined;
  if (inspector) windows.push(inspector);
  return {
    ...{ demo, page, way, hand },
    as: (other) => beginWalk(other, options, windows),
    async open(path) {
      await page.goto(site.url + path);
    },
    async navigate(name) {
      const menu = page.locator(".menu-button");
      if (await menu.isVisible()) await hand.press(menu);
      await hand.follow(page.locator(".rail nav").getByRole("link", { name, exact: true }));
    },
    async look() {
      const shown = inspector ? await copyTo(inspector, page) : page;
      const problems = hasAxe ? findPageProblems(shown) : findExcessWidth(shown);
      assert.deepEqual(await problems, [], pathOf(page));
    },
  };
}

/** Opens a window with scripts, for {@link copyTo}, in the origin from which pages load their style. */
async function openInspector(site: Site, window: WindowOptions): Promise<Page> {
  const page = await site.openWindow(window);
  await page.goto(`${site.url}/sign-in`);
  return page;
}

/** Shows a page as it is in another window. */
async function copyTo(copy: Page, page: Page): Promise<Page> {
  await copy.setContent((await page.content()).replaceAll(/<script\b[^>]*><\/script>|<\/?noscript>/g, ""));
  return copy;
}

function handOf({ hand }: Way, page: Page, tabStops: TabStops): Hand {
  if (hand === "keys") return new Keys(page, tabStops);
  return hand === "finger" ? new Finger(page) : new Mouse(page);
}

/** Opens a menu. On phones, several share a sheet behind a button. */
export async function openMenu({ page, hand }: Walk, menu: Locator): Promise<void> {
  if (!(await menu.isVisible())) {
    const id = await menu.evaluate((element) => element.closest("[popover]").id);
    await hand.press(page.locator(`.fold-button[popovertarget="${id}"]`));
  }
  await hand.press(menu);
}

/** Opens a menu and follows one of its links. */
export async function choose(walk: Walk, menu: Locator, choice: string): Promise<void> {
  const { page, hand } = walk;
  await openMenu(walk, menu);
  await hand.follow(page.locator("details[open]").getByRole("link", { name: choice, exact: true }));
}

/** The menus above a page by their labels; the first is the period. */
export const menuOf = ({ page }: Walk, label = "") =>
  page.locator(".toolbar summary").filter({ hasText: label }).first();

/** Checks that people see an element: it is in the window from its left to its right edge. */
export async function assertInSight({ page, way }: Walk, target: Locator): Promise<void> {
  const { x = -1, width = 0 } = (await target.boundingBox()) ?? {};
  assert.ok(x >= 0 && x + width <= way.window.viewport.width, `${target} at ${pathOf(page)}: ${x}, ${width}`);
}
