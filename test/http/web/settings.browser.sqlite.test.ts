// Invite links and forms of the settings in a real browser.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { closeBrowser } from "../../support/browser.ts";
import {
  choosePassword,
  noticeOn,
  openSite,
  password,
  pathOf,
  press,
  problemOn,
  rowsOf,
  signIn,
  signOut,
  titleOf,
} from "../../support/site.ts";
import { region, run } from "../../support/world.ts";

after(closeBrowser);

const tagsPath = "/settings/tags";

test("lets a user added on the command line choose a password and sign out, and signs in all of its tabs", async (t) => {
  const site = await openSite(t);
  const { world, url, organization } = site;
  const email = "ada@example.com";
  const add = ["user", "add", "--organization", String(organization.id), "--email", email, "--role", "admin"];
  const { databaseUrl } = world;
  const environment = { DATABASE_URL: databaseUrl, REGION: region, LOG_LEVEL: "silent", PUBLIC_URL: url };
  const added = await run(databaseUrl, add, { environment });
  const [link = ""] = added.stdout.split("\n");
  assert.ok(link.startsWith(`${url}/sign-in/password/`), added.stdout + added.stderr);

  const page = await site.openWindow();
  await page.goto(link);
  const chosen = page.getByLabel("New password");
  assert.equal(await page.getByLabel("Email").inputValue(), email);
  await chosen.pressSequentially("too short");
  await page.getByLabel("Repeat password").pressSequentially("too short");
  await press(page, "Set password and sign in");
  // The browser validates the field and submits nothing.
  assert.equal(await page.evaluate("document.activeElement.id"), "new_password");
  assert.equal(await page.evaluate("document.activeElement.validity.tooShort"), true);
  assert.equal(page.url(), link);
  // Without validation in the browser the server rejects the password, and the link still works.
  await page.evaluate("document.querySelector('form').noValidate = true");
  await press(page, "Set password and sign in");
  assert.equal(await problemOn(page), "New password: it has 9 characters; use 12 to 200.");
  await chosen.fill(password);
  await page.getByLabel("Repeat password").fill("nine green ships sink");
  await press(page, "Set password and sign in");
  assert.match(await problemOn(page), /The passwords do not match\. Type both again\./);

  await choosePassword(page, link);
  assert.equal(pathOf(page), "/");
  assert.equal(await titleOf(page), "Overview");
  assert.equal(await noticeOn(page), "Welcome! Your password is set, and you are signed in.");
  assert.equal((await page.goto(link))?.status(), 404);
  await page.goto(url);
  await signOut(page);
  assert.equal(await noticeOn(page), "You are signed out.");

  // Signing in in one tab also signs in the other one, whatever password is typed there.
  const other = await page.context().newPage();
  await other.goto(`${url}/sources`);
  await page.goto(url);
  await signIn(page, email, password);
  await signIn(other, email, "nine green ships sink");
  assert.equal(pathOf(other), "/sources");
  // A form of an earlier session is rejected, and accepted after a reload.
  await other.goto(url + tagsPath);
  await signOut(page);
  await signIn(page, email, password);
  await other.getByLabel("Name").fill("News");
  await press(other, "Add tag");
  assert.equal(await titleOf(other), "Your changes were not saved");
  await other.reload();
  await other.getByLabel("Name").fill("News");
  await press(other, "Add tag");
  assert.equal(await noticeOn(other), 'Added the tag "News".');
});

test("submits a form once when its button is double-clicked or the response reloaded", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin");
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") sent += 1;
  });
  await page.goto(`${site.url}/settings/integrations/analytics-api`);
  await page.getByLabel("Name").fill("Power BI");
  // Holds back the response of the first submission until the second click.
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST") await isAnswered;
    await route.continue();
  });
  const button = page.getByRole("button", { name: "Create key" });
  await button.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  const first = page.waitForRequest((request) => request.method() === "POST");
  await page.mouse.click(x + 5, y + 5);
  await first;
  await page.mouse.click(x + 5, y + 5);
  answer();
  await page.waitForSelector("#key");
  // The script makes the reload safe, and it runs when the whole page has arrived.
  await page.waitForLoadState();
  await page.reload();
  assert.equal(await titleOf(page), "Analytics API");
  assert.equal(sent, 1);
  const names = (await rowsOf(page, "keys")).map(([name]) => name);
  assert.deepEqual(names, ["test", "sender", "Power BI"]);
});
