// The search over the application, in a real browser: ⌘K, results while one types, and what each role finds.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { findPageProblems } from "../../support/axe.ts";
import { closeBrowser } from "../../support/browser.ts";
import { openSite, pathOf, titleOf } from "../../support/site.ts";
import { requestPage } from "../../support/web-world.ts";
import { campaign } from "../../support/world.ts";

after(closeBrowser);

test("finds campaigns, tags, pages, tools and people from each page by keys", async (t) => {
  const site = await openSite(t);
  await site.world.save(site.organization, [
    campaign({ id: 7, subject: "Power cut on Friday", tags: ["Poster"] }),
    campaign({ id: 8, subject: "Town hall" }),
    ...Array.from({ length: 9 }, (_, index) => campaign({ id: 20 + index, subject: `Week ${index}` })),
  ]);
  const { organization: other } = await site.world.addOrganization({ name: "Globex" });
  await site.world.save(other, [campaign({ id: 9, subject: "Power of others", tags: ["Powder"] })]);
  await site.signIn("viewer", { organization: other, email: "po@globex.example" });
  const page = await site.openWindowOf("admin", { email: "polly@example.com" });
  await page.goto(`${site.url}/comments`);
  await page.keyboard.press("Control+k");
  await page.waitForURL(`${site.url}/search`);
  assert.equal(await titleOf(page), "Search");
  await page.keyboard.type("PO");
  const found = page.locator(".found a");
  // Results of "P" come first.
  await page.waitForURL(`${site.url}/search?q=PO`);
  const names = await found.allInnerTexts();
  assert.deepEqual(names.slice(0, 3), ["Power cut on Friday", "Poster", "polly@example.com"]);
  for (const name of ["Import campaigns", "Power BI", "PowerShell"]) assert.ok(names.includes(name), name);
  assert.deepEqual(await findPageProblems(page), []);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.waitForURL(`${site.url}/campaigns/7`);
  await page.goBack();
  assert.equal(pathOf(page), "/search?q=PO");
  assert.equal(await page.getByRole("searchbox").inputValue(), "PO");
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText('No results for "nothing like it"').waitFor();

  const { secret } = await site.signIn("viewer");
  const asked = async (query: string) =>
    (await requestPage(`${site.url}/search${query}`, { cookie: `ea_session=${secret}` })).text;
  assert.doesNotMatch(await asked("?q=polly"), /polly@example/);
  assert.doesNotMatch(await asked("?q=audit"), /settings\/audit/);
  assert.doesNotMatch(await asked("?q=import"), /Import campaigns/);
  const admin = await site.signIn("admin");
  const cookie = `ea_session=${admin.secret}`;
  for (const [query, language, path] of [
    ["api key", "en", "/settings/integrations/analytics-api"],
    ["digest", "en", "/settings/account"],
    ["forget", "en", "/settings/privacy"],
    ["export", "en", "/campaigns"],
    ["password", "en", "/settings/account"],
    ["invite", "en", "/settings/people"],
    ["CSV", "en", "/campaigns/import"],
    ["timezone", "en", "/settings/organization"],
    ["who has not read", "en", "/help/questions#nonReaders"],
    ["season", "en", "/help/overview#seasonal"],
    ["Zeitzone", "de", "/settings/organization"],
    ["mot de passe", "fr", "/settings/account"],
    ["olvidar", "es", "/settings/privacy"],
    ["bjuda in", "sv", "/settings/people"],
  ] as const) {
    const url = `${site.url}/search?q=${encodeURIComponent(query)}`;
    const { text } = await requestPage(url, { cookie, headers: { "accept-language": language } });
    assert.ok(text.includes(`<li><a href="${path}">`), `${language}: ${query}`);
  }
  const inHelp = await asked("?q=nextLink");
  assert.match(inHelp, /No results for .*Help pages with “nextLink”.*href="\/help\//s);
  assert.match(await asked("?q=hall+TOWN"), /Town hall/);
  assert.match(await asked("?q=week"), /<a href="\/campaigns\?period=all&amp;q=week">All 9 campaigns<\/a>/);
  assert.match(await asked("?q=%3Cb%3E"), /No results for .*&lt;b&gt;/);
  const empty = await asked("");
  assert.match(empty, /Week 8/);
  assert.match(empty, /href="\/settings\/tags"/);
});
