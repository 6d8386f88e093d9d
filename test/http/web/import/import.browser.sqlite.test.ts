// How campaigns come in a real browser: sample data, an export of another tool, a table of one's own, and a form.

import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after } from "node:test";
import type { Page } from "playwright-core";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../../support/browser.ts";
import { isFullSize } from "../../../support/random-cases.ts";
import {
  follow,
  noticeOn,
  openSite,
  pathOf,
  press,
  problemOn,
  rowsOf,
  titleOf,
} from "../../../support/site.ts";
import { campaign } from "../../../support/world.ts";

after(closeBrowser);

const exportsFolder = join(import.meta.dirname, "../../../support/exports");

const looks = [
  ["light", 1280],
  ["dark", 390],
] as const;
let looked = 0;

/** Without axe-core's problems, light on the desk and dark on phones; by default in turn. */
async function checkLooks(page: Page, name: string): Promise<void> {
  looked += 1;
  for (const [turn, [colorScheme, width]] of looks.entries()) {
    if (!isFullSize && looked % looks.length === turn) continue;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findPageProblems(page), [], `${name} (${colorScheme}, ${width})`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

const choose = (page: Page, file: string | { name: string; content: string }, label = "File") =>
  page
    .getByLabel(label, { exact: true })
    .setInputFiles(
      typeof file === "string"
        ? join(exportsFolder, file)
        : { name: file.name, mimeType: "text/csv", buffer: Buffer.from(file.content) },
    );

/** Presses Upload, and waits for the page of the file. */
async function upload(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.waitForURL(/\/campaigns\/import\/\d+$/);
  await page.waitForLoadState();
}

/** Chooses the fields of a table of one's own. */
async function mapColumns(page: Page): Promise<void> {
  await page.getByLabel("Field of Headline").selectOption("Subject");
  await page.getByLabel("Field of When").selectOption("Sent at");
  await press(page, "Update preview");
}

test("imports an export of Mailchimp and a table of one's own, and undoes it", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin");
  await page.goto(site.url);
  await press(page, "Look around with sample data");
  assert.equal(pathOf(page), "/");
  assert.equal(await noticeOn(page), "The sample data are added.");
  await checkLooks(page, "sample-overview");
  await page.goto(`${site.url}/campaigns`);
  await checkLooks(page, "sample-campaigns");
  await press(page, "Remove sample data");
  assert.equal(await noticeOn(page), "The sample data are removed.");
  assert.match(await page.locator("main").innerText(), /Get to your first numbers/);
  await checkLooks(page, "sample-checklist");
  await page.goto(`${site.url}/campaigns/import`);
  await checkLooks(page, "import-choose");
  await choose(page, "mailchimp.csv");
  await upload(page);
  assert.equal(await titleOf(page), "Check the import");
  const preview = (await rowsOf(page, "Preview")).map(([subject, , recipients]) => [subject, recipients]);
  assert.deepEqual(preview, [
    ["Most popular, by far", "108"],
    ["Town hall on Friday", "1,300"],
  ]);
  await page.locator("summary", { hasText: "9 columns are not imported" }).click();
  await checkLooks(page, "import-preview");
  await press(page, "Import 2 campaigns");
  assert.equal(await noticeOn(page), "The campaigns are imported.");
  assert.match(await page.locator("main").innerText(), /2 added, 0 changed, 0 unchanged/);
  await checkLooks(page, "import-done");
  await follow(page, "View campaigns");
  assert.equal((await rowsOf(page, "campaigns")).length, 2);

  await follow(page, "Import");
  const [last] = await rowsOf(page, "Imports and changes of the last day");
  assert.equal(last?.[1], "2 added, 0 changed, 0 unchanged Undo import");
  const mine = { name: "mine.csv", content: "Headline,When\nHello,3/4/2026 9:00\nBye,5/4/2026 9:00\n" };
  await choose(page, mine);
  await upload(page);
  const problems = () => page.locator("ul.lines").first().innerText();
  assert.match(await problems(), /has no column for subject/);
  await mapColumns(page);
  const problem = 'line 2, column "When": "3/4/2026 9:00" may have the month or the day first';
  assert.ok((await problems()).includes(problem));
  await checkLooks(page, "import-problems");
  await choose(page, mine, "Choose the corrected file");
  await upload(page);
  await mapColumns(page);
  await press(page, "Day first: April 3");
  const mapped = (await rowsOf(page, "Preview")).map(([subject, at]) => [subject, at]);
  assert.deepEqual(mapped, [
    ["Hello", "Apr 3, 2026, 9:00 AM UTC"],
    ["Bye", "Apr 5, 2026, 9:00 AM UTC"],
  ]);
  await press(page, "Import 2 campaigns");
  const undo = page.url();
  await page.goto(`${site.url}/campaigns/import`);
  await choose(page, { ...mine, content: mine.content.replace("When\n", "When\nAgain,2/4/2026 9:00\n") });
  await upload(page);
  assert.match(await page.locator("main").innerText(), /Read with the choices of your last import/);
  assert.deepEqual((await rowsOf(page, "Preview"))[0]?.slice(0, 2), ["Again", "Apr 2, 2026, 9:00 AM UTC"]);
  await checkLooks(page, "import-saved");
  await press(page, "Forget these choices");
  assert.equal(await noticeOn(page), "The choices are forgotten.");
  assert.match(await problems(), /has no column for subject/);
  await page.goto(undo);
  await press(page, "Undo import");
  assert.equal(await noticeOn(page), "The import is undone: 2 removed, 0 restored, 0 kept.");
  await page.goto(`${site.url}/campaigns?period=all`);
  assert.equal((await rowsOf(page, "campaigns")).length, 2);
});

test("registers a campaign and corrects a mistyped one of an import", async (t) => {
  const site = await openSite(t);
  const sentAt = site.world.clock.now - dayMs;
  const mistyped = { id: 1, subject: "Mistyped", sentAt, recipientCount: 1_250_000 };
  await site.world.save(site.organization, [campaign({ ...mistyped, metrics: { unique_opens: 600 } })]);
  const page = await site.openWindowOf("admin");
  await page.goto(`${site.url}/campaigns`);
  await follow(page, "Register");
  assert.equal(await titleOf(page), "Register a campaign");
  await checkLooks(page, "register");
  await page.getByLabel("Subject").fill("Spring");
  await page.getByLabel("Recipients", { exact: true }).fill("1,250");
  await page.getByText("More fields").click();
  await page.getByLabel("Tags").fill("News\nHR");
  await press(page, "Register");
  const recipients = page.getByLabel("Recipients", { exact: true });
  assert.match(await page.locator("#recipient_count_problem").innerText(), /"1,250" is not a whole number/);
  assert.equal(await page.getByLabel("Subject").inputValue(), "Spring");
  await checkLooks(page, "register-problem");
  await recipients.fill("1250");
  await press(page, "Register");
  assert.equal(await noticeOn(page), "Registered “Spring”. Events name it with the campaign ID 2.");
  assert.match(await page.locator("main").innerText(), /News[\s\S]*HR|HR[\s\S]*News/);

  await page.goto(`${site.url}/campaigns/1?tab=details`);
  await checkLooks(page, "correct");
  await page.reload();
  await page.getByText("More fields").click();
  await checkLooks(page, "correct-more");
  await recipients.fill("1250");
  await press(page, "Save correction");
  assert.equal(await noticeOn(page), "The correction is saved.");
  assert.match(await page.locator("main").innerText(), /48\.0%/);
});

test("says what is wrong with a file before and while it is sent, and keeps nothing of a cut upload", async (t) => {
  const site = await openSite(t);
  // Not by openWindowOf: a window of it fails the test when a request gets no answer.
  const context = await openBrowser(t);
  const { secret } = await site.signIn("admin");
  await context.addCookies([{ name: "ea_session", value: secret, url: site.url, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.goto(`${site.url}/campaigns/import`);
  await choose(page, { name: "empty.csv", content: "" });
  await page.getByRole("button", { name: "Upload" }).click();
  assert.equal(await problemOn(page), "Choose a file that is not empty.");
  // The second of three pieces never arrives.
  let pieces = 0;
  await page.route(/\/campaigns\/import\/\d+$/, (route) => {
    const isPiece = route.request().method() === "POST";
    if (isPiece) pieces += 1;
    return isPiece && pieces > 1 ? route.abort() : route.continue();
  });
  const row = `1,${"x".repeat(1000)},2026-01-01\n`;
  await choose(page, { name: "large.csv", content: `id,subject,sent_at\n${row.repeat(2_500)}` });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("The upload was cut off").waitFor({ timeout: 30_000 });
  assert.ok(pieces >= 3, "a piece without an answer is sent again");
  await page.unrouteAll();
  await page.reload();
  assert.equal((await rowsOf(page, "Imports and changes of the last day"))[0]?.[1], "Incomplete");
  await follow(page, "large.csv");
  assert.match(await page.locator("main").innerText(), /Only 31\.\d% of the file arrived/);
  await press(page, "Discard file");
  assert.equal(pathOf(page), "/campaigns/import");
  await page.goto(`${site.url}/campaigns`);
  assert.match(await page.locator("main").innerText(), /No campaigns/i);
});
