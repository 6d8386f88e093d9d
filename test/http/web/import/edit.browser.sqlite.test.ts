// What people set stays, in a real browser: 24 campaigns of a tool get a tag and a team, next month's export comes, and a second
// tool has the same ids.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import type { Page } from "playwright-core";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser } from "../../../support/browser.ts";
import { noticeOn, openSite, press, rowsOf } from "../../../support/site.ts";

after(closeBrowser);

const day = (index: number) => `May ${String((index % 28) + 1).padStart(2, "0")}, 2026 09:00 am`;
const mailchimp = (count: number) =>
  [
    'Title,Subject,List,"Send Date","Successful Deliveries","Unique Opens","Unique Id"',
    ...Array.from(
      { length: count },
      (_, index) => `T${index},"Newsletter ${index}",All,"${day(index)}",100,${20 + index},${index + 1}`,
    ),
  ].join("\n");
const contactMonkey = [
  'ID,Subject,"Sent At","Unique Opens","Unique Clicks","Recipient Count"',
  '2,"Fire drill","May 30, 2026 08:00 am",10,2,40',
].join("\n");

/** @returns the text of the preview */
async function importFile(page: Page, url: string, name: string, content: string): Promise<string> {
  await page.goto(`${url}/campaigns/import`);
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.waitForURL(/\/campaigns\/import\/\d+$/);
  await page.waitForLoadState();
  const text = await page.locator("main").innerText();
  await checkLooks(page, name);
  await page.getByRole("button", { name: /^Import \d+ campaign/ }).click();
  await page.waitForLoadState();
  return text;
}

/** Without axe-core's problems. The folder `PICTURES` gets pictures to look at. */
async function checkLooks(page: Page, name: string): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const folder = process.env.PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    if (width === 390) assert.deepEqual(await findPageProblems(page), [], name);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // The check has shortened tables.
  await page.reload();
}

test("tags and teams of 24 campaigns stay when the next export comes, and new ones get them by rule", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin");
  await importFile(page, site.url, "may.csv", mailchimp(24));
  const startedAt = performance.now();
  await page.goto(`${site.url}/campaigns?period=all&rows=25`);
  await checkLooks(page, "list");
  await press(page, "Edit");
  assert.match(await page.locator("main").innerText(), /Change 24 campaigns[\s\S]*and 14 more/);
  await checkLooks(page, "edit");
  await page.getByLabel("Tag, known or new").fill("Newsletter");
  await press(page, "Add tag");
  assert.equal(await noticeOn(page), "24 campaigns changed.");
  await checkLooks(page, "edited");
  await page.goto(`${site.url}/campaigns/edit?list=period%3Dall`);
  await page.getByLabel("Team, empty for no team").fill("Communications");
  await press(page, "Set team");
  const seconds = (performance.now() - startedAt) / 1_000;
  t.diagnostic(
    `24 campaigns have a tag and a team after ${seconds.toFixed(1)} s, with the checks of the pages`,
  );

  await page.goto(`${site.url}/settings/tags`);
  await page.getByLabel("Text", { exact: true }).fill("newsletter");
  await page.getByLabel("Tag, known or new").fill("Newsletter");
  await press(page, "Add rule");
  await checkLooks(page, "rules");
  await page.getByRole("link", { name: "Existing campaigns" }).click();
  assert.match(await page.locator("main").innerText(), /Change 0 campaigns/);

  const next = await importFile(page, site.url, "june.csv", mailchimp(27));
  assert.match(next, /24 of them are here already.*Values that people have set stay\./);
  const second = await importFile(page, site.url, "monkey.csv", contactMonkey);
  assert.match(second, /1 gets another ID, because a campaign of another tool has its ID\./);
  await page.goto(`${site.url}/campaigns?period=all&rows=50&columns=team,tags`);
  const rows = await rowsOf(page, "campaigns");
  const found = rows.map(([, subject = "", team, tags]) => ({ subject, team, tags }));
  const isNewsletter = ({ subject }: { subject: string }) => subject.startsWith("Newsletter");
  assert.equal(found.filter(isNewsletter).length, 27, JSON.stringify(rows.slice(0, 3)));
  assert.ok(found.filter(isNewsletter).every(({ tags }) => tags === "Newsletter"));
  assert.equal(found.filter(({ team }) => team === "Communications").length, 24);
  assert.ok(found.some(({ subject }) => subject === "Fire drill"));

  await page.goto(`${site.url}/campaigns/2?tab=details`);
  await checkLooks(page, "details");
  assert.match(await page.locator("main").innerText(), /Set by admin-1@example\.com/);
  await page.getByRole("button", { name: "Reset: Team" }).click();
  assert.equal(await noticeOn(page), "The value is as the file or the sender says.");
  await page.locator("#menu-tags summary").click();
  await checkLooks(page, "picker");
  await page.locator("#menu-tags summary").click();
  await page.getByLabel("Newsletter", { exact: true }).uncheck();
  await page.getByLabel("Tag, known or new").fill("Special");
  await press(page, "Apply");
  await page.goto(`${site.url}/campaigns/2`);
  const facts = await page.locator(".facts-line").innerText();
  assert.match(facts, /Special/);
  assert.doesNotMatch(facts, /Newsletter/);

  await page.goto(`${site.url}/campaigns/import`);
  await checkLooks(page, "imports");
  await page.getByRole("link", { name: /Communications/ }).click();
  await press(page, "Undo change");
  assert.match((await noticeOn(page)) ?? "", /23 campaigns have what they had before/);
});
