// The campaigns page in a real browser: its selection, its focus, its bars on phones, and how it fits.

import assert from "node:assert/strict";
import test, { after, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { findPageProblems } from "../../../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../../../support/browser.ts";
import { isFullSize } from "../../../../support/random-cases.ts";
import { openSite } from "../../../../support/site.ts";
import { makeWebWorld, type WebWorld } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

after(closeBrowser);

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const tablet = { width: 768, height: 1024 };

/** Thirty campaigns of the quarter and ten earlier ones, with open rates in another order than their send times. */
async function makeFilledWorld(): Promise<WebWorld> {
  const web = await makeWebWorld({ after: (step) => steps.unshift(step) });
  const { world, organization } = web;
  const quarter = Date.UTC(2026, 3);
  const step = (world.clock.now - quarter) / 31;
  const campaigns = Array.from({ length: 40 }, (_, index) => {
    const isEarlier = index >= 30;
    const opens = isEarlier ? 10 : 2 * ((index * 7) % 30) + 40;
    return campaign({
      ...{ id: index + 1, team: index % 2 ? "Sales" : "Human Resources", recipientCount: 200 },
      subject: isEarlier ? `Earlier letter ${index + 1}` : `Letter ${index + 1}`,
      sentAt: isEarlier ? quarter - (index + 1) * 3_600_000 : quarter + (index + 0.5) * step,
      tags: [{ name: "Newsletter", color: "#4e79a7" }],
      metrics: { open_rate: opens / 200, unique_opens: opens, click_rate: 0.1, unique_clicks: 20 },
    });
  });
  await world.save(organization, campaigns);
  return web;
}

const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});
let shared: Promise<WebWorld> | undefined;

/** Opens a window of a viewer on a world that no test changes but for adding viewers. Errors in it fail the test at its end. */
async function open(t: TestContext, options: Parameters<typeof openBrowser>[1]): Promise<Page> {
  shared ??= makeFilledWorld();
  const web = await shared;
  const { secret } = await web.signIn("viewer");
  const problems: string[] = [];
  t.after(() => assert.deepEqual(problems, []));
  const context = await openBrowser(t, { baseURL: web.service.url, ...options });
  await context.addCookies([{ name: "ea_session", value: secret, url: web.service.url }]);
  const page = await context.newPage();
  page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  return page;
}

test("says how many campaigns are selected, and how many too many", async (t) => {
  const page = await open(t, { viewport: phone });
  await page.goto("/campaigns?period=quarter");
  const boxes = page.locator("[data-list] [name=ids]");
  const button = page.locator("#compare button");
  const select = async (from: number, until: number) => {
    for (let index = from; index < until; index++) await boxes.nth(index).check();
    return [(await button.innerText()).trim(), await button.isDisabled()];
  };
  const background = () =>
    page.evaluate("getComputedStyle(document.querySelector('#compare button')).backgroundColor");
  assert.deepEqual(await select(0, 1), ["Compare 1", true]);
  const disabled = await background();
  assert.deepEqual(await select(1, 3), ["Compare 3", false]);
  assert.notEqual(await background(), disabled);
  assert.deepEqual(await select(3, 7), ["Compare 7", true]);
  const hint = page.locator("#compare-hint[role=status]");
  const isShown = async () => ((await hint.boundingBox())?.height ?? 0) > 1;
  assert.equal(await isShown(), true);
  assert.equal(await hint.innerText(), "7 selected: remove 2");
  await boxes.nth(0).uncheck();
  await boxes.nth(1).uncheck();
  assert.equal(await button.isDisabled(), false);
  assert.equal(await isShown(), false, "five campaigns can be compared");
});

test("selects with a tap beside the box, without moving the list, and compares with Tab alone", async (t) => {
  const page = await open(t, { viewport: phone, hasTouch: true });
  await page.goto("/campaigns?period=quarter");
  const box = page.locator("[name=ids]").first();
  const before = (await box.boundingBox()) ?? { x: 0, y: 0 };
  await page.touchscreen.tap(before.x - 8, before.y - 8);
  assert.equal(await box.isChecked(), true);
  assert.deepEqual(await box.boundingBox(), before);

  await page.setViewportSize(desk);
  await page.goto("/campaigns?period=quarter");
  assert.ok(((await page.locator("#compare-hint").boundingBox())?.height ?? 0) <= 1);
  for (const row of [1, 2]) {
    await pressUntil(page, "Tab", `tbody tr:nth-child(${row}) [name=ids]`);
    await page.keyboard.press("Space");
  }
  await pressUntil(page, "Shift+Tab", "#compare button");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/campaigns\/compare\?.*ids=30&ids=29$/);
});

