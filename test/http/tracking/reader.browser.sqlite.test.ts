// A tracked message in a real browser: a person opens it, reads it, follows links and answers; a scanner does the same.

import assert from "node:assert/strict";
import { join } from "node:path";
import test, { after, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findPageProblems } from "../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../support/browser.ts";
import { fetchAs, type ReaderWorld, serveReaders } from "../../support/serve-readers.ts";
import { startServer } from "../../support/start-server.ts";
import { desktopAgent } from "../../support/user-agents.ts";
import { present } from "../../support/world.ts";

after(closeBrowser);

/** Serves the targets of the links. */
async function website(test: TestContext): Promise<string> {
  const { url } = await startServer(test, (request, response) => {
    response.setHeader("content-type", "text/html").end(`<title>${request.url}</title>`);
  });
  return url;
}

/** A message to Ann with two links and an eNPS question. */
async function messageOf(given: ReaderWorld, site: string): Promise<string> {
  const html = `<html><body><h1>The week in brief</h1>
<p><a href="${site}/first">First</a> and <a href="${site}/second">second</a></p>
<div data-survey="s-1"></div></body></html>`;
  const surveys = [{ survey_id: "s-1", kind: "enps", question: "Would you recommend us?" }];
  const answer = await given.service.send("/ingest/v1/campaigns/1/messages", {
    method: "POST",
    key: given.ingestKey,
    body: { html, recipients: ["ann@example.com"], surveys },
  });
  return (answer.body as unknown as { messages: { html: string }[] }).messages[0]?.html ?? "";
}

const countedFields = [
  ...["unique_opens", "multiple_opens", "desktop_open_rate", "read_time_skimmed", "unique_clicks"],
  ...["total_clicks", "enps_score_average", "enps_comments_count"],
] as const;

/** The clock runs on from the present of the tests. */
const since = performance.now();
const now = () => present + Math.round(performance.now() - since);
const register = { surveys_count: 1 };

test("counts the open, read time, clicks and survey answer of a person in a real browser", async (t) => {
  const given = await serveReaders(t, { now, register });
  const html = await messageOf(given, await website(t));
  const context = await openBrowser(t);
  const mail = await context.newPage();
  // A fixed clock from here on, so that the result does not depend on the load of the machine.
  let clock = performance.now();
  t.mock.method(performance, "now", () => clock);
  const isRead = mail.waitForResponse(/\/t\/r\//);
  await mail.setContent(html, { waitUntil: "commit" });
  await isRead;
  clock += 5_000;
  await mail.close();
  while ((await given.numbers("read_time_skimmed"))[0] !== 100) await pause(25);
  // The rest happens with images blocked, so that it adds no opens and reads.
  const later = await context.newPage();
  await later.route(/\/t\/[or]\//, (route) => route.abort());
  for (const name of ["First", "second"]) {
    await later.setContent(html);
    await later.getByRole("link", { name }).click();
    await later.waitForURL(/\/(first|second)$/);
    clock += 300;
  }
  await later.setContent(html);
  await later.getByRole("link", { name: "9", exact: true }).click();
  await later.getByRole("heading", { name: "Would you recommend us?" }).waitFor();
  assert.equal(await later.getByRole("radio", { name: "9", exact: true }).isChecked(), true);
  await later.getByText("8", { exact: true }).click();
  await later.getByLabel("Is there anything").fill("More of this,\nplease");
  await later.getByRole("button", { name: "Send my answer" }).click();
  await later.getByRole("heading", { name: "Thank you" }).waitFor();
  await given.waitForWrites();
  assert.deepEqual(await given.numbers(...countedFields), [1, 0, 100, 100, 1, 2, 8, 1]);
});

test("counts nothing for a scanner that follows all links within two seconds", async (t) => {
  const given = await serveReaders(t, { now, register });
  const html = await messageOf(given, await website(t));
  const urls = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, url = ""]) => url);
  // Two links, the ratings from 0 to 10, and the hidden link.
  assert.equal(urls.length, 14);
  const answers = await Promise.all(urls.map((url) => fetchAs(url, { agent: desktopAgent })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 302]);
  assert.deepEqual(await given.numbers(...countedFields), [0, 0, 0, 0, 0, 0, 0, 0]);
});

test("hides the honeypot link from people in a real browser", async (t) => {
  const given = await serveReaders(t, { register });
  const context = await openBrowser(t, { colorScheme: "dark" });
  const page = await context.newPage();
  await page.setContent(await messageOf(given, "http://127.0.0.1:9"), { waitUntil: "commit" });
  assert.equal(await page.locator("a").count(), 14);
  assert.equal(await page.getByRole("link").count(), 13);
  assert.equal(await page.locator("a:visible").count(), 13);
});

/** The folder for screenshots of the pages, to look at them. */
const screenshots = process.env.SCREENSHOTS;

test("shows the survey form on a small screen and allows answering with the keyboard alone", async (t) => {
  const given = await serveReaders(t);
  const survey = {
    surveyId: "s",
    kind: "enps" as const,
    question: `Would you ${"really ".repeat(20)}?`,
    answer: 9,
  };
  const url = given.trackingUrls.build("survey", { ...given.ann, ...survey });
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await openBrowser(t, { colorScheme, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    await page.goto(url);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(width, 360);
    assert.deepEqual(await findPageProblems(page), []);
    if (screenshots)
      await page.screenshot({ path: join(screenshots, `survey-${colorScheme}.png`), fullPage: true });
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    await page.keyboard.type("A comment");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    if (screenshots)
      await page.screenshot({ path: join(screenshots, `thanks-${colorScheme}.png`), fullPage: true });
    assert.deepEqual(problems, []);
  }
  assert.deepEqual(await given.numbers("enps_score_average", "enps_comments_count"), [8, 1]);
});
