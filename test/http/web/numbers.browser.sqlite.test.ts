// The numbers in a real browser: filters in the URL, and charts with the API's sums.

import assert from "node:assert/strict";
import test, { after, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { Role } from "../../../src/access/role.ts";
import type { FeedField, FeedRecord } from "../../../src/campaign/feed/feed-fields.ts";
import { defaultColumns } from "../../../src/http/web/campaigns/campaign-columns.ts";
import { languages } from "../../../src/locale/preferred-language.ts";
import { closeBrowser, type WindowOptions } from "../../support/browser.ts";
import { sharedDemoSite } from "../../support/demo-site.ts";
import { isFullSize } from "../../support/random-cases.ts";
import { follow, pathOf, press, problemOn, rowsOf } from "../../support/site.ts";

after(closeBrowser);

/** Opens a window on the demo's data that closes with the test. */
async function openWindowOf(t: TestContext, role: Role, window: WindowOptions = {}): Promise<Page> {
  const { site, organization } = await sharedDemoSite();
  const page = await site.openWindowOf(role, { organization, ...window });
  t.after(() => page.context().close());
  return page;
}

const sum = (records: readonly FeedRecord[], name: FeedField) =>
  records.reduce((total, record) => total + Number(record[name] ?? 0), 0);
const formatMonth = new Intl.DateTimeFormat("en", { timeZone: "UTC", year: "numeric", month: "short" });
const rate = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)}%`;
const metricsOn = async (page: Page) =>
  (await page.locator(".metrics li").allTextContents()).map((text) => text.replaceAll(/\s+/g, " ").trim());

test("keeps the filters of the overview in the URL, and shows the sums of the API's records", async (t) => {
  const { site, records: everything } = await sharedDemoSite();
  const page = await openWindowOf(t, "viewer");
  await page.goto(site.url);
  const all = await metricsOn(page);
  // Tables that do not scroll are no tab stops.
  await page.locator(".table[tabindex]:visible").first().waitFor({ state: "detached" });
  const open = (menu: string) => page.locator("summary", { hasText: menu }).first().click();
  await open("Last 90 days");
  await follow(page, "All time");
  assert.equal(pathOf(page), "/?period=all");
  assert.notDeepEqual(await metricsOn(page), all);

  await open("All time");
  await page.getByLabel("From", { exact: true }).fill("2026-03-01");
  await page.getByLabel("Until", { exact: true }).fill("2026-09-30");
  await press(page, "Apply");
  await open("All teams");
  await follow(page, "Human Resources");
  await open("Tags");
  const tag = page.getByLabel("Benefits");
  const id = await tag.getAttribute("value");
  await tag.check();
  await press(page, "Apply");
  const { searchParams } = new URL(page.url());
  assert.deepEqual(Object.fromEntries(searchParams), {
    ...{ from: "2026-03-01", until: "2026-09-30", team: "Human Resources", tag_ids: id },
  });
  await open("1 tag");
  assert.ok(await page.getByLabel("Benefits").isChecked());

  const records = everything.filter(({ sent_on, organization_team, tags }) => {
    const isInSpan = sent_on >= "2026-03-01" && sent_on <= "2026-09-30";
    return (
      isInSpan && organization_team === "Human Resources" && tags.some(({ name }) => name === "Benefits")
    );
  });
  assert.ok(records.length > 1);
  const monthOf = ({ sent_on }: FeedRecord) => formatMonth.format(Date.parse(sent_on));
  const settledUntil = site.world.clock.now - 7 * 86_400_000;
  const settled = records.filter(({ sent_at }) => Date.parse(sent_at) <= settledUntil);
  const months = [...new Set(settled.map(monthOf))].toReversed();
  const expected = months.map((month) => {
    const some = settled.filter((record) => monthOf(record) === month);
    const recipients = sum(some, "recipient_count");
    return [month, rate(sum(some, "unique_opens"), recipients)];
  });
  /** Without ranges. */
  const trendOf = async (shownOn: Page) =>
    (await rowsOf(shownOn, "Open rate"))
      .map((row) => row.slice(0, 2).map((cell) => cell.replace(/ \(.*\)/, "")))
      .filter(([, openRate]) => openRate !== "– no value" && openRate !== "still counting");
  assert.deepEqual(await trendOf(page), expected);
  // A click opens the table.
  await page.locator(".data > summary").first().click();
  await page.locator("caption", { hasText: /^Open rate$/ }).waitFor();
  const shown = await metricsOn(page);
  assert.match(shown[4] ?? "", new RegExp(`^Campaigns ${records.length} `));
  const openRate = rate(sum(settled, "unique_opens"), sum(settled, "recipient_count"));
  assert.ok(shown[0]?.startsWith(`Open rate ${openRate}`), String(shown[0]));

  const other = await openWindowOf(t, "admin");
  await other.goto(page.url());
  assert.deepEqual(await metricsOn(other), shown);
  assert.deepEqual(await trendOf(other), expected);
  await page.goto(`${site.url}/?from=2026-05-31&until=2026-03-01`);
  assert.match(await problemOn(page), /is later than Until: Mar 1, 2026/);
  const [from, until] = [page.getByLabel("From"), page.getByLabel("Until")];
  assert.deepEqual([await from.inputValue(), await until.inputValue()], ["2026-05-31", "2026-03-01"]);
  assert.ok(await from.isVisible(), "the menu is open");
});

test("fits charts with their axes on a phone, without JavaScript", async (t) => {
  const { site } = await sharedDemoSite();
  const page = await openWindowOf(t, "viewer");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/", "/campaigns/525"]) {
    await page.goto(site.url + path);
    const labels = page.locator(".plot").first().locator(".axis text, .area text:visible");
    const boxes = await Promise.all((await labels.all()).map((label) => label.boundingBox()));
    assert.ok(boxes.length >= 4, path);
    for (const box of boxes) assert.ok(box && box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
  }
});

/** The labels of the bands whose values a chart shows. */
const labelsShown = (page: Page) =>
  page.locator(".hit").evaluateAll((bands) =>
    bands
      .map((band) => band.querySelector(".tip"))
      .filter((tip) => tip.ownerDocument.defaultView.getComputedStyle(tip).opacity === "1")
      .map((tip) => tip.querySelector("b").firstChild.textContent),
  );

test("shows the values of a chart with arrow keys, and leaves it with one Tab", async (t) => {
  const { site } = await sharedDemoSite();
  const page = await openWindowOf(t, "viewer");
  for (const path of ["/?period=12m", "/campaigns/525"]) {
    await page.goto(site.url + path);
    const labels = await page.locator(".hits").first().locator("b").allTextContents();
    // The table is the next stop.
    const table = page.locator(".data summary").first();
    await table.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Home");
    assert.deepEqual(await labelsShown(page), [labels[0]]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await labelsShown(page), [labels[2]]);
    await page.keyboard.press("Tab");
    assert.ok(await table.evaluate((element) => element === element.ownerDocument.activeElement), path);
    assert.deepEqual(await labelsShown(page), []);
  }
});

test("shows the values of a chart under a finger, and follows a link with the second tap", async (t) => {
  const { site } = await sharedDemoSite();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await openWindowOf(t, "viewer", phone);
  const session = await page.context().newCDPSession(page);
  // The finger moves slowly and stops: browsers ignore a tap right after a fling.
  let timestamp = Date.now() / 1_000;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) => {
    timestamp += 0.2;
    return session.send("Input.dispatchTouchEvent", { type, timestamp, touchPoints });
  };
  for (const path of ["/?period=12m", "/campaigns/525"]) {
    await page.goto(site.url + path);
    const hits = page.locator(".hits").first();
    await hits.scrollIntoViewIfNeeded();
    const labels = await hits.locator("b").allTextContents();
    const { x, y, width, height } = (await hits.boundingBox()) ?? assert.fail(path);
    const middle = y + height / 2;
    const centerOf = (band: number) => x + ((band + 0.5) / labels.length) * width;
    const last = labels.length - 2;
    await touch("touchStart", [{ x: centerOf(1), y: middle }]);
    for (const band of [...labels.keys(), last].slice(2)) {
      await touch("touchMove", [{ x: centerOf(Math.min(band, last)), y: middle + 3 }]);
    }
    await touch("touchEnd", []);
    // Browsers tell pages of touches in their own time.
    const shown = (band: number) => hits.locator(".hit").nth(band).and(page.locator(".on")).waitFor();
    await shown(last);
    assert.deepEqual(await labelsShown(page), [labels[last]], path);
    const tip = await hits.locator(".hit").nth(last).locator(".tip").boundingBox();
    assert.ok(tip && tip.x >= 0 && tip.x + tip.width <= phone.viewport.width, JSON.stringify(tip));
    await page.touchscreen.tap(centerOf(3), middle);
    await shown(3);
    assert.deepEqual(await labelsShown(page), [labels[3]], path);
    assert.equal(pathOf(page), path);
    const url = await hits.locator(".hit").nth(3).getAttribute("href");
    await page.touchscreen.tap(centerOf(3), middle);
    if (url !== null) await page.waitForURL(site.url + url);
  }
});

test("fits one more column beside the default ones on a desk, in every language", async (t) => {
  const { site } = await sharedDemoSite();
  for (const locale of isFullSize ? languages : (["de", "fr"] as const)) {
    const page = await openWindowOf(t, "viewer", { locale, viewport: { width: 1280, height: 900 } });
    for (const column of ["click_to_open_rate", "comments"]) {
      await page.goto(`${site.url}/campaigns?period=all&columns=${defaultColumns},${column}`);
      const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)";
      const table = "document.querySelector('[data-list] .table')";
      assert.equal(await page.evaluate(`${hidden}(${table})`), 0, `${locale}: ${column}`);
    }
  }
});

test("covers no point of a chart by its values on a phone", async (t) => {
  const { site } = await sharedDemoSite();
  const page = await openWindowOf(t, "viewer", {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  await page.goto(`${site.url}/?period=12m`);
  for (const index of [1, 4, 7, 10]) {
    const band = page.locator(".hits .hit").nth(index);
    await band.tap();
    await band.and(page.locator(".on")).waitFor();
    const tip = await band.locator(".tip").boundingBox();
    const points = await band.locator("circle").all();
    const tops = await Promise.all(points.map(async (point) => (await point.boundingBox())?.y ?? 0));
    assert.ok(tip && tip.height > 0 && points.length > 0);
    assert.ok(Math.min(...tops) >= tip.y + tip.height, `${index}: ${tops} below ${tip.y + tip.height}`);
  }
});