/** Presses a key until the focus matches. @returns how often */
async function pressUntil(page: Page, key: string, selector: string): Promise<number> {
  for (let pressed = 1; pressed <= 40; pressed++) {
    await page.keyboard.press(key);
    if (await page.locator(`${selector}:focus`).count()) return pressed;
  }
  return assert.fail(`${selector} takes more than 40 presses of ${key}`);
}

test("keeps the focus on the control that was used when the list loads again", async (t) => {
  const page = await open(t, { viewport: desk });
  await page.goto("/campaigns?period=quarter");
  const use = async (url: RegExp) => {
    const loaded = page.waitForEvent("load");
    await page.keyboard.press("Enter");
    await loaded;
    assert.match(page.url(), url);
  };
  const said = () => page.locator("#announcements").getByText(/./).innerText();

  await page.locator("#menu-team summary").focus();
  await page.keyboard.press("Enter");
  await pressUntil(page, "Tab", "#menu-team a[href$='team=Sales']");
  await use(/\?period=quarter&team=Sales$/);
  await page.locator("#menu-team summary:focus").waitFor();
  assert.equal(await said(), "15 campaigns");

  await pressUntil(page, "Tab", "thead a[href$='sort=open_rate']");
  await use(/&sort=open_rate$/);
  assert.ok((await pressUntil(page, "Tab", "tbody tr:first-child th a")) <= 3);

  await page.locator("#search [type=search]").focus();
  await page.keyboard.type("letter 1");
  await use(/&q=letter\+1/);
  await page.locator("#search [type=search]:focus").waitFor();

  await page.goto("/campaigns?period=all");
  await page.getByRole("link", { name: "Next page" }).focus();
  await use(/page=2$/);
  await page.locator("#results:focus").waitFor();
  assert.equal(await said(), "40 campaigns");

  await page.goto("/campaigns?period=all");
  await page.locator("thead a[href$='sort=open_rate']").click();
  await page.locator("thead [aria-sort] a:focus").waitFor();
  const outline = () => page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
  assert.equal(await outline(), "none", "who clicks with a mouse sees no frame");
  await page.keyboard.press("Shift");
  assert.equal(await outline(), "solid", "until a key is pressed");

  await page.goto("/campaigns?period=all");
  await page.locator(".rail nav a[href^='/campaigns']").focus();
  await use(/\/campaigns\?period=all$/);
  assert.equal(await page.locator(":focus").count(), 0, "a link of the navigation opens a page from its top");
});

test("shows the heading and the filters in one row each, also in German", async (t) => {
  const site = await openSite(t);
  await site.world.register(site.organization, 100);
  const page = await site.openWindowOf("viewer", { viewport: desk, locale: "de-DE" });
  await page.goto(`${site.url}/campaigns`);
  for (const row of [".heading", ".toolbar", ".list-head"]) {
    const { height = 0 } = (await page.locator(row).boundingBox()) ?? {};
    assert.ok(height > 0 && height < 60, `${row}: ${height}`);
  }
});

test("prints which part of the list a page has, without its links", async (t) => {
  const page = await open(t, { viewport: desk });
  await page.goto("/campaigns?period=all");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("navigation", { name: "Pages of the list" }).innerText(), "1–25 of 40");
});

test("cuts a very long subject after a few lines, but not on paper", async (t) => {
  const site = await openSite(t);
  const subject = "All you have to know about the week ".repeat(15).trim();
  await site.world.save(site.organization, [campaign({ id: 1, subject, sentAt: site.world.clock.now - 1 })]);
  const page = await site.openWindowOf("viewer", { viewport: phone });
  const linesOf = async (path: string, selector: string, media: "screen" | "print") => {
    await page.goto(site.url + path);
    await page.emulateMedia({ media });
    const shown = page.locator(selector);
    assert.equal(await shown.textContent(), subject);
    const style = await page.evaluate(`getComputedStyle(document.querySelector("${selector}")).lineHeight`);
    const lineHeight = Number.parseFloat(String(style));
    return Math.round(((await shown.boundingBox())?.height ?? 0) / lineHeight);
  };
  assert.equal(await linesOf("/campaigns/1", "h1 .subject", "screen"), 3);
  assert.equal(await linesOf("/campaigns", "tbody th a", "screen"), 2);
  assert.ok((await linesOf("/campaigns", "tbody th a", "print")) > 5);
  assert.ok((await linesOf("/campaigns/1", "h1 .subject", "print")) > 5);
});

