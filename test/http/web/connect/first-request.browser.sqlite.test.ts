// A key that an admin creates on the page of a tool, and the wait for its first request, with and without JavaScript.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { clientName } from "../../../../src/http/web/connect/client-name.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser } from "../../../support/browser.ts";
import { follow, openSite, pathOf, press, type Site, titleOf } from "../../../support/site.ts";
import { campaign, serve } from "../../../support/world.ts";

after(closeBrowser);

const requestEmails = ({ service }: Pick<Site, "service">, key: string) =>
  service.get("/data_api/v1/emails?per_page=1", { key, headers: { "user-agent": "curl/8.5.0 (x)" } });

const received =
  /The first request has arrived\. It came on Jun 15, 2026, 12:00 PM UTC from curl\/8\.5\.0\.\s+Your organization has 2 campaigns\./;

test("creates a key for a tool, and shows its first request without a reload", async (t) => {
  const site = await openSite(t);
  await site.world.save(site.organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const page = await site.openWindowOf("admin");
  await page.goto(`${site.url}/connect`);
  await page.getByRole("link", { name: "curl" }).click();
  await press(page, "Create key for curl");
  assert.equal(await titleOf(page), "Your API key for curl");
  const key = await page.locator("#key").innerText();
  await page.getByText(`export EMAIL_ANALYTICS_KEY="${key}"`).waitFor();
  const status = page.getByRole("status");
  assert.match(await status.innerText(), /Waiting for the first request from curl…/);
  assert.deepEqual(await findPageProblems(page), []);
  assert.equal((await requestEmails(site, key)).status, 200);
  await status.getByText("The first request has arrived").waitFor();
  assert.match((await status.innerText()).replaceAll(/\s+/g, " "), received);
  // The key is still there to copy.
  assert.equal(await page.locator("#key").innerText(), key);
  assert.deepEqual(await findPageProblems(page), []);
});

test("shows the first request without JavaScript, on a page that reloads, when another process served it", async (t) => {
  const site = await openSite(t);
  await site.world.save(site.organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const page = await site.openWindowOf("admin", { javaScriptEnabled: false });
  await page.goto(`${site.url}/connect/curl`);
  await press(page, "Create key for curl");
  const key = await page.locator("#key").innerText();
  await follow(page, "I copied the key. Wait for the first request");
  assert.match(pathOf(page), /^\/connect\/curl\/keys\/\d+$/);
  assert.match(await page.getByRole("status").innerText(), /Waiting/);
  const service = await serve(t, site.world, { keyUsageMs: 20 });
  assert.equal((await requestEmails({ service }, key)).status, 200);
  await page.getByText("The first request has arrived").waitFor();
  assert.match((await page.getByRole("status").innerText()).replaceAll(/\s+/g, " "), received);
  assert.equal(await page.locator("meta[http-equiv=refresh]").count(), 0);
});

test("offers viewers no key, and refuses unknown keys and keys of other organizations", async (t) => {
  const { world, signIn } = await openSite(t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const [admin, stranger] = [await signIn("admin"), await signIn("admin", { organization: other })];
  assert.doesNotMatch(await (await signIn("viewer")).read("/connect/curl"), /create_key/);
  assert.equal((await admin.get("/connect/curl/keys/1")).status, 200);
  assert.equal((await stranger.get("/connect/curl/keys/1")).status, 404);
  assert.equal((await admin.get("/connect/curl/keys/x")).status, 404);
  assert.equal((await admin.get("/connect/abacus/keys/1")).status, 404);
});

test("names the tool that sent a request", () => {
  const powerQuery = "Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)";
  const names = [
    [powerQuery, "Power Query (Power BI or Excel)"],
    ["Mozilla/5.0 (compatible; Google-Apps-Script; beanserver)", "Google Apps Script"],
    ["Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.20348.1", "PowerShell"],
    ["Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0", "a browser"],
    ["curl/8.5.0", "curl/8.5.0"],
    ["", "a program that does not name itself"],
  ];
  for (const [agent = "", name] of names) assert.equal(clientName(locales.en, agent), name);
});
