// Sign-in, people and account pages in a real browser: accessibility in light and dark, on desktop and phone.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findPageProblems } from "../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../support/browser.ts";
import { invite } from "../../support/guest.ts";
import { client, startProvider } from "../../support/open-id-provider.ts";
import { choosePassword, password, signIn, signOut } from "../../support/site.ts";
import { makeWebWorld } from "../../support/web-world.ts";

after(closeBrowser);

test("passes axe-core on the pages of sign-in, invite links, people and account", async (t) => {
  const provider = await startProvider(t);
  let url = "";
  const web = await makeWebWorld(t, {
    publicUrl: () => url,
    openId: { issuer: provider.issuer, ...client },
  });
  url = web.service.url;
  const { user } = await web.signIn("admin", { email: "ada@example.com" });
  const { path } = await invite(web, user);
  const problems: string[] = [];
  const context = await openBrowser(t, { viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  page.on("console", (line) => {
    // The browser logs the status of a rejected form to the console.
    if (line.type() === "error" && !/Failed to load resource/.test(line.text())) problems.push(line.text());
  });
  const look = async (name: string, schemes: readonly ("dark" | "light")[] = ["dark"]) => {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const found = await findPageProblems(page);
      problems.push(...found.map((problem) => `${name} (${colorScheme}): ${problem}`));
    }
  };

  await page.goto(url + path);
  await look("choose a password");
  await choosePassword(page, url + path);
  await page.goto(`${url}/settings/people`);
  await signOut(page);
  assert.match((await page.getByRole("status").textContent()) ?? "", /You are signed out/);
  await page.goto(`${url}/settings/people`);
  await look("sign in", ["dark", "light"]);
  await signIn(page, "ada@example.com", "wrong wrong wrong");
  assert.match((await page.getByRole("alert").textContent()) ?? "", /Wrong email or password/);
  await look("refused");
  await signIn(page, "ada@example.com", password);
  await page.waitForURL(`${url}/settings/people`);
  await look("people");
  await page.getByRole("button", { name: "Actions for ada@example.com" }).click();
  await page.locator("main summary", { hasText: "Change role" }).click();
  await look("people with a menu");
  await page.keyboard.press("Escape");
  await page.locator("#email").fill(`${"long".repeat(12)}@example.com`);
  await page.getByRole("button", { name: "Add user", exact: true }).click();
  await look("added");
  const link = await page.locator("#invitation").textContent();
  assert.ok(link?.startsWith(`${url}/sign-in/password/`));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // The label shows for two seconds only, which polling could miss.
  await page.evaluate(`labels = []; for (const each of document.querySelectorAll("[data-copy]"))
    new MutationObserver(() => labels.push(each.textContent)).observe(each, { childList: true })`);
  await page.getByRole("button", { name: "Copy" }).click();
  while (!(await page.evaluate("labels.length"))) await pause(20);
  assert.equal(await page.evaluate("labels[0]"), "Copied");
  await page.locator("[aria-live]", { hasText: "Copied" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), link);
  await page.goto(`${url}/settings/account`);
  await look("account");
  assert.match((await page.locator("tbody th").allTextContents()).join(" "), /Chrome, Windows/);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}/settings/people`);
  await look("people, wide");
  assert.deepEqual(problems, []);
});