test("skips to the list by keyboard, with and without the script", async (t) => {
  const page = await open(t, { viewport: desk });
  await page.goto("/campaigns?period=quarter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#results:focus").waitFor();
  await pressUntil(page, "Tab", "tbody tr:nth-child(2) th a");

  const plain = await open(t, { viewport: desk, javaScriptEnabled: false });
  await plain.goto("/campaigns?period=quarter");
  for (const name of ["Skip to main content", "Skip to results"]) {
    await plain.keyboard.press("Tab");
    assert.equal(await plain.locator(":focus").innerText(), name);
  }
  await plain.keyboard.press("Enter");
  await plain.locator("#results:focus").waitFor();
  await pressUntil(plain, "Tab", "tbody tr:nth-child(2) th a");
});

test("filters and changes the list from one bar on a phone, by keyboard and without the script", async (t) => {
  const page = await open(t, { viewport: phone, javaScriptEnabled: false });
  await page.goto("/campaigns?period=quarter");
  const boxOf = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? { y: 0, height: 0 };
  const [title, list] = [await boxOf("h1"), await boxOf("[data-list]")];
  assert.ok(list.y - title.y - title.height < 190, "tabs, one bar, and the number of campaigns");
  await page.getByRole("button", { name: "Filters 1" }).press("Enter");
  await page.locator("summary", { hasText: "All teams" }).press("Enter");
  await page.getByRole("link", { name: "Sales" }).press("Enter");
  await page.waitForURL("/campaigns?period=quarter&team=Sales");
  assert.equal(await page.getByText("15 campaigns").first().isVisible(), true);
  await page.getByRole("button", { name: "Filters 2" }).click();
  assert.equal(await page.locator("summary", { hasText: "Sales" }).isVisible(), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("summary", { hasText: "Sales" }).isVisible(), false);

  const change = async (menu: string) => {
    await page.getByRole("button", { name: /^View/ }).click();
    await page.locator("#view summary", { hasText: menu }).click();
  };
  await change("Columns");
  await page.getByLabel("Tags", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/columns=sent_at&columns=team&columns=open_rate/);
  await change("Sort");
  await page.getByRole("link", { name: "Open rate, sort lowest first", exact: true }).click();
  await page.waitForURL(/sort=open_rate/);
  assert.equal(await page.getByRole("button", { name: "View 2" }).isVisible(), true);
  assert.equal(await page.getByRole("link", { name: "Download CSV" }).isVisible(), true);
});

test("fits one more column beside the default ones, and keeps heads above them", async (t) => {
  const page = await open(t, { viewport: desk });
  const columns = "sent_at,team,tags,recipients,open_rate,click_rate,click_to_open_rate";
  await page.goto(`/campaigns?period=all&columns=${columns}`);
  const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)";
  const table = "document.querySelector('[data-list] .table')";
  assert.equal(await page.evaluate(`${hidden}(${table})`), 0);
  await page.locator("#menu-columns summary").click();
  const apply = await page.locator("#menu-columns form button").boundingBox();
  assert.ok(apply && apply.y + apply.height < desk.height - 40, "in the window, also below a notice");
  await page.setViewportSize({ ...desk, width: 1024 });
  await page.goto("/campaigns?period=all");
  const subject = await page.locator("[data-list] tbody th").first().boundingBox();
  assert.ok(subject && subject.width >= 190, `${subject?.width} px for subjects`);
  await page.goto(`/campaigns?period=all&columns=${columns},opens,clicks,read_time,enps`);
  assert.ok(Number(await page.evaluate(`${hidden}(${table})`)) > 100);
  const leftsOf = async (row: string) => {
    const cells = await page.locator(`[data-list] ${row} > :nth-child(-n+2)`).all();
    return Promise.all(cells.map(async (cell) => Math.round((await cell.boundingBox())?.x ?? 0)));
  };
  const before = await leftsOf("tbody tr:first-child");
  await page.evaluate(`${table}.scrollLeft = 100`);
  assert.deepEqual(await leftsOf("tbody tr:first-child"), before);
  assert.deepEqual(await leftsOf("thead tr"), before);
});

test("shows two compared campaigns whole on a phone, with the best mark beside or below its number", async (t) => {
  const page = await open(t, { viewport: phone });
  for (const width of [360, 390, desk.width]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/campaigns/compare?ids=1,5");
    const table = "document.querySelector('.compared .table')";
    const hidden = await page.evaluate(`${table}.scrollWidth - ${table}.clientWidth`);
    assert.equal(hidden, 0, `${width} wide`);
    const marked = await page.locator(".compared td .marked").all();
    assert.ok(marked.length > 0);
    for (const each of marked) {
      const mark = await each.locator(".badge").boundingBox();
      const [cell, number] = [await each.boundingBox(), await each.locator("> span").first().boundingBox()];
      assert.ok(cell && mark && number);
      assert.ok(Math.abs(number.x + number.width - cell.x - cell.width) < 1, "numbers stay in line");
      const isBelow = mark.y >= number.y + number.height - 1;
      const gap = number.x - mark.x - mark.width;
      assert.ok(isBelow || (gap >= 0 && gap < 10), `${width} wide: ${gap} beside the number`);
    }
  }
});

