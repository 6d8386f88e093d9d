// The question "Which newsletter got better, against last year?" in a real browser, with the demo's campaigns.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { findPageProblems } from "../../support/axe.ts";
import { closeBrowser } from "../../support/browser.ts";
import { sharedDemoSite } from "../../support/demo-site.ts";
import { titleOf } from "../../support/site.ts";

after(closeBrowser);

const dayMs = 86_400_000;

test("says two clicks from the overview which newsletter got better than a year before, without a script", async () => {
  const { site, organization, records } = await sharedDemoSite();
  const page = await site.openWindowOf("viewer", { organization, javaScriptEnabled: false });
  await page.goto(site.url);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Breakdown" }).click();
  await page.getByRole("link", { name: "Tags", exact: true }).click();
  const row = page.locator("tr", { hasText: "Newsletter" });
  // The last 90 days, and the same days of the year before.
  const rateOf = (from: number, until: number) => {
    const sent = records.filter(({ sent_at, tags }) => {
      const at = Date.parse(sent_at);
      return at >= from && at < until && tags.some(({ name }) => name === "Newsletter");
    });
    const sum = (name: "unique_opens" | "recipient_count") =>
      sent.reduce((total, record) => total + (record[name] ?? 0), 0);
    return sum("unique_opens") / sum("recipient_count");
  };
  const { now } = site.world.clock;
  const tomorrow = Math.floor(now / dayMs) * dayMs + dayMs;
  const [rate, before] = [
    rateOf(tomorrow - 90 * dayMs, now - 7 * dayMs),
    rateOf(tomorrow - 455 * dayMs, tomorrow - 365 * dayMs),
  ].map((each) => (100 * each).toFixed(1));
  const text = (await row.innerText()).replaceAll(/\s+/g, " ");
  assert.ok(text.includes(`${rate}%`) && text.includes(`${before}%`), `${rate}, ${before}: ${text}`);
  await row.getByRole("link", { name: "Newsletter" }).click();
  assert.equal(await titleOf(page), "Newsletter");
  assert.match(
    await page.locator(".lead").innerText(),
    /opened over the last 12(, against .* a year before: | \(a year before: )/,
  );
});

for (const [device, options] of Object.entries({
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
})) {
  test(`names each dot and leads to its campaign by pointer and by keys on a ${device}`, async () => {
    const { site, organization } = await sharedDemoSite();
    const page = await site.openWindowOf("viewer", { organization, ...options });
    await page.goto(`${site.url}/series?tag=3`);
    const dots = page.locator("a.hit");
    assert.equal(await dots.count(), 12);
    const dot = dots.nth(4);
    await dot.hover();
    const tip = dot.locator(".tip");
    await tip.waitFor();
    const [, subject = ""] = /· (The week at Lindgren: .*)/.exec(await tip.innerText()) ?? [];
    const width = page.viewportSize()?.width ?? 0;
    const box = await tip.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= width, `the tip of ${device} is on the page`);
    assert.deepEqual(await findPageProblems(page), []);
    await page.reload();
    // The last dot is the tab stop, and arrow keys lead to the others.
    await dots.last().focus();
    for (let step = 11; step > 4; step--) await page.keyboard.press("ArrowLeft");
    await page.locator("a.hit:focus .tip").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/campaigns\/\d+/);
    assert.equal(await titleOf(page), subject);
    await page.goBack();
    // The first tap names the dot, the second one follows it.
    if (device === "phone") {
      await dots.nth(4).tap();
      await dots.nth(4).locator(".tip").waitFor();
    }
    await (device === "phone" ? dots.nth(4).tap() : dots.nth(4).click());
    await page.waitForURL(/\/campaigns\/\d+/, { timeout: 20_000 });
  });
}
