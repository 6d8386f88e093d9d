// How a person uses a page: with a mouse, with a finger, or with keys alone.

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** A target that takes more is as good as out of reach. */
const maxKeys = 40;
/** Presses of Tab to a target: skip links, the kept focus and rows as one stop keep each near. */
const maxTabs = 20;

/** How often Tab was pressed to reach a target, at most, and where. */
export interface TabStops {
  most: number;
  target: string;
}

export abstract class Hand {
  /** Clicks, taps, or keys that activate something. */
  presses = 0;
  /** Keys that move the focus or activate something, without typed text. */
  keys = 0;
  protected readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a menu, selects a checkbox, or focuses a field. */
  abstract press(target: Locator): Promise<void>;

  /** Shows the values of a band of a chart, without following its link. */
  abstract point(band: Locator): Promise<void>;

  /** Presses a link or a button that leads to another page. */
  follow(target: Locator): Promise<void> {
    return this.#untilLoaded(() => this.press(target));
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.press(field);
    await this.page.keyboard.type(text);
  }

  /** Chooses one of the options of a field. */
  async select(field: Locator, option: string): Promise<void> {
    this.presses += 1;
    await field.selectOption(option);
  }

  /** Submits the form of the field that was written last. */
  submit(): Promise<void> {
    return this.#untilLoaded(() => this.pressKey("Enter"));
  }

  protected async pressKey(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async #untilLoaded(act: () => Promise<void>): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await act();
    await loaded;
  }
}

export class Mouse extends Hand {
  async press(target: Locator): Promise<void> {
    this.presses += 1;
    await target.click();
  }

  async point(band: Locator): Promise<void> {
    await band.hover();
  }
}

/** Its taps are touch events of the browser. */
export class Finger extends Hand {
  async press(target: Locator): Promise<void> {
    this.presses += 1;
    await target.tap();
  }

  /** The first tap on a band; the second one follows its link. */
  async point(band: Locator): Promise<void> {
    await band.tap();
    await band.and(this.page.locator(".on")).waitFor();
  }
}

/** Uses the shortcuts of a page where it has some, arrow keys in charts, and Tab otherwise. */
export class Keys extends Hand {
  readonly tabStops: TabStops;
  #isNewPage = true;

  constructor(page: Page, tabStops: TabStops) {
    super(page);
    this.tabStops = tabStops;
    page.on("load", () => {
      this.#isNewPage = true;
    });
  }

  async press(target: Locator): Promise<void> {
    this.presses += 1;
    const kind = await this.#reach(target);
    const isBox = await target.evaluate((element) => element.matches("[type=checkbox]"));
    await this.pressKey(isBox ? (kind === "row" ? "x" : "Space") : "Enter");
  }

  override async write(field: Locator, text: string): Promise<void> {
    await this.#reach(field);
    await this.page.keyboard.type(text);
  }

  /** Types the start of the option. */
  override async select(field: Locator, option: string): Promise<void> {
    await this.#reach(field);
    await this.page.keyboard.type(option);
  }

  async point(band: Locator): Promise<void> {
    await this.#reach(band);
  }

  async #reach(target: Locator): Promise<TargetKind> {
    await target.waitFor();
    const kind = await kindOf(target);
    if (kind === "search" || kind === "row") this.#isNewPage = false;
    if (kind === "search") await this.pressKey("/");
    else if (kind === "row") await this.#repeat(target, { back: "k", on: "j" }, isRowFocused);
    else if (kind === "band") {
      await this.#tabTo(this.page.locator(".plot", { has: target }).locator(".hit[tabindex='0']"));
      await this.#repeat(target, { back: "ArrowLeft", on: "ArrowRight" });
    } else await this.#tabTo(target);
    if (kind !== "row") assert.ok(await isInSight(target), `the focus of ${target} is not in sight`);
    return kind;
  }

  async #tabTo(target: Locator): Promise<void> {
    const skips = this.#isNewPage ? await skipLinksTo(target) : 0;
    this.#isNewPage = false;
    for (let skip = 0; skip < skips; skip++) await this.pressKey("Tab");
    if (skips > 0) await this.pressKey("Enter");
    const stops = skips + (await this.#repeat(target, { back: "Shift+Tab", on: "Tab" }));
    assert.ok(stops <= maxTabs, `${target} takes ${stops} presses of Tab`);
    if (stops > this.tabStops.most) Object.assign(this.tabStops, { most: stops, target: String(target) });
  }

  /** Presses a key until the target is reached. @returns how often */
  async #repeat(target: Locator, keys: { back: string; on: string }, isReached = isFocused): Promise<number> {
    for (let pressed = 0; pressed <= maxKeys; pressed++) {
      if (await isReached(target)) return pressed;
      await this.pressKey((await isBefore(target)) ? keys.back : keys.on);
    }
    assert.fail(`${target} takes more than ${maxKeys} keys`);
  }
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** The shortcuts focus the link of a row. */
const isRowFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.closest("tr").contains(element.ownerDocument.activeElement));

/** Which of the skip links of a new page leads closest to a target, from 1; 0 for none, and if the page kept the focus. */
const skipLinksTo = (target: Locator): Promise<number> =>
  target.evaluate((element) => {
    const page = element.ownerDocument;
    if (page.activeElement !== page.body) return 0;
    const isPast = ({ hash }: { hash: string }) =>
      (page.querySelector(hash).compareDocumentPosition(element) & element.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return [...page.querySelectorAll("body > .skip")].findLastIndex(isPast) + 1;
  });

/** Whether the target is before the focus. */
const isBefore = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { activeElement } = element.ownerDocument;
    return (element.compareDocumentPosition(activeElement) & element.DOCUMENT_POSITION_FOLLOWING) !== 0;
  });

/** By which keys a target is reached: a shortcut, arrow keys or Tab. */
type TargetKind = "search" | "row" | "band" | "other";

function kindOf(target: Locator): Promise<TargetKind> {
  return target.evaluate((element) => {
    const hasShortcuts = element.ownerDocument.getElementById("keys") !== null;
    if (hasShortcuts && element.matches("[role=search] [type=search]")) return "search";
    if (hasShortcuts && element.matches("[data-list] tbody :is(th a, [name=ids])")) return "row";
    return element.matches(".hit") ? "band" : "other";
  });
}

/** Whether the focus is visible, and nothing lies on top of it. */
function isInSight(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
    return element.matches(":focus-visible") && (element.contains(top) || top?.contains(element));
  });
}