test("compares a campaign of the overview with another one in three clicks on a phone, without a script", async (t) => {
  const page = await open(t, { viewport: phone, javaScriptEnabled: false });
  await page.goto("/");
  const first = page.locator("#main th a[href^='/campaigns/']").first();
  const subject = (await first.locator(".subject").innerText()).trim();
  await first.click();
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  assert.match(await page.locator(".heading").innerText(), new RegExp(`compare with “${subject}”`));
  assert.equal(await page.locator("[data-list] [type=checkbox]").count(), 0);
  await page.locator("[data-list] tbody th a").filter({ hasNotText: subject }).first().click();
  const compared = await page.locator(".compared thead .subject").allInnerTexts();
  assert.deepEqual([compared.length, compared[0]], [2, subject]);
});

test("gives links and disclosures 24 px of height to tap", async (t) => {
  const page = await open(t, { viewport: phone });
  for (const [path, selector] of [
    ["/campaigns/1", ".heading .button, .data > summary"],
    ["/campaigns", "tbody th a"],
  ] as const) {
    await page.goto(path);
    const targets = (await page.locator(selector).all()).slice(0, 5);
    assert.ok(targets.length > 0, selector);
    for (const target of targets) {
      const box = await target.boundingBox();
      assert.ok(box && box.height >= 24, `${path}, ${await target.innerText()}: ${box?.height}`);
    }
  }
});

test("opens a second menu of a sheet where the finger is, and leaves the first one open", async (t) => {
  const page = await open(t, { viewport: phone, hasTouch: true });
  await page.goto("/campaigns?period=quarter");
  await page.getByRole("button", { name: "View" }).tap();
  await page.locator("#menu-columns summary").tap();
  const [sort, columns] = [page.locator("#menu-sort"), page.locator("#menu-columns")];
  const { x, y } = (await sort.locator("summary").boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 20, y + 10);
  await page.mouse.down();
  assert.equal((await sort.locator("summary").boundingBox())?.y, y, "nothing moves under the finger");
  await page.mouse.up();
  assert.deepEqual([await sort.getAttribute("open"), await columns.getAttribute("open")], ["", ""]);
  await page.getByRole("link", { name: "Click-to-open rate, sort lowest first", exact: true }).tap();
  await page.waitForURL(/sort=click_to_open_rate/);
  const cell = page.locator("tbody tr:first-child [data-label='Click-to-open rate']");
  assert.equal(await cell.isVisible(), true);
});

test("passes axe-core and fits the window on desks and phones, where rates are in sight", async (t) => {
  const page = await open(t, { viewport: phone });
  const problems: string[] = [];
  const everyColumn =
    "/campaigns?period=all&columns=sent_at,team,tags,recipients,open_rate,click_rate,click_to_open_rate,opens,clicks,read_time,enps,average_rating,comments,devices,kind&rows=25&page=2";
  const comparison = "/campaigns/compare?ids=1,2,3,4,5";
  const looks = [
    [everyColumn, phone, "dark"],
    ["/campaigns", phone, "light"],
    [comparison, desk, "dark"],
    [everyColumn, desk, "light"],
    ["/campaigns?q=nothing", desk, "dark"],
    [comparison, phone, "light"],
  ] as const;
  for (const [path, viewport, colorScheme] of isFullSize ? looks : looks.slice(0, 3)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    const name = `${path} (${viewport.width}, ${colorScheme})`;
    const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
    if (width > viewport.width) problems.push(`${name}: ${width} wide`);
    // Without a name, several menus may be open.
    await page.evaluate(`for (const menu of document.querySelectorAll("main details")) {
      menu.removeAttribute("name");
      menu.open = true;
    }`);
    problems.push(...(await findPageProblems(page)).map((problem) => `${name}: ${problem}`));
    for (const sheet of viewport === phone ? await page.locator(".fold").all() : []) {
      await sheet.evaluate("(element) => element.showPopover()");
      problems.push(...(await findPageProblems(page)).map((problem) => `${name}, sheet: ${problem}`));
    }
  }
  assert.deepEqual(problems, []);
  await page.goto("/campaigns");
  for (const viewport of [phone, tablet]) {
    await page.setViewportSize(viewport);
    const [card, rate] = [page.locator("[data-list] tbody tr"), page.locator("[data-list] tbody td.bar")];
    const [outer, inner] = [await card.first().boundingBox(), await rate.nth(1).boundingBox()];
    assert.ok(outer && inner && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width - 10);
    assert.ok(outer.x >= 0 && outer.x + outer.width <= viewport.width);
  }
});
